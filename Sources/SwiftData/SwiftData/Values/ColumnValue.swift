import CoreData
import Foundation

/// A type whose values fit into a single column.
protocol ColumnValue: Codable, Hashable, Sendable {
  static var attributeType: NSAttributeDescription.AttributeType { get }
  /// The substitute for a value that the store does not supply.
  static var zero: Self { get }
  init?(stored: Value)
  var stored: Value { get }
}

extension ColumnValue {
  /// The value in the form that Core Data's dictionaries hold.
  var boxed: Any { stored.boxed(Self.attributeType.rawValue) as Any }

  static func unboxed(_ value: Any) -> Any? {
    let stored = try? Value(value, type: attributeType.rawValue, name: "")
    return stored.flatMap { Self(stored: $0) }
  }
}

// MARK: - Numbers

protocol IntegerColumnValue: ColumnValue, FixedWidthInteger {}

extension IntegerColumnValue {
  static var zero: Self { 0 }

  /// Truncates numbers that are too large for the type, which only another program could have
  /// stored.
  init?(stored: Value) {
    switch stored {
    case .integer(let value): self.init(truncatingIfNeeded: value)
    case .real(let value): self.init(exactly: value.rounded(.towardZero))
    default: return nil
    }
  }

  /// Unsigned 64-bit numbers are stored as the signed number with equal bits.
  var stored: Value { .integer(Int64(truncatingIfNeeded: self)) }
}

extension Int: IntegerColumnValue {
  static var attributeType: NSAttributeDescription.AttributeType { .integer64 }
}
extension Int64: IntegerColumnValue {
  static var attributeType: NSAttributeDescription.AttributeType { .integer64 }
}
extension Int32: IntegerColumnValue {
  static var attributeType: NSAttributeDescription.AttributeType { .integer32 }
}
extension Int16: IntegerColumnValue {
  static var attributeType: NSAttributeDescription.AttributeType { .integer16 }
}
extension Int8: IntegerColumnValue {
  static var attributeType: NSAttributeDescription.AttributeType { .integer16 }
}
extension UInt: IntegerColumnValue {
  static var attributeType: NSAttributeDescription.AttributeType { .integer64 }
}
extension UInt64: IntegerColumnValue {
  static var attributeType: NSAttributeDescription.AttributeType { .integer64 }
}
extension UInt32: IntegerColumnValue {
  static var attributeType: NSAttributeDescription.AttributeType { .integer64 }
}
extension UInt16: IntegerColumnValue {
  static var attributeType: NSAttributeDescription.AttributeType { .integer32 }
}
extension UInt8: IntegerColumnValue {
  static var attributeType: NSAttributeDescription.AttributeType { .integer16 }
}

extension Bool: ColumnValue {
  static var attributeType: NSAttributeDescription.AttributeType { .boolean }
  static var zero: Bool { false }
  init?(stored: Value) {
    guard case .integer(let value) = stored else { return nil }
    self = value != 0
  }
  var stored: Value { .integer(self ? 1 : 0) }
}

extension Double: ColumnValue {
  static var attributeType: NSAttributeDescription.AttributeType { .double }
  init?(stored: Value) {
    switch stored {
    case .real(let value): self = value
    case .integer(let value): self = Double(value)
    default: return nil
    }
  }
  var stored: Value { .real(self) }
}

extension Float: ColumnValue {
  static var attributeType: NSAttributeDescription.AttributeType { .float }
  init?(stored: Value) {
    guard let value = Double(stored: stored) else { return nil }
    self = Float(value)
  }
  var stored: Value { .real(Double(self)) }
}

extension Decimal: ColumnValue {
  static var attributeType: NSAttributeDescription.AttributeType { .decimal }
  init?(stored: Value) {
    guard case .object(let object) = stored, let number = object as? NSDecimalNumber else {
      return nil
    }
    self = number.decimalValue
  }
  var stored: Value { .object(NSDecimalNumber(decimal: self)) }
}

// MARK: - The others

extension String: ColumnValue {
  static var attributeType: NSAttributeDescription.AttributeType { .string }
  static var zero: String { "" }
  init?(stored: Value) {
    guard case .text(let value) = stored else { return nil }
    self = value
  }
  var stored: Value { .text(self) }
}

extension Date: ColumnValue {
  static var attributeType: NSAttributeDescription.AttributeType { .date }
  static var zero: Date { Date(timeIntervalSinceReferenceDate: 0) }
  init?(stored: Value) {
    guard let value = Double(stored: stored) else { return nil }
    self.init(timeIntervalSinceReferenceDate: value)
  }
  var stored: Value { .real(timeIntervalSinceReferenceDate) }
}

extension Data: ColumnValue {
  static var attributeType: NSAttributeDescription.AttributeType { .binaryData }
  static var zero: Data { Data() }
  init?(stored: Value) {
    guard let data = stored.boxed(Self.attributeType.rawValue) as? Data else { return nil }
    self = data
  }
  var stored: Value { .data(self) }
}

extension UUID: ColumnValue {
  static var attributeType: NSAttributeDescription.AttributeType { .uuid }
  static var zero: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
  init?(stored: Value) {
    guard case .object(let object) = stored, let uuid = object as? NSUUID else { return nil }
    self = uuid as UUID
  }
  var stored: Value { .object(self as NSUUID) }
}

extension URL: ColumnValue {
  static var attributeType: NSAttributeDescription.AttributeType { .uri }
  static var zero: URL { URL(fileURLWithPath: "/") }
  init?(stored: Value) {
    guard case .object(let object) = stored, let url = object as? NSURL else { return nil }
    self = url as URL
  }
  var stored: Value { .object(self as NSURL) }
}
