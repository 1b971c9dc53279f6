import Foundation

/// A value that a form asks for, as a text that is equal for equal values in every language: a day
/// is 1984-05-27, a number 1.91.
package struct FormField {
  package enum Kind {
    case text
    /// A whole number, with the digits of any script.
    case whole
    /// A number with a unit, such as `m`, whose name is spoken: `metres`.
    case decimal(unit: String, spoken: String)
    /// A day. One that is not required can be left out, as an empty text.
    case day(isRequired: Bool)
    /// One of several values.
    case choice([(value: String, title: String)])
  }

  /// The name of the attribute.
  let key: String
  let label: String
  let text: String
  let kind: Kind

  package init(_ key: String, label: String, text: String = "", kind: Kind = .text) {
    self.key = key
    self.label = label
    self.text = text
    self.kind = kind
  }

  /// What a text of the store is compared as.
  func compared(_ text: String) -> String {
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    if case .decimal = kind { return Numeral.decimal(trimmed) ?? trimmed }
    return trimmed
  }

  /// The text as the reader writes it.
  func shown(_ text: String, in locale: Locale) -> String {
    switch kind {
    case .text, .whole: text
    case .decimal(let unit, _): Numeral.words(text, in: locale).map { "\($0) \(unit)" } ?? text
    case .day: Day.date(text).map { Day.words($0, in: locale) } ?? "none"
    case .choice(let choices): choices.first { $0.value == text }?.title ?? text
    }
  }
}
