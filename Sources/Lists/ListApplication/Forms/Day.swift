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

  /// The day of a text that says when somebody was born: from 1583, the first whole year of the
  /// calendar, until today.
  /// - Throws: ``Refusal``
  package static func birthday(_ text: String) throws -> Date {
    guard let day = date(text) else { throw Refusal("“\(text)” is no day such as 1984-05-27.") }
    guard let first = date("1583-01-01"), (first...max(first, today)).contains(day) else {
      throw Refusal("“\(text)” is no birthday: it is before 1583, or yet to come.")
    }
    return day
  }

  package static func text(_ date: Date) -> String { date.formatted(style) }

  /// The day as a reader writes it, such as May 27, 1984.
  package static func words(_ date: Date, in locale: Locale) -> String {
    // The calendar of the page's date picker.
    let calendar = Calendar(identifier: .gregorian)
    let words = date.formatted(
      Date.FormatStyle(
        date: .long, time: .omitted, locale: locale, calendar: calendar, timeZone: .gmt))
    // Isolated, so that figures beside it in the same line stay outside.
    let isLeftToRight = locale.language.characterDirection == .leftToRight
    return isLeftToRight ? words : "\u{2068}\(words)\u{2069}"
  }

  /// The present day where the user is.
  package static var today: Date {
    let parts = Calendar(identifier: .gregorian).dateComponents([.year, .month, .day], from: .now)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar.date(from: parts) ?? .now
  }
}
