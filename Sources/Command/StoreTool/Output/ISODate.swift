import Foundation

/// Dates as texts: `2026-11-23T01:30:00Z`, with milliseconds if they are not zero. Covers all years
/// that Core Data can store.
package enum ISODate {
  private static let secondsTo2001 = 978_307_200.0

  /// Writes a date given in seconds since 2001.
  package static func write(_ seconds: Double, to writer: ByteWriter) {
    guard seconds.isFinite, abs(seconds) < 1e14 else { return writer.write("\(seconds)") }
    let thousandths = Int(((seconds + secondsTo2001) * 1000).rounded())
    let (days, rest) = divided(thousandths, divisor: 86_400_000)
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
    var scanner = DateScanner(text)
    guard let (year, month, day) = scanner.day(), (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    let days = daysSince1970(year, month: month, day: day)
    // The 31st of February is no date.
    guard civil(days) == (year, month, day) else { return nil }
    guard let seconds = scanner.time(), let offset = scanner.offset(), scanner.isAtEnd else {
      return nil
    }
    let local = Double(days) * 86400 + seconds
    return Date(timeIntervalSinceReferenceDate: local - offset - secondsTo2001)
  }

  // MARK: - Gregorian calendar, in eras of 400 years that begin in March

  private static func divided(_ value: Int, divisor: Int) -> (Int, Int) {
    let rest = (value % divisor + divisor) % divisor
    return ((value - rest) / divisor, rest)
  }

  private static func civil(_ days: Int) -> (Int, Int, Int) {
    let (era, day) = divided(days + 719_468, divisor: 146_097)
    let yearOfEra = (day - day / 1460 + day / 36524 - day / 146_096) / 365
    let dayOfYear = day - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1
    )
  }

  private static func daysSince1970(_ year: Int, month: Int, day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = divided(year, divisor: 400)
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

/// Reads the parts of a date's text from its beginning to its end.
private struct DateScanner {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = Substring(text).utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  private mutating func skip(_ characters: String) -> Bool {
    guard let first = rest.first, characters.utf8.contains(first) else { return false }
    rest.removeFirst()
    return true
  }

  /// The digits at this place; nil if there are fewer or more than asked for.
  private mutating func digits(_ count: ClosedRange<Int>) -> Substring? {
    let found = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard count.contains(found.count) else { return nil }
    rest = rest.dropFirst(found.count)
    return Substring(found)
  }

  private mutating func number(below limit: Int) -> Int? {
    guard let found = digits(2...2).flatMap({ Int($0) }), found < limit else { return nil }
    return found
  }

  /// The year of four digits or more, the month and the day of two.
  mutating func day() -> (Int, Int, Int)? {
    let isNegative = skip("-")
    guard let year = digits(4...12).flatMap({ Int($0) }), skip("-"), let month = number(below: 100),
      skip("-"), let day = number(below: 100)
    else { return nil }
    return (isNegative ? -year : year, month, day)
  }

  /// The seconds of the time of day, which is midnight if the text has none.
  mutating func time() -> Double? {
    guard skip("T ") else { return 0 }
    guard let hours = number(below: 24), skip(":"), let minutes = number(below: 60) else {
      return nil
    }
    let inMinutes = Double(hours * 3600 + minutes * 60)
    guard skip(":") else { return inMinutes }
    guard let whole = digits(2...2) else { return nil }
    guard skip(".") else { return Double(whole).flatMap { $0 < 61 ? inMinutes + $0 : nil } }
    guard let part = digits(1...400), let seconds = Double("\(whole).\(part)"), seconds < 61 else {
      return nil
    }
    return inMinutes + seconds
  }

  /// The seconds that a zone is ahead of UTC, which it is without a zone. The largest offset of a
  /// time zone is 14 hours; 18 is what programs allow.
  mutating func offset() -> Double? {
    if isAtEnd || skip("Z") { return 0 }
    let isBehind = rest.first == UInt8(ascii: "-")
    guard skip("+-") else { return nil }
    let all = digits(4...4)
    let found =
      all.flatMap { Int($0) }
      ?? {
        guard let hours = number(below: 100), skip(":"), let minutes = number(below: 60) else {
          return nil
        }
        return hours * 100 + minutes
      }()
    guard let found, found % 100 < 60 else { return nil }
    let seconds = found / 100 * 3600 + found % 100 * 60
    guard seconds <= 18 * 3600 else { return nil }
    return Double(isBehind ? -seconds : seconds)
  }
}
