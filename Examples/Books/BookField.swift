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

  /// Sets a field to what a form says: a text, or a day such as 1984-05-27.
  func set(_ field: BookField, to text: String) {
    setValue(field == .copyright ? Day.date(text) : Self.value(of: text), forKey: field.key)
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

extension BookField {
  /// The field of a form for a new book, whose copyright is of today unless another day is chosen.
  var formField: FormField {
    guard self == .copyright else { return FormField(key, label: label) }
    return FormField(key, label: label, text: Day.text(Day.today), kind: .day(isRequired: true))
  }
}
