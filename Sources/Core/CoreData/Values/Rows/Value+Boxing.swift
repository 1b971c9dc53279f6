/// The error for a value that a property cannot hold.
struct UnacceptableValue: Error {
  let name: String
  let expected: String
  let given: Any.Type

  var text: String {
    "Unacceptable type of value for attribute: property = \"\(name)\"; "
      + "desired type = \(expected); given type = \(given)."
  }
}

extension Value {
  /// The stored form of a value that a client sets, by the attribute's type.
  ///
  /// - Throws: ``UnacceptableValue`` if the type cannot hold it.
  package init(_ any: Any?, type: NSAttributeType, name: String) throws {
    if let any, let plain = Self.plain(any, type: type) {
      self = plain
      return
    }
    guard let any = any.flatMap(Self.unwrapped), !(any is NSNull) else {
      self = .null
      return
    }
    self =
      try Self.stored(any, type: type) ?? Self.rawValue(of: any).flatMap {
        try Self.stored($0, type: type)
      }
      ?? {
        throw UnacceptableValue(
          name: name, expected: type.valueTypeName, given: Swift.type(of: any))
      }()
  }

  /// The stored form of values of the most frequent types; nil for all other types.
  @inline(__always)
  static func plain(_ any: Any, type: NSAttributeType) -> Value? {
    BoxedValue.look(into: any) { plain($0, type: type) }
  }

  @inline(__always)
  static func plain(_ box: BoxedValue, type: NSAttributeType) -> Value? {
    switch type {
    case .integer64AttributeType, .integer32AttributeType, .integer16AttributeType:
      box.integer.map(Value.integer)
    case .stringAttributeType: box.text.map(Value.text)
    case .doubleAttributeType: box.real.map(Value.real)
    case .booleanAttributeType: box.truth.map { .integer($0 ? 1 : 0) }
    case .dateAttributeType: box.seconds.map(Value.real)
    default: nil
    }
  }

  private static func stored(_ any: Any, type: NSAttributeType) throws -> Value? {
    switch type {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
      integer(any).map(Value.integer)
    case .booleanAttributeType:
      ((any as? Bool).map { $0 ? 1 : 0 } ?? integer(any)).map { .integer($0 == 0 ? 0 : 1) }
    case .doubleAttributeType: real(any).map(Value.real)
    case .floatAttributeType: real(any).map { .real(Double(Float($0))) }
    case .dateAttributeType:
      (any as? Date).map { .real($0.timeIntervalSinceReferenceDate) }
    case .stringAttributeType: (any as? String).map(Value.text)
    case .binaryDataAttributeType:
      (any as? Data).map(Value.data) ?? (any as? UndecodedValue).map(Value.object)
    case .decimalAttributeType: decimal(any).map(Value.object)
    case .UUIDAttributeType: (any as? UUID).map { .object($0 as NSUUID) }
    case .URIAttributeType: (any as? NSURL).flatMap { $0.bridged == nil ? nil : .object($0) }
    case .objectIDAttributeType: (any as? NSManagedObjectID).map(Value.identity)
    default: .object(any as AnyObject)
    }
  }

  /// The raw value of an enumeration or option set, which is stored in its place.
  private static func rawValue(of any: Any) -> Any? {
    (any as? any RawRepresentable)?.rawValue
  }

  private static func integer(_ any: Any) -> Int64? {
    switch any {
    case let value as Int: Int64(value)
    case let value as Int64: value
    case let value as Int32: Int64(value)
    case let value as Int16: Int64(value)
    case let value as Bool: value ? 1 : 0
    case let value as NSNumber: value.int64Value
    case let value as any BinaryInteger: Int64(exactly: value)
    case let value as Double: Int64(exactly: value.rounded(.towardZero))
    default: nil
    }
  }

  private static func real(_ any: Any) -> Double? {
    switch any {
    case let value as Double: value
    case let value as Float: Double(value)
    case let value as CGFloat: Double(value)
    case let value as NSNumber: value.doubleValue
    case let value as any BinaryInteger: Double(value)
    default: nil
    }
  }

  private static func decimal(_ any: Any) -> NSDecimalNumber? {
    switch any {
    case let value as NSDecimalNumber: value
    case let value as Decimal: NSDecimalNumber(decimal: value)
    case let value as NSNumber:
      decimal(of: value)
    case let value as Int: NSDecimalNumber(value: value)
    case let value as Double: decimal(of: NSNumber(value: value))
    default: nil
    }
  }

  /// The shortest decimal that identifies a double: 0.1 is 0.1. Foundation's conversion gives other
  /// digits, loses digits of integers, and traps on overflow.
  private static func decimal(of number: NSNumber) -> NSDecimalNumber {
    switch TypedValue(number) {
    case .integer(let value): NSDecimalNumber(decimal: Decimal(value))
    case .double(let value) where value.isDecimal:
      NSDecimalNumber(decimal: Decimal(string: "\(value)") ?? .nan)
    case .double: .notANumber
    default: NSDecimalNumber(decimal: number.decimalValue)
    }
  }

  /// The value inside an optional that is boxed in an `Any`; nil for `Optional.none`.
  static func unwrapped(_ any: Any) -> Any? {
    guard let optional = any as? any OptionalBox else { return any }
    return optional.content
  }

  /// The value as key-value coding returns it; numbers are `NSNumber`, as in Apple's framework.
  package func boxed(_ type: NSAttributeType) -> Any? {
    switch self {
    case .null: nil
    case .integer(let value):
      type == .booleanAttributeType ? NSNumber(value: value != 0) : NSNumber(value: value)
    case .real(let value):
      switch type {
      case .dateAttributeType: Date(timeIntervalSinceReferenceDate: value)
      case .floatAttributeType: NSNumber(value: Float(value))
      default: NSNumber(value: value)
      }
    case .text(let value): value
    case .data(let value): value
    case .identity(let value): value
    case .object(let value):
      switch value {
      case let value as NSUUID: value as UUID
      case let value as NSURL: value.bridged ?? value
      case let value as ExternalData: value.data ?? UndecodedValue(missing: value)
      default: value
      }
    }
  }
}

extension NSAttributeType {
  /// The class name that Apple's messages use for the type.
  var valueTypeName: String {
    switch self {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
      .booleanAttributeType, .doubleAttributeType, .floatAttributeType:
      "NSNumber"
    case .decimalAttributeType: "NSDecimalNumber"
    case .stringAttributeType: "NSString"
    case .dateAttributeType: "NSDate"
    case .binaryDataAttributeType: "NSData"
    case .UUIDAttributeType: "NSUUID"
    case .URIAttributeType: "NSURL"
    case .objectIDAttributeType: "NSManagedObjectID"
    default: "NSObject"
    }
  }
}
