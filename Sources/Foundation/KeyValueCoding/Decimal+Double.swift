import Foundation

extension Decimal {
  /// The double nearest to the decimal's digits, as an SQL engine reads them. Foundation's
  /// `doubleValue` multiplies by powers of ten and is sometimes off in the last digit: 12345.105
  /// would not be 12345.105.
  var nearestDouble: Double {
    isNaN ? .nan : Double(description) ?? NSDecimalNumber(decimal: self).doubleValue
  }
}
