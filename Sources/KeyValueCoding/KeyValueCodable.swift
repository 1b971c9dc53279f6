import Foundation

/// An object that answers for its properties by name.
///
/// Managed objects conform; any class of yours may, and then works with predicates, sort
/// descriptors and key paths. Only ``value(forKey:)`` and ``setValue(_:forKey:)`` have to be
/// written: pass the keys that you do not know to ``value(forUndefinedKey:)`` and
/// ``setValue(_:forUndefinedKey:)``. Follows Apple's `NSKeyValueCoding` protocol.
public protocol KeyValueCodable: AnyObject {
  /// The value of a property; nil where it has none.
  func value(forKey key: String) -> Any?
  /// Sets a property; nil goes to `setNilValueForKey(_:)` where the property cannot hold it.
  func setValue(_ value: Any?, forKey key: String)
  /// Called for a key that the object does not know; traps unless overridden.
  func value(forUndefinedKey key: String) -> Any?
  /// Called for a key that the object does not know; traps unless overridden.
  func setValue(_ value: Any?, forUndefinedKey key: String)
  /// Called when nil is set where no nil can be; traps unless overridden.
  func setNilValueForKey(_ key: String)
  /// Checks a value before it is set, and may replace it; throws what is wrong with it.
  func validateValue(_ value: inout Any?, forKey key: String) throws
  /// The value at the end of a path of keys and collection operators.
  func value(forKeyPath keyPath: String) -> Any?
  /// Sets the property at the end of a path; nothing happens where an object on the way is nil.
  func setValue(_ value: Any?, forKeyPath keyPath: String)
  /// The values of several keys, `NSNull` for nil.
  func dictionaryWithValues(forKeys keys: [String]) -> [String: Any]
  /// Sets several properties, nil for `NSNull`.
  func setValuesForKeys(_ keyedValues: [String: Any])
}

extension KeyValueCodable {
  /// Traps with the text of Apple's `NSUnknownKeyException`.
  public func value(forUndefinedKey key: String) -> Any? {
    fatalError(KeyValueCodingError.undefinedKey(key, of: self).description)
  }

  /// Traps with the text of Apple's `NSUnknownKeyException`.
  public func setValue(_ value: Any?, forUndefinedKey key: String) {
    fatalError(KeyValueCodingError.unsettableKey(key, of: self).description)
  }

  /// Traps with the text of Apple's `NSInvalidArgumentException`.
  public func setNilValueForKey(_ key: String) {
    fatalError(KeyValueCodingError.nilValue(key: key, of: self).description)
  }

  /// Every value will do, unless overridden.
  public func validateValue(_ value: inout Any?, forKey key: String) throws {}

  /// Checks a value before it is set at the end of a path; every value will do where an object on the
  /// way is nil or answers no keys itself.
  public func validateValue(_ value: inout Any?, forKeyPath keyPath: String) throws {
    let (owner, key) = try ValuePath(keyPath).owner(from: self)
    try (owner as? any KeyValueCodable)?.validateValue(&value, forKey: key)
  }

  /// The value at the end of a path of keys and collection operators.
  public func value(forKeyPath keyPath: String) -> Any? {
    trapping { try ValuePath(keyPath).value(of: self) }
  }

  /// Sets the property at the end of a path; nothing happens where an object on the way is nil.
  public func setValue(_ value: Any?, forKeyPath keyPath: String) {
    trapping { try ValuePath(keyPath).setValue(value, of: self) }
  }

  /// The values of several keys, `NSNull` for nil.
  public func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
    Dictionary(keys.map { ($0, value(forKey: $0) ?? NSNull()) }, uniquingKeysWith: { $1 })
  }

  /// Sets several properties, nil for `NSNull`.
  public func setValuesForKeys(_ keyedValues: [String: Any]) {
    for (key, value) in keyedValues { setValue(value is NSNull ? nil : value, forKey: key) }
  }
}

/// Runs `body` where Apple would raise an exception: what it throws ends the program with its text.
package func trapping<Result>(_ body: () throws -> Result) -> Result {
  do { return try body() } catch { fatalError("\(error)") }
}
