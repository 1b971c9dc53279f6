import Foundation

/// The format of a floating-point number: a printf conversion.
///
/// Source: developer.apple.com/documentation/os/oslogfloatformatting
public struct OSLogFloatFormatting {
  private let conversion: String
  private let precision: (() -> Int)?
  private let hasPlus: Bool

  private init(
    _ conversion: String, _ hasPlus: Bool, _ uppercase: Bool, _ precision: (() -> Int)? = nil
  ) {
    self.conversion = uppercase ? conversion.uppercased() : conversion
    self.hasPlus = hasPlus
    self.precision = precision
  }

  /// Decimal notation, `%f`.
  public static var fixed: OSLogFloatFormatting { .fixed() }
  /// Decimal notation, `%f`.
  public static func fixed(
    explicitPositiveSign: Bool = false, uppercase: Bool = false
  ) -> OSLogFloatFormatting { .init("f", explicitPositiveSign, uppercase) }
  /// Decimal notation with a number of decimal places, `%.nf`.
  public static func fixed(
    precision: @autoclosure @escaping () -> Int, explicitPositiveSign: Bool = false,
    uppercase: Bool = false
  ) -> OSLogFloatFormatting { .init("f", explicitPositiveSign, uppercase, precision) }

  /// Hexadecimal notation, `%a`.
  public static var hex: OSLogFloatFormatting { .hex() }
  /// Hexadecimal notation, `%a`.
  public static func hex(
    explicitPositiveSign: Bool = false, uppercase: Bool = false
  ) -> OSLogFloatFormatting { .init("a", explicitPositiveSign, uppercase) }

  /// Exponential notation, `%e`.
  public static var exponential: OSLogFloatFormatting { .exponential() }
  /// Exponential notation, `%e`.
  public static func exponential(
    explicitPositiveSign: Bool = false, uppercase: Bool = false
  ) -> OSLogFloatFormatting { .init("e", explicitPositiveSign, uppercase) }
  /// Exponential notation with a number of decimal places, `%.ne`.
  public static func exponential(
    precision: @autoclosure @escaping () -> Int, explicitPositiveSign: Bool = false,
    uppercase: Bool = false
  ) -> OSLogFloatFormatting { .init("e", explicitPositiveSign, uppercase, precision) }

  /// Decimal or exponential notation, whichever is shorter, `%g`.
  public static var hybrid: OSLogFloatFormatting { .hybrid() }
  /// Decimal or exponential notation, whichever is shorter, `%g`.
  public static func hybrid(
    explicitPositiveSign: Bool = false, uppercase: Bool = false
  ) -> OSLogFloatFormatting { .init("g", explicitPositiveSign, uppercase) }
  /// Decimal or exponential notation, whichever is shorter, with a number of significant digits,
  /// `%.ng`.
  public static func hybrid(
    precision: @autoclosure @escaping () -> Int, explicitPositiveSign: Bool = false,
    uppercase: Bool = false
  ) -> OSLogFloatFormatting { .init("g", explicitPositiveSign, uppercase, precision) }

  func text(_ value: Double) -> String {
    let precision = precision.map { ".\(max(0, $0()))" } ?? ""
    return String(format: "%\(hasPlus ? "+" : "")\(precision)\(conversion)", value)
  }
}
