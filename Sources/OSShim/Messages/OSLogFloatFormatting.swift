import Foundation

/// How a number with a fraction is shown: by one of printf's conversions.
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

  public static var fixed: OSLogFloatFormatting { .fixed() }
  public static func fixed(
    explicitPositiveSign: Bool = false, uppercase: Bool = false
  ) -> OSLogFloatFormatting { .init("f", explicitPositiveSign, uppercase) }
  public static func fixed(
    precision: @autoclosure @escaping () -> Int, explicitPositiveSign: Bool = false,
    uppercase: Bool = false
  ) -> OSLogFloatFormatting { .init("f", explicitPositiveSign, uppercase, precision) }

  public static var hex: OSLogFloatFormatting { .hex() }
  public static func hex(
    explicitPositiveSign: Bool = false, uppercase: Bool = false
  ) -> OSLogFloatFormatting { .init("a", explicitPositiveSign, uppercase) }

  public static var exponential: OSLogFloatFormatting { .exponential() }
  public static func exponential(
    explicitPositiveSign: Bool = false, uppercase: Bool = false
  ) -> OSLogFloatFormatting { .init("e", explicitPositiveSign, uppercase) }
  public static func exponential(
    precision: @autoclosure @escaping () -> Int, explicitPositiveSign: Bool = false,
    uppercase: Bool = false
  ) -> OSLogFloatFormatting { .init("e", explicitPositiveSign, uppercase, precision) }

  public static var hybrid: OSLogFloatFormatting { .hybrid() }
  public static func hybrid(
    explicitPositiveSign: Bool = false, uppercase: Bool = false
  ) -> OSLogFloatFormatting { .init("g", explicitPositiveSign, uppercase) }
  public static func hybrid(
    precision: @autoclosure @escaping () -> Int, explicitPositiveSign: Bool = false,
    uppercase: Bool = false
  ) -> OSLogFloatFormatting { .init("g", explicitPositiveSign, uppercase, precision) }

  func text(_ value: Double) -> String {
    let precision = precision.map { ".\(max(0, $0()))" } ?? ""
    return String(format: "%\(hasPlus ? "+" : "")\(precision)\(conversion)", value)
  }
}
