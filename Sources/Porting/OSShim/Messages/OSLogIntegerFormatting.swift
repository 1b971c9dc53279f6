/// The format of an integer.
///
/// Source: developer.apple.com/documentation/os/oslogintegerformatting
public struct OSLogIntegerFormatting {
  let radix: Int
  var hasPlus = false
  var hasPrefix = false
  var isUppercase = false
  var minimumDigits: () -> Int = { 0 }

  /// Decimal notation.
  public static var decimal: OSLogIntegerFormatting { .init(radix: 10) }

  /// Decimal notation.
  public static func decimal(explicitPositiveSign: Bool = false) -> OSLogIntegerFormatting {
    .init(radix: 10, hasPlus: explicitPositiveSign)
  }

  /// Decimal notation, padded with zeros to a number of digits.
  public static func decimal(
    explicitPositiveSign: Bool = false, minDigits: @autoclosure @escaping () -> Int
  ) -> OSLogIntegerFormatting {
    .init(radix: 10, hasPlus: explicitPositiveSign, minimumDigits: minDigits)
  }

  /// Hexadecimal notation.
  public static var hex: OSLogIntegerFormatting { .init(radix: 16) }

  /// Hexadecimal notation; the prefix is `0x`.
  public static func hex(
    explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false
  ) -> OSLogIntegerFormatting {
    .init(
      radix: 16, hasPlus: explicitPositiveSign, hasPrefix: includePrefix, isUppercase: uppercase)
  }

  /// Hexadecimal notation, padded with zeros to a number of digits; the prefix is `0x`.
  public static func hex(
    explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false,
    minDigits: @autoclosure @escaping () -> Int
  ) -> OSLogIntegerFormatting {
    .init(
      radix: 16, hasPlus: explicitPositiveSign, hasPrefix: includePrefix, isUppercase: uppercase,
      minimumDigits: minDigits)
  }

  /// Octal notation.
  public static var octal: OSLogIntegerFormatting { .init(radix: 8) }

  /// Octal notation; the prefix is `0o`.
  public static func octal(
    explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false
  ) -> OSLogIntegerFormatting {
    .init(
      radix: 8, hasPlus: explicitPositiveSign, hasPrefix: includePrefix, isUppercase: uppercase)
  }

  /// Octal notation, padded with zeros to a number of digits; the prefix is `0o`.
  public static func octal(
    explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false,
    minDigits: @autoclosure @escaping () -> Int
  ) -> OSLogIntegerFormatting {
    .init(
      radix: 8, hasPlus: explicitPositiveSign, hasPrefix: includePrefix, isUppercase: uppercase,
      minimumDigits: minDigits)
  }

  func text(_ value: some BinaryInteger) -> String {
    let digits = String(value.magnitude, radix: radix, uppercase: isUppercase)
    let zeros = String(repeating: "0", count: max(0, minimumDigits() - digits.count))
    let prefix =
      !hasPrefix ? "" : radix == 16 ? (isUppercase ? "0X" : "0x") : radix == 8 ? "0o" : ""
    let sign = value < 0 ? "-" : hasPlus ? "+" : ""
    return sign + prefix + zeros + digits
  }
}
