import CoreData
import Foundation
import Testing

/// A property with what is expected of it.
struct AttributeCase: CustomTestStringConvertible {
  let name: String
  let type: NSAttributeType
  let testDescription: String
  /// Whether the value can be nil, and reads as what it should.
  let readsEmpty: (TypedObject) -> Bool?
  let set: (TypedObject) -> Void
  let setByKey: (TypedObject) -> Void
  /// Sets nil, where the type has it.
  let clear: ((TypedObject) -> Void)?
  let hasValue: (TypedObject) -> Bool
  let sortKey: () -> String?
  let expressionKey: () -> String

  init<T>(
    _ name: String, _ type: NSAttributeType, _ path: ReferenceWritableKeyPath<TypedObject, T>,
    _ value: T, empty: T? = nil, _ setProperty: @escaping (TypedObject, T) -> Void
  ) {
    self.name = name
    self.type = type
    testDescription = "\(name): \(T.self)"
    readsEmpty = { object in empty.map { isSame(object[keyPath: path], $0) } }
    set = { setProperty($0, value) }
    setByKey = { $0.setValue(value, forKey: name) }
    let none = Optional<Any>.none as? T
    clear = T.self == Any.self ? nil : none.map { none in { setProperty($0, none) } }
    hasValue = { isSame($0[keyPath: path], value) }
    sortKey = { NSSortDescriptor(keyPath: path, ascending: true).key }
    expressionKey = { NSExpression(forKeyPath: path).keyPath }
  }

  /// The properties of a type: of the type itself, optional, and implicitly unwrapped.
  static func forms<T>(
    _ name: String, _ type: NSAttributeType, _ value: T, empty: T? = nil,
    _ plain: ReferenceWritableKeyPath<TypedObject, T>,
    _ setPlain: @escaping (TypedObject, T) -> Void,
    _ optional: ReferenceWritableKeyPath<TypedObject, T?>,
    _ setOptional: @escaping (TypedObject, T?) -> Void,
    _ unwrapped: ReferenceWritableKeyPath<TypedObject, T?>,
    _ setUnwrapped: @escaping (TypedObject, T?) -> Void
  ) -> [AttributeCase] {
    [
      AttributeCase("\(name)_0", type, plain, value, empty: empty, setPlain),
      AttributeCase("\(name)_1", type, optional, value, empty: .some(nil), setOptional),
      AttributeCase("\(name)_2", type, unwrapped, value, empty: .some(nil), setUnwrapped),
    ]
  }
}

/// A relationship's property.
struct RelationshipCase: CustomTestStringConvertible {
  enum Kind { case toOne, toMany, ordered }

  let name: String
  let kind: Kind
  let testDescription: String
  let set: (TypedObject, [TypedObject]) -> Void
  let clear: ((TypedObject) -> Void)?
  let members: (TypedObject) -> [TypedObject]?
  let sortKey: () -> String?
  let expressionKey: () -> String

  init<T>(
    _ name: String, _ kind: Kind, _ path: ReferenceWritableKeyPath<TypedObject, T>,
    _ setProperty: @escaping (TypedObject, T) -> Void
  ) {
    self.name = name
    self.kind = kind
    testDescription = "\(name): \(T.self)"
    set = { object, members in
      let given: Any =
        switch kind {
        case .toOne: members[0]
        case .toMany: NSSet(array: members)
        case .ordered: NSOrderedSet(array: members)
        }
      let value = given as? T ?? (given as? NSOrderedSet)?.array as? T
      setProperty(object, value!)
    }
    clear = (Optional<Any>.none as? T).map { none in { setProperty($0, none) } }
    members = { object in
      let value = object[keyPath: path] as Any
      switch kind {
      case .toOne: return (value as? TypedObject).map { [$0] }
      case .toMany: return (value as? Set<TypedObject>).map(Array.init)
      case .ordered:
        return value as? [TypedObject] ?? (value as? NSOrderedSet)?.array as? [TypedObject]
      }
    }
    sortKey = { NSSortDescriptor(keyPath: path, ascending: true).key }
    expressionKey = { NSExpression(forKeyPath: path).keyPath }
  }
}

/// Whether two values of one type are equal, whatever is inside.
private func isSame<T>(_ left: T, _ right: T) -> Bool {
  let (left, right) = (Optional<Any>(left) as Any, Optional<Any>(right) as Any)
  if let left = left as? NSObject, let right = right as? NSObject { return left.isEqual(right) }
  if let left = left as? AnyHashable, let right = right as? AnyHashable { return left == right }
  return "\(left)" == "\(right)"
}
