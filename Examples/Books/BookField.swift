import CoreData

/// What a person can say about a book.
enum BookField: String, CaseIterable {
  case title, author, copyright

  /// The name of the property.
  var key: String { rawValue }
  var label: String { rawValue.capitalized }
}

extension Book {
  func text(of field: BookField) -> String? { Self.text(value(forKey: field.key)) }

  /// A value of a field as it is read.
  static func text(_ value: Any?) -> String? {
    (value as? Date)?.formatted(day) ?? value as? String
  }

  /// Days are those of Greenwich, wherever they are read.
  private static let day = Date.FormatStyle(
    date: .long, time: .omitted, locale: Locale(identifier: "en_US"), timeZone: .gmt)

  /// What was typed, as a property takes it: blanks around it go, and only blanks are nothing.
  static func value(of text: String?) -> String? {
    let trimmed = text?.trimmingCharacters(in: .whitespacesAndNewlines)
    return trimmed == "" ? nil : trimmed
  }
}
