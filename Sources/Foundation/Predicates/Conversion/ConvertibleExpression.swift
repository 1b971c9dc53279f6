import Foundation
import KeyValueCoding

/// A node of a Swift predicate that can be expressed in the predicate language.
protocol ConvertibleExpression {
  func converted(by conversion: inout PredicateConversion) throws -> ConvertedExpression
}

extension PredicateExpressions.Variable: ConvertibleExpression {
  func converted(by conversion: inout PredicateConversion) throws -> ConvertedExpression {
    .expression(try conversion.value(of: key))
  }
}

extension PredicateExpressions.Value: ConvertibleExpression {
  func converted(by conversion: inout PredicateConversion) throws -> ConvertedExpression {
    .expression(NSExpression(forConstantValue: try CapturedValue.constant(value)))
  }
}

extension PredicateExpressions.NilLiteral: ConvertibleExpression {
  func converted(by conversion: inout PredicateConversion) throws -> ConvertedExpression {
    .expression(NSExpression(forConstantValue: nil))
  }
}

extension PredicateExpressions.KeyPath: ConvertibleExpression {
  func converted(by conversion: inout PredicateConversion) throws -> ConvertedExpression {
    let owner = try conversion.convert(root).expression
    switch KnownKey(keyPath, of: Root.Output.self) {
    case .textCount:
      return .expression(NSExpression(content: .function("length:", [owner])))
    case .textIsEmpty:
      return .predicate(
        ConvertedExpression.comparison(
          owner, type: .equalTo, right: NSExpression(forConstantValue: "")))
    case .count: return .expression(ConvertedExpression.count(owner))
    case .isEmpty:
      return .predicate(
        ConvertedExpression.comparison(
          ConvertedExpression.count(owner), type: .equalTo, right: NSExpression(forConstantValue: 0)
        ))
    case .rawValue: return .expression(owner)
    case nil: break
    }
    guard let name = conversion.name(keyPath) else {
      throw PredicateConversionError(
        "the key path \(keyPath), which names no property of a model's object")
    }
    switch owner.content {
    case .evaluatedObject: return .expression(NSExpression(forKeyPath: name))
    case .keyPath(let path, let start):
      return .expression(NSExpression(content: .keyPath("\(path).\(name)", of: start)))
    default: return .expression(NSExpression(content: .keyPath(name, of: owner)))
    }
  }
}

/// Properties of Swift's own types that have a counterpart in the predicate language.
private enum KnownKey {
  case textCount, textIsEmpty, count, isEmpty, rawValue

  init?(_ keyPath: AnyKeyPath, of type: Any.Type) {
    switch keyPath {
    case \String.count: self = .textCount
    case \String.isEmpty: self = .textIsEmpty
    default:
      if let members = type as? any CountedMembers.Type, keyPath == members.countKeyPath {
        self = .count
      } else if let members = type as? any CountedMembers.Type, keyPath == members.isEmptyKeyPath {
        self = .isEmpty
      } else if let enumeration = type as? any RawRepresentable.Type,
        Self.isRawValue(keyPath, of: enumeration)
      {
        self = .rawValue
      } else {
        return nil
      }
    }
  }

  private static func isRawValue<Value: RawRepresentable>(
    _ keyPath: AnyKeyPath, of type: Value.Type
  ) -> Bool {
    keyPath == \Value.rawValue
  }
}

/// A collection type with the key paths of its count: each type has its own.
private protocol CountedMembers {
  static var countKeyPath: AnyKeyPath { get }
  static var isEmptyKeyPath: AnyKeyPath { get }
}

extension Array: CountedMembers {
  fileprivate static var countKeyPath: AnyKeyPath { \[Element].count }
  fileprivate static var isEmptyKeyPath: AnyKeyPath { \[Element].isEmpty }
}

extension Set: CountedMembers {
  fileprivate static var countKeyPath: AnyKeyPath { \Set<Element>.count }
  fileprivate static var isEmptyKeyPath: AnyKeyPath { \Set<Element>.isEmpty }
}

/// Values that a Swift predicate captures.
enum CapturedValue {
  /// The value as a constant of the predicate language; an enumeration becomes its raw value.
  /// Throws ``PredicateConversionError`` for types that no attribute has.
  static func constant(_ value: Any) throws -> Any? {
    if let optional = value as? any OptionalCapture {
      return try optional.wrapped.map(constant) ?? nil
    }
    if let object = classInstance(value) { return object }
    switch value {
    case is String, is Bool, is any BinaryInteger, is any BinaryFloatingPoint, is Decimal, is Date,
      is UUID, is Data, is URL:
      return value
    case let character as Character: return String(character)
    case let text as Substring: return String(text)
    case let enumeration as any RawRepresentable: return try constant(enumeration.rawValue)
    case let dictionary as [AnyHashable: Any]: return dictionary
    case let members as any Sequence: return try elements(members)
    default: break
    }
    throw PredicateConversionError(
      "a captured value of type \(type(of: value)), which no attribute has")
  }

  private static func elements(_ members: some Sequence) throws -> [Any] {
    try members.map { try constant($0) ?? NSNull() }
  }
}

/// Tests a captured value for being an optional.
private protocol OptionalCapture {
  var wrapped: Any? { get }
}

extension Optional: OptionalCapture {
  fileprivate var wrapped: Any? { self }
}
