import Foundation

/// A day as it is typed, such as 1984-05-27; those of Greenwich, wherever they are read.
package enum Day {
  private static let style = Date.ISO8601FormatStyle().year().month().day()

  /// The day of a text; nil for what is none, as the 31st of February.
  package static func date(_ typed: String) -> Date? {
    let text = Numeral.plain(typed)
    // The parser takes days beyond a month's end for days of the next one. A text that is no day has
    // no date; who asks says so.
    guard let date = try? Date(text, strategy: style), date.formatted(style) == text else {
      return nil
    }
    return date
  }

  package static func text(_ date: Date) -> String { date.formatted(style) }
}
