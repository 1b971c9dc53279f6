import Foundation

/// Dates as texts: `2026-11-23T01:30:00Z`, with milliseconds if they are not zero. Covers all years
/// that Core Data can store.
package enum ISODate {
  private static let secondsTo2001 = 978_307_200.0

  /// Writes a date given in seconds since 2001.
  package static func write(_ seconds: Double, to writer: ByteWriter) {
    guard seconds.isFinite, abs(seconds) < 1e14 else { return writer.write("\(seconds)") }
    let thousandths = Int(((seconds + secondsTo2001) * 1000).rounded())
    let (days, rest) = divided(thousandths, 86_400_000)
    let (year, month, day) = civil(days)
    if year < 0 { writer.write(byte: UInt8(ascii: "-")) }
    writer.write(abs(year), digits: max(4, String(abs(year)).count))
    writer.write("-" as StaticString)
    writer.write(month, digits: 2)
    writer.write("-" as StaticString)
    writer.write(day, digits: 2)
    writer.write("T" as StaticString)
    writer.write(rest / 3_600_000, digits: 2)
    writer.write(":" as StaticString)
    writer.write(rest / 60_000 % 60, digits: 2)
    writer.write(":" as StaticString)
    writer.write(rest / 1000 % 60, digits: 2)
    if rest % 1000 != 0 {
      writer.write("." as StaticString)
      writer.write(rest % 1000, digits: 3)
    }
    writer.write("Z" as StaticString)
  }

  package static func text(_ date: Date) -> String {
    let writer = ByteWriter(descriptor: nil)
    write(date.timeIntervalSinceReferenceDate, to: writer)
    return writer.collected
  }

  /// Parses the form of ``text(_:)``; also without a time, with a space instead of the T, and with
  /// an offset. Nil for another form.
  package static func date(_ text: String) -> Date? {
    let pattern =
      /^(-?\d{4,})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d(?:\.\d+)?))?)?(Z|[+-]\d\d:?\d\d)?$/
    guard let match = text.wholeMatch(of: pattern), let year = Int(match.1),
      let month = Int(match.2), let day = Int(match.3), (1...12).contains(month),
      (1...31).contains(day)
    else { return nil }
    let hours = match.4.flatMap { Int($0) } ?? 0
    let minutes = match.5.flatMap { Int($0) } ?? 0
    let seconds = match.6.flatMap { Double($0) } ?? 0
    guard hours < 24, minutes < 60, seconds < 61 else { return nil }
    let days = daysSince1970(year, month, day)
    // The 31st of February is no date.
    guard civil(days) == (year, month, day), isOffset(match.7) else { return nil }
    let local = Double(days) * 86400 + Double(hours * 3600 + minutes * 60) + seconds
    return Date(timeIntervalSinceReferenceDate: local - offset(match.7) - secondsTo2001)
  }

  /// The largest offset of a time zone is 14 hours; 18 is what programs allow.
  private static func isOffset(_ text: Substring?) -> Bool {
    guard let text, text != "Z" else { return true }
    let digits = text.filter(\.isNumber)
    return abs(offset(text)) <= 18 * 3600 && (Int(digits.suffix(2)) ?? 60) < 60
  }

  private static func offset(_ text: Substring?) -> Double {
    guard let text, text != "Z" else { return 0 }
    let digits = text.filter(\.isNumber)
    let seconds = (Double(digits.prefix(2)) ?? 0) * 3600 + (Double(digits.suffix(2)) ?? 0) * 60
    return text.first == "-" ? -seconds : seconds
  }

  // MARK: - Gregorian calendar, in eras of 400 years that begin in March

  private static func divided(_ value: Int, _ divisor: Int) -> (Int, Int) {
    let rest = (value % divisor + divisor) % divisor
    return ((value - rest) / divisor, rest)
  }

  private static func civil(_ days: Int) -> (Int, Int, Int) {
    let (era, day) = divided(days + 719_468, 146_097)
    let yearOfEra = (day - day / 1460 + day / 36524 - day / 146_096) / 365
    let dayOfYear = day - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1
    )
  }

  private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = divided(year, 400)
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
