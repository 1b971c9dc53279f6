import CoreData

/// The editable fields of a book.
enum BookField: String, CaseIterable {
  case title, author, copyright

  /// The name of the property.
  var key: String { rawValue }
  var label: String { rawValue.capitalized }
}

extension Book {
  func text(of field: BookField) -> String? { Self.text(value(forKey: field.key)) }

  /// The text that shows a value of a field.
  static func text(_ value: Any?) -> String? {
    (value as? Date)?.formatted(day) ?? value as? String
  }

  /// Formats days in Greenwich time, in every time zone.
  private static let day = Date.FormatStyle(
    date: .long, time: .omitted, locale: Locale(identifier: "en_US"), timeZone: .gmt)

  /// The value of a typed text: without blanks around it; nil if nothing is left.
  static func value(of text: String?) -> String? {
    let trimmed = text?.trimmingCharacters(in: .whitespacesAndNewlines)
    return trimmed == "" ? nil : trimmed
  }
}
