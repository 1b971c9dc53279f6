/// A change of an attribute's type for which a mapping can be inferred.
///
///     Integer 16, 32, 64, Boolean, Float, Double, Decimal  each to each, as NSNumber converts
///     URI                                                  to String: its column has the text
package struct TypeChange {
  package let old: NSAttributeType
  package let new: NSAttributeType

  /// Returns nil for equal types, and if no mapping can be inferred.
  init?(from old: NSAttributeType, to new: NSAttributeType) {
    let isOfText = old == .URIAttributeType && new == .stringAttributeType
    guard old != new, isOfText || Self.numeric.contains(old) && Self.numeric.contains(new) else {
      return nil
    }
    (self.old, self.new) = (old, new)
  }

  init?(from old: EntityLayout.Slot, to new: EntityLayout.Slot) {
    guard let old = old.property as? NSAttributeDescription,
      let new = new.property as? NSAttributeDescription
    else { return nil }
    self.init(from: old.attributeType, to: new.attributeType)
  }

  private static let integers: Set<NSAttributeType> = [
    .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
  ]
  private static let numeric = integers.union([
    .booleanAttributeType, .floatAttributeType, .doubleAttributeType, .decimalAttributeType,
  ])

  package var keepsText: Bool { new == .stringAttributeType }
  package var isToInteger: Bool { Self.integers.contains(new) }
  package var isBetweenIntegers: Bool { Self.integers.contains(old) && isToInteger }
  var isFromBooleanToInteger: Bool { old == .booleanAttributeType && isToInteger }

  // MARK: - Range checks

  /// The SQL condition for numbers that the new type cannot hold; nil if it can hold all.
  func misfits(_ column: String) -> SQLFragment? {
    if old == .booleanAttributeType { return nil }
    switch new {
    case .integer16AttributeType: return outside(-32_769, high: 32_768, column: column)
    case .integer32AttributeType:
      return outside(-2_147_483_649, high: 2_147_483_648, column: column)
    case .integer64AttributeType where !Self.integers.contains(old):
      // The bound is the first power of two beyond the range: no double lies between them.
      return "(\(raw: column) < -9223372036854775808.0 OR \(raw: column) >= 9223372036854775808.0)"
    case .floatAttributeType where old == .doubleAttributeType || old == .decimalAttributeType:
      return "abs(\(raw: column)) BETWEEN 3.4028235677973366e38 AND 1.7976931348623157e308"
    case .decimalAttributeType where old == .doubleAttributeType || old == .floatAttributeType:
      return "abs(\(raw: column)) >= 1e127"
    default: return nil
    }
  }

  /// The condition for numbers outside a range.
  ///
  /// - Parameters:
  ///   - low, high: the nearest integers that do not fit; fractions are truncated before the test.
  ///     They are constants, since a server adds 1 to a 32-bit number in 32 bits.
  private func outside(_ low: Int64, high: Int64, column: String) -> SQLFragment? {
    "(\(raw: column) <= \(raw: "\(low)") OR \(raw: column) >= \(raw: "\(high)"))"
  }

  /// Converts a value of the old type; nil if the new type cannot hold it.
  func converted(_ value: Any) -> Any? {
    if new == .stringAttributeType { return (value as? URL)?.absoluteString }
    guard let number = value as? NSNumber else { return nil }
    switch new {
    case .booleanAttributeType: return NSNumber(value: number.doubleValue != 0)
    case .integer16AttributeType: return integer(number, type: Int16.self)
    case .integer32AttributeType: return integer(number, type: Int32.self)
    case .integer64AttributeType: return integer(number, type: Int64.self)
    case .floatAttributeType:
      let value = Self.integers.contains(old) ? Float(number.int64Value) : number.floatValue
      return value.isInfinite && number.doubleValue.isFinite ? nil : NSNumber(value: value)
    case .doubleAttributeType: return NSNumber(value: number.doubleValue)
    case .decimalAttributeType:
      if old != .doubleAttributeType && old != .floatAttributeType {
        return NSDecimalNumber(decimal: Decimal(number.int64Value))
      }
      return abs(number.doubleValue) < 1e127
        ? NSDecimalNumber(decimal: Decimal(number.doubleValue)) : nil
    default: return nil
    }
  }

  private func integer<Number: FixedWidthInteger>(
    _ number: NSNumber, type: Number.Type
  ) -> NSNumber? {
    let isExact = Self.integers.contains(old) || old == .booleanAttributeType
    let whole =
      isExact
      ? Number(exactly: number.int64Value)
      : Number(exactly: number.doubleValue.rounded(.towardZero))
    return whole.map { NSNumber(value: Int64($0)) }
  }
}
