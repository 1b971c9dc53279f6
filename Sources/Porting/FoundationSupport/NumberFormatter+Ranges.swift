import Foundation

extension NumberFormatter {
  /// Reads the number at the beginning of a range of a text.
  ///
  /// - Parameters:
  ///   - obj: receives the number; a decimal one if the formatter makes such.
  ///   - rangep: the range to read in; receives what was read. Without one, all is read.
  /// - Throws: `CocoaError.formatting` if no number is there.
  ///
  /// Source: Foundation's `NumberFormatter.getObjectValue(_:for:range:)`, Apple's documentation.
  public func getObjectValue(
    _ obj: UnsafeMutablePointer<AnyObject?>?, for string: String,
    range rangep: UnsafeMutablePointer<NSRange>?
  ) throws {
    let text = NSString(string: string)
    let range = rangep?.pointee ?? NSRange(location: 0, length: text.length)
    let part = text.substring(with: range)
    guard let (plain, length) = beginning(of: part), let number = number(plain, part, length)
    else {
      throw CocoaError(
        .formatting, userInfo: [NSLocalizedDescriptionKey: "The text does not begin with a number"])
    }
    rangep?.pointee = NSRange(location: range.location, length: length)
    obj?.pointee = number
  }

  private func number(_ plain: String, _ part: String, _ length: Int) -> NSNumber? {
    if generatesDecimalNumbers {
      return Decimal(string: plain, locale: Locale(identifier: "en_US_POSIX"))
        .map { NSDecimalNumber(decimal: $0) }
    }
    return number(from: NSString(string: part).substring(to: length))
  }

  /// The number at the beginning of a text, with `-` and `.` as signs, and its length in UTF-16.
  private func beginning(of text: String) -> (plain: String, length: Int)? {
    let grouping = usesGroupingSeparator ? groupingSeparator ?? "" : ""
    let decimal = decimalSeparator ?? "."
    var rest = Substring(text)
    var (plain, end, hasDigits, isFraction) = ("", rest.startIndex, false, false)
    for sign in [minusSign ?? "-", "-"] where plain.isEmpty && rest.hasPrefix(sign) {
      plain = "-"
      rest = rest.dropFirst(sign.count)
    }
    while let character = rest.first {
      if let digit = character.wholeNumberValue, digit < 10, character.isNumber {
        plain += String(digit)
        hasDigits = true
        rest = rest.dropFirst()
        end = rest.startIndex
      } else if !isFraction, allowsFloats, rest.hasPrefix(decimal) {
        plain += "."
        isFraction = true
        rest = rest.dropFirst(decimal.count)
        if hasDigits { end = rest.startIndex }
      } else if !isFraction, hasDigits, !grouping.isEmpty, rest.hasPrefix(grouping) {
        rest = rest.dropFirst(grouping.count)
      } else {
        break
      }
    }
    return hasDigits ? (plain, text.utf16.distance(from: text.startIndex, to: end)) : nil
  }
}
