import Foundation

extension Decimal {
  /// As an engine reads its digits. Foundation multiplies by powers of ten, and is beside it by a digit at times: 12345.105
  /// would not be 12345.105.
  var nearestDouble: Double {
    isNaN ? .nan : Double(description) ?? NSDecimalNumber(decimal: self).doubleValue
  }
}
