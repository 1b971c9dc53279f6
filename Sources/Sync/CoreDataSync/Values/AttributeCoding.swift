import CoreData

/// Converts between the values of attributes and those that travel.
enum AttributeCoding {
  static func value(_ any: Any?, of attribute: NSAttributeDescription) -> SyncValue {
    guard let any, !(any is NSNull) else { return .null }
    switch attribute.attributeType {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
      return number(any).map { .integer($0.int64Value) } ?? .null
    case .doubleAttributeType, .floatAttributeType:
      return number(any).map { .double($0.doubleValue) } ?? .null
    case .booleanAttributeType:
      return number(any).map { .bool($0.boolValue) } ?? .null
    case .decimalAttributeType:
      return number(any).map { .decimal("\($0.decimalValue)") } ?? .null
    case .stringAttributeType:
      return (any as? String).map(SyncValue.text) ?? .null
    case .dateAttributeType:
      return (any as? Date).map { .date($0.timeIntervalSinceReferenceDate) } ?? .null
    case .binaryDataAttributeType:
      return (any as? Data).map(SyncValue.data) ?? .null
    case .UUIDAttributeType:
      return (any as? UUID).map(SyncValue.uuid) ?? .null
    case .URIAttributeType:
      return (any as? URL).map { .url($0.absoluteString) } ?? .null
    case .compositeAttributeType:
      return composite(any, of: attribute)
    default:
      return Transformation(attribute).data(of: any).map(SyncValue.data) ?? .null
    }
  }

  /// What the attribute is set to; nil for a value that it cannot have, as for `.null`: one of
  /// another version's type, which no number of it can be.
  static func any(_ value: SyncValue, for attribute: NSAttributeDescription) -> Any? {
    switch (value, attribute.attributeType) {
    case (.integer, let type), (.double, let type), (.bool, let type), (.decimal, let type):
      numeral(value, type: type)
    case (.text(let text), .stringAttributeType): text
    case (.date(let seconds), .dateAttributeType): Date(timeIntervalSinceReferenceDate: seconds)
    case (.data(let data), .binaryDataAttributeType): data
    case (.data(let data), .transformableAttributeType): Transformation(attribute).object(of: data)
    case (.uuid(let uuid), .UUIDAttributeType): uuid
    case (.url(let text), .URIAttributeType): URL(string: text)
    case (.composite(let parts), .compositeAttributeType): dictionary(parts, of: attribute)
    default: nil
    }
  }

  /// A number for an attribute of a type of numbers; nil for other attributes.
  private static func numeral(_ value: SyncValue, type: NSAttributeType) -> NSNumber? {
    let number: NSNumber? =
      switch value {
      case .integer(let number): NSNumber(value: number)
      case .double(let number): NSNumber(value: number)
      case .bool(let flag): NSNumber(value: flag)
      case .decimal(let digits): NSDecimalNumber(string: digits)
      default: nil
      }
    switch type {
    case .decimalAttributeType:
      return number.map { $0 as? NSDecimalNumber ?? NSDecimalNumber(decimal: $0.decimalValue) }
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
      if case .integer = value { return number }
      return number.flatMap { Int64(exactly: $0.doubleValue.rounded(.towardZero)) }
        .map { NSNumber(value: $0) }
    case .doubleAttributeType, .floatAttributeType, .booleanAttributeType: return number
    default: return nil
    }
  }

  /// What a counter without increments has: counters are never nil.
  static func zero(of attribute: NSAttributeDescription) -> SyncValue {
    switch attribute.attributeType {
    case .doubleAttributeType, .floatAttributeType: .double(0)
    case .decimalAttributeType: .decimal("0")
    default: .integer(0)
    }
  }

  private static func number(_ any: Any) -> NSNumber? {
    switch any {
    case let number as NSNumber: number
    case let flag as Bool: NSNumber(value: flag)
    case let number as Int64: NSNumber(value: number)
    case let number as Int: NSNumber(value: number)
    case let number as Int32: NSNumber(value: number)
    case let number as Int16: NSNumber(value: number)
    case let number as Double: NSNumber(value: number)
    case let number as Float: NSNumber(value: number)
    case let number as Decimal: NSDecimalNumber(decimal: number)
    default: nil
    }
  }

  private static func composite(_ any: Any, of attribute: NSAttributeDescription) -> SyncValue {
    guard let values = any as? [String: Any],
      let elements = (attribute as? NSCompositeAttributeDescription)?.elements
    else { return .null }
    return .composite(
      Dictionary(elements.map { ($0.name, value(values[$0.name], of: $0)) }) { first, _ in first })
  }

  private static func dictionary(
    _ parts: [String: SyncValue], of attribute: NSAttributeDescription
  ) -> [String: Any]? {
    guard let elements = (attribute as? NSCompositeAttributeDescription)?.elements else {
      return nil
    }
    var values: [String: Any] = [:]
    for element in elements {
      values[element.name] = parts[element.name].flatMap { any($0, for: element) }
    }
    return values
  }
}

/// The bytes of a transformable attribute's values, as the store has them.
private struct Transformation {
  private let transformer: ValueTransformer?
  /// Whether the transformer makes values of data; others make data of values.
  private let unarchives: Bool

  init(_ attribute: NSAttributeDescription) {
    let given = attribute.valueTransformerName ?? ""
    let name =
      given.isEmpty
      ? NSValueTransformerName.secureUnarchiveFromDataTransformerName
      : NSValueTransformerName(given)
    transformer = ValueTransformer(forName: name)
    unarchives =
      transformer is NSSecureUnarchiveFromDataTransformer || Self.unarchivers.contains(given)
  }

  private static let unarchivers = ["NSUnarchiveFromData", "NSKeyedUnarchiveFromData"]

  func data(of object: Any) -> Data? {
    let made =
      unarchives
      ? transformer?.reverseTransformedValue(object) : transformer?.transformedValue(object)
    return made as? Data
  }

  func object(of data: Data) -> Any? {
    unarchives ? transformer?.transformedValue(data) : transformer?.reverseTransformedValue(data)
  }
}
