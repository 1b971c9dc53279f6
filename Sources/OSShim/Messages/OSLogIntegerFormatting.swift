/// How a whole number is shown.
///
/// Source: developer.apple.com/documentation/os/oslogintegerformatting
public struct OSLogIntegerFormatting {
  let radix: Int
  var hasPlus = false
  var hasPrefix = false
  var isUppercase = false
  var minimumDigits: () -> Int = { 0 }

  public static var decimal: OSLogIntegerFormatting { .init(radix: 10) }

  public static func decimal(explicitPositiveSign: Bool = false) -> OSLogIntegerFormatting {
    .init(radix: 10, hasPlus: explicitPositiveSign)
  }

  public static func decimal(
    explicitPositiveSign: Bool = false, minDigits: @autoclosure @escaping () -> Int
  ) -> OSLogIntegerFormatting {
    .init(radix: 10, hasPlus: explicitPositiveSign, minimumDigits: minDigits)
  }

  public static var hex: OSLogIntegerFormatting { .init(radix: 16) }

  public static func hex(
    explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false
  ) -> OSLogIntegerFormatting {
    .init(
      radix: 16, hasPlus: explicitPositiveSign, hasPrefix: includePrefix, isUppercase: uppercase)
  }

  public static func hex(
    explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false,
    minDigits: @autoclosure @escaping () -> Int
  ) -> OSLogIntegerFormatting {
    .init(
      radix: 16, hasPlus: explicitPositiveSign, hasPrefix: includePrefix, isUppercase: uppercase,
      minimumDigits: minDigits)
  }

  public static var octal: OSLogIntegerFormatting { .init(radix: 8) }

  public static func octal(
    explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false
  ) -> OSLogIntegerFormatting {
    .init(
      radix: 8, hasPlus: explicitPositiveSign, hasPrefix: includePrefix, isUppercase: uppercase)
  }

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
