import Foundation

/// Days, in Greenwich time in every time zone: as texts such as 1984-05-27, and in the words of a
/// reader's language.
package enum Day {
  private static let style = Date.ISO8601FormatStyle().year().month().day()

  /// The day of a text; nil for an invalid one, such as the 31st of February.
  package static func date(_ typed: String) -> Date? {
    let text = Numeral.plain(typed)
    // The parser accepts days beyond a month's end as days of the next month, hence the comparison.
    // Callers report a nil result.
    guard let date = try? Date(text, strategy: style), date.formatted(style) == text else {
      return nil
    }
    return date
  }

  package static func text(_ date: Date) -> String { date.formatted(style) }

  /// The day as a reader writes it, such as May 27, 1984.
  package static func words(_ date: Date, in locale: Locale) -> String {
    // The calendar of the page's date picker.
    let calendar = Calendar(identifier: .gregorian)
    return date.formatted(
      Date.FormatStyle(
        date: .long, time: .omitted, locale: locale, calendar: calendar, timeZone: .gmt))
  }

  /// The present day where the user is.
  static var today: Date {
    let parts = Calendar(identifier: .gregorian).dateComponents([.year, .month, .day], from: .now)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar.date(from: parts) ?? .now
  }
}
