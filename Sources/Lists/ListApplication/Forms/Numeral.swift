import Foundation

/// Typed numbers, in the digits of any script.
package enum Numeral {
  /// The text with the digits 0 to 9, a decimal point and a plain minus.
  package static func plain(_ text: String) -> String {
    text.reduce(into: "") { plain, character in
      if let digit = character.wholeNumberValue, isDigit(character) {
        plain += "\(digit)"
      } else {
        plain += signs[character] ?? String(character)
      }
    }
  }

  private static let signs: [Character: String] = ["٫": ".", "−": "-", "﹣": "-", "－": "-"]

  private static func isDigit(_ character: Character) -> Bool {
    character.unicodeScalars.count == 1
      && character.unicodeScalars.first?.properties.numericType == .decimal
  }

  /// The number of a text as a plain one, such as 1.91 for 1,91: a comma is a decimal point, since
  /// no number of a form has thousands. Nil for a text that is no number.
  package static func decimal(_ text: String) -> String? {
    let plain = plain(text).replacingOccurrences(of: ",", with: ".")
    guard plain.wholeMatch(of: /[+-]?[0-9]{1,15}(\.[0-9]{1,15})?/) != nil else { return nil }
    let number = Float(plain).map { "\($0)" }
    // 999999999999999 stays without an exponent, which no reader has typed.
    return number?.contains("e") == true ? plain : number
  }

  /// A plain number as a reader writes it, with at most so many digits of its fraction; nil for a
  /// text that is none.
  package static func words(_ plain: String, in locale: Locale, fraction: Int = 3) -> String? {
    guard let number = Double(plain), number.isFinite else { return nil }
    return number.formatted(.number.precision(.fractionLength(0...fraction)).locale(locale))
  }

  /// A whole number as a reader writes it, such as 2,147,483,647.
  package static func words(_ number: some BinaryInteger, in locale: Locale) -> String {
    Int64(clamping: number).formatted(IntegerFormatStyle(locale: locale))
  }

  /// The integer of a text.
  /// - Parameter locale: the reader's, for the limits in messages.
  /// - Throws: ``Refusal`` if the text is no integer or is out of range.
  package static func whole<Number: FixedWidthInteger>(
    _ text: String, in range: ClosedRange<Number> = .min ... .max, locale: Locale = .current
  ) throws -> Number {
    let plain = plain(text)
    guard plain.wholeMatch(of: /[+-]?[0-9]+/) != nil else {
      throw Refusal("“\(text)” is no whole number.")
    }
    let number = Number(plain)
    // What is no number of the type lies beyond it, on the side of its sign.
    let isTooSmall = number.map { $0 < range.lowerBound } ?? plain.hasPrefix("-")
    guard let number, range.contains(number) else {
      throw Refusal(
        isTooSmall
          ? "“\(text)” is too small: at least \(words(range.lowerBound, in: locale))."
          : "“\(text)” is too large: at most \(words(range.upperBound, in: locale)).")
    }
    return number
  }
}
