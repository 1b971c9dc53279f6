import Foundation

/// Days as they are typed, such as 1984-05-27, in Greenwich time in every time zone.
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
}
