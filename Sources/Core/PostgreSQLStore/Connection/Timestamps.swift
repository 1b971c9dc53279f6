import CoreData

/// Dates in the server's form: microseconds since 2000-01-01 UTC.
///
/// Dates are rounded to a microsecond. The doubles of `Date` are about 0.1 microseconds apart at
/// present.
enum Timestamps {
  /// Seconds from 2000-01-01 to 2001-01-01; 2000 was a leap year.
  private static let offset = 366.0 * 86400
  /// The range of timestamptz: 4713 BC to 294276.
  private static let range = -210_866_803_200_000_000..<9_223_371_331_200_000_000 as Range<Int64>

  /// Converts seconds since 2001; nil for NaN and for a date out of range.
  static func microseconds(_ seconds: Double) -> Int64? {
    if seconds == .infinity { return .max }
    if seconds == -.infinity { return .min }
    let whole = seconds.rounded(.down)
    let value = (whole + offset) * 1e6
    guard value.magnitude < 9.3e18, let days = Int64(exactly: value) else { return nil }
    let result = days + Int64(((seconds - whole) * 1e6).rounded())
    return range.contains(result) ? result : nil
  }

  static func seconds(_ microseconds: Int64) -> Double {
    if microseconds == .max { return .infinity }
    if microseconds == .min { return -.infinity }
    let since2001 = microseconds - Int64(offset) * 1_000_000
    // Exact up to 2^53; a single division then yields the double nearest to the decimal value.
    if since2001.magnitude < 1 << 53 { return Double(since2001) / 1e6 }
    let (seconds, rest) = since2001.quotientAndRemainder(dividingBy: 1_000_000)
    return Double(seconds) + Double(rest) / 1e6
  }

  /// The date as SQL literal, independent of the session's date style: `2001-01-01 00:00:00.5+00`.
  static func text(_ microseconds: Int64) -> String {
    if microseconds == .max { return "infinity" }
    if microseconds == .min { return "-infinity" }
    let day: Int64 = 86_400_000_000
    let days = microseconds >= 0 ? microseconds / day : -((day - 1 - microseconds) / day)
    let rest = microseconds - days * day
    // Civil date from the days since 0000-03-01, by eras of 400 years.
    let shifted = days + 730_425
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let date = dayOfYear - (153 * month + 2) / 5 + 1
    let year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0)
    let second = rest / 1_000_000
    let clock = [second / 3600, second / 60 % 60, second % 60].map { padded($0, width: 2) }
    return
      "\(padded(year > 0 ? year : 1 - year, width: 4))-\(padded((month + 2) % 12 + 1, width: 2))-"
      + "\(padded(date, width: 2)) \(clock.joined(separator: ":")).\(padded(rest % 1_000_000, width: 6))+00"
      + (year > 0 ? "" : " BC")
  }

  private static func padded(_ number: Int64, width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }
}
