import CoreData
import ListApplication

/// The editable fields of a book.
enum BookField: String, CaseIterable {
  case title, author, copyright

  /// The name of the property.
  var key: String { rawValue }
  var label: String { rawValue.capitalized }
}

extension Book {
  /// The text that shows a field, in the language of a reader or, to compare it, in the program's.
  func text(of field: BookField, in locale: Locale = .current) -> String? {
    Self.text(value(forKey: field.key), in: locale)
  }

  /// The text that shows a value of a field.
  static func text(_ value: Any?, in locale: Locale = .current) -> String? {
    (value as? Date).map { Day.words($0, in: locale) } ?? value as? String
  }

  /// The value of a typed text: without blanks around it; nil if nothing is left.
  static func value(of text: String?) -> String? {
    let trimmed = text?.trimmingCharacters(in: .whitespacesAndNewlines)
    return trimmed == "" ? nil : trimmed
  }
}
