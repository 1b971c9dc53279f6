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

  /// The integer of a text.
  /// - Throws: ``Refusal`` if the text is no integer or is out of range.
  package static func whole<Number: FixedWidthInteger>(
    _ text: String, in range: ClosedRange<Number> = .min ... .max
  ) throws -> Number {
    let plain = plain(text)
    guard plain.wholeMatch(of: /[+-]?[0-9]+/) != nil else {
      throw Refusal("“\(text)” is no whole number.")
    }
    guard let number = Number(plain), range.contains(number) else {
      throw Refusal(
        plain.hasPrefix("-")
          ? "“\(text)” is too small: at least \(range.lowerBound)."
          : "“\(text)” is too large: at most \(range.upperBound).")
    }
    return number
  }
}
