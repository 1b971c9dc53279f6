import Foundation

/// A value sorted into the kinds that comparison and arithmetic distinguish, so that both are a
/// switch and not a series of dynamic casts. Core Data's rows make one directly from a slot.
package enum TypedValue {
  case null
  /// Booleans are numbers, as in predicates.
  case integer(Int64)
  case double(Double)
  case decimal(Decimal)
  case string(String)
  case date(Date)
  case data(Data)
  case uuid(UUID)
  /// An instance of a class that no other case covers.
  case object(AnyObject)
  case collection(ElementCollection)
  /// Any other hashable value.
  case hashable(AnyHashable)
  /// A value that cannot be compared.
  case opaque(Any)
}

/// A class whose instances are compared by another object: a managed object by its object ID, so
/// that one equals the other in a predicate.
package protocol ComparedByIdentity: AnyObject {
  /// The object to compare instead.
  var comparedIdentity: AnyObject { get }
  /// Whether `comparedIdentity` never changes. An unsaved object gets another one at its first
  /// save.
  var isIdentitySettled: Bool { get }
}

/// A class whose instances have an order among each other, such as object IDs.
package protocol OrderedObject: AnyObject {
  /// The order to another object; nil if there is none.
  func order(to other: AnyObject) -> ComparisonResult?
}

extension ComparedByIdentity {
  package var isIdentitySettled: Bool { true }
}

extension TypedValue {
  package init(_ value: Any?) {
    guard let value else {
      self = .null
      return
    }
    if let object = classInstance(value) { self.init(object: object) } else { self.init(value) }
  }

  /// The value of a class instance; for Foundation's value classes, the value that it holds.
  package init(object: AnyObject) {
    switch object {
    case let string as NSString: self = .string(string as String)
    case let number as NSNumber: self.init(number: number)
    case let date as NSDate: self = .date(date as Date)
    case let data as NSData: self = .data(data as Data)
    case let uuid as NSUUID: self = .uuid(uuid as UUID)
    case let url as NSURL:
      self = url.bridged.map { .hashable(AnyHashable($0)) } ?? .object(object)
    case is NSNull: self = .null
    default: self = ElementCollection(object: object).map(TypedValue.collection) ?? .object(object)
    }
  }

  private init(_ value: Any) {
    switch value {
    case let string as String: self = .string(string)
    case let date as Date: self = .date(date)
    case let decimal as Decimal: self = .decimal(decimal)
    // Before the casts to classes, which would bridge a collection element by element.
    case _ where ElementCollection.isCollection(value): self.init(other: value)
    case let number as NSNumber: self.init(number: number)
    case let uuid as UUID: self = .uuid(uuid)
    case let data as Data: self = .data(data)
    case let text as Substring: self = .string(String(text))
    default: self.init(other: value)
    }
  }

  package init(number: NSNumber) {
    if let decimal = number as? NSDecimalNumber {
      self = .decimal(decimal.decimalValue)
      return
    }
    switch UInt8(bitPattern: number.objCType.pointee) {
    case UInt8(ascii: "d"), UInt8(ascii: "f"): self = .double(number.doubleValue)
    case UInt8(ascii: "Q") where number.uint64Value > UInt64(Int64.max):
      self = .decimal(Decimal(number.uint64Value))
    default: self = .integer(number.int64Value)
    }
  }

  /// Returns whether a value is nil, an optional without a value, or `NSNull`.
  package static func isNull(_ value: Any?) -> Bool {
    guard let value else { return true }
    if let object = classInstance(value) { return object is NSNull }
    return !ElementCollection.isCollection(value) && TypedValue(value).isNull
  }

  private init(other: Any) {
    if let optional = other as? any OptionalValue {
      self.init(optional.wrappedValue)
    } else if let collection = ElementCollection(other) {
      self = .collection(collection)
    } else if let hashable = other as? AnyHashable {
      self = .hashable(hashable)
    } else {
      self = .opaque(other)
    }
  }

  /// The value as key-value coding returns it: numbers as `NSNumber`.
  package var any: Any? {
    switch self {
    case .null: nil
    case .integer(let value): NSNumber(value: value)
    case .double(let value): NSNumber(value: value)
    case .decimal(let value): NSDecimalNumber(decimal: value)
    case .string(let value): value
    case .date(let value): value
    case .data(let value): value
    case .uuid(let value): value
    case .object(let value): value
    case .collection(let value): value.base
    case .hashable(let value): value.base
    case .opaque(let value): value
    }
  }

  package var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// The kind of the value, in words for an error message.
  package var kindName: String {
    switch self {
    case .null: "nil"
    case .integer, .double, .decimal: "a number"
    case .string: "a string"
    case .date: "a date"
    case .data: "data"
    case .uuid: "a UUID"
    case .collection: "a collection"
    case .object(let object):
      (object as? any NamedKind)?.kindName ?? "an object of class \(type(of: object))"
    case .hashable(let value): "a value of type \(type(of: value.base))"
    case .opaque(let value): "a value of type \(type(of: value))"
    }
  }
}

/// An object whose kind has another name for users than its class.
package protocol NamedKind: AnyObject {
  /// The kind in words for an error message, with an article.
  var kindName: String { get }
}

/// Tests a value of type `Any` for being an optional.
private protocol OptionalValue {
  var wrappedValue: Any? { get }
}

extension Optional: OptionalValue {
  fileprivate var wrappedValue: Any? { self }
}
