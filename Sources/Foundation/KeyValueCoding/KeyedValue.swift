import Foundation

/// Reads and sets one key of any value: an object that conforms to `KeyValueCodable`, a collection,
/// or, by reflection, a plain Swift value.
package enum KeyedValue {
  /// The value of a key. Nil for nil, `NSNull` for `NSNull`; for arrays and sets, the values of
  /// their elements. Throws ``KeyValueCodingError`` if the object does not have the key.
  package static func value(of object: Any?, forKey key: String) throws -> Any? {
    try unbridgedValue(of: object, forKey: key).map(bridged)
  }

  /// Converts a result that leaves key-value coding: an ``ElementCollection`` becomes a collection
  /// of Foundation's or Swift's.
  static func bridged(_ value: Any) -> Any {
    (value as? ElementCollection)?.base ?? value
  }

  /// The value of a key for the next step of a path: values of a set as an ``ElementCollection``.
  static func unbridgedValue(of object: Any?, forKey key: String) throws -> Any? {
    guard let object else { return nil }
    if let codable = object as? any KeyValueCodable { return codable.value(forKey: key) }
    if key == "self" || classInstance(object) is NSNull { return object }
    if let collection = ElementCollection(object) { return try values(of: collection, forKey: key) }
    if let known = wellKnownValue(of: object, forKey: key) { return known }
    return try reflectedValue(of: object, forKey: key)
  }

  private static func values(
    of collection: ElementCollection, forKey key: String
  ) throws -> Any? {
    switch collection.kind {
    case .dictionary: return collection.value(forKey: key)
    case .array: return try collection.elements.map { try value(of: $0, forKey: key) ?? NSNull() }
    case .set, .orderedSet:
      return ElementCollection(
        distinct: try collection.elements.compactMap { try unbridgedValue(of: $0, forKey: key) },
        kind: collection.kind)
    }
  }

  /// Sets one key of an object that conforms to `KeyValueCodable`, of a mutable dictionary, or of
  /// every element of an array or set. Throws ``KeyValueCodingError`` for other objects.
  package static func setValue(_ value: Any?, of object: Any?, forKey key: String) throws {
    guard let object else { return }
    if let codable = object as? any KeyValueCodable {
      codable.setValue(value, forKey: key)
    } else if let dictionary = object as? NSMutableDictionary {
      set(value, in: dictionary, forKey: key)
    } else if let collection = ElementCollection(object), collection.kind != .dictionary {
      for element in collection.elements { try setValue(value, of: element, forKey: key) }
    } else {
      throw KeyValueCodingError.unsettableKey(key, of: object)
    }
  }

  private static func set(_ value: Any?, in dictionary: NSMutableDictionary, forKey key: String) {
    if let value {
      dictionary.setObject(value, forKey: key as AnyHashable)
    } else {
      dictionary.removeObject(forKey: key)
    }
  }
}
