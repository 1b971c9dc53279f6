import Foundation

/// An object whose properties can be read and set by name.
///
/// Managed objects conform. Any other class may conform, and then works with predicates, sort
/// descriptors and key paths. Only ``value(forKey:)`` and ``setValue(_:forKey:)`` have to be
/// written: pass unknown keys to ``value(forUndefinedKey:)`` and ``setValue(_:forUndefinedKey:)``.
/// Follows Apple's `NSKeyValueCoding` protocol.
public protocol KeyValueCodable: AnyObject {
  /// The value of a property; nil if it has none.
  func value(forKey key: String) -> Any?
  /// Sets a property. Nil goes to `setNilValueForKey(_:)` if the property cannot be nil.
  func setValue(_ value: Any?, forKey key: String)
  /// The value of a key that the object does not know. Traps unless overridden.
  func value(forUndefinedKey key: String) -> Any?
  /// Sets a key that the object does not know. Traps unless overridden.
  func setValue(_ value: Any?, forUndefinedKey key: String)
  /// Called when nil is set for a property that cannot be nil. Traps unless overridden.
  func setNilValueForKey(_ key: String)
  /// Validates a value before it is set, and may replace it. Throws if the value is not valid.
  func validateValue(_ value: inout Any?, forKey key: String) throws
  /// The value at the end of a path of keys and collection operators.
  func value(forKeyPath keyPath: String) -> Any?
  /// Sets the property at the end of a path. Does nothing if an object on the way is nil.
  func setValue(_ value: Any?, forKeyPath keyPath: String)
  /// The values of several keys, with `NSNull` for nil.
  func dictionaryWithValues(forKeys keys: [String]) -> [String: Any]
  /// Sets several properties; `NSNull` sets nil.
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

  /// Accepts every value.
  public func validateValue(_ value: inout Any?, forKey key: String) throws {}

  /// Validates a value for the property at the end of a path. Accepts every value if an object on
  /// the way is nil or the last one does not conform.
  public func validateValue(_ value: inout Any?, forKeyPath keyPath: String) throws {
    let (owner, key) = try ValuePath(keyPath).owner(from: self)
    try (owner as? any KeyValueCodable)?.validateValue(&value, forKey: key)
  }

  /// The value at the end of a path of keys and collection operators. Traps for a malformed path
  /// and for an unknown key.
  public func value(forKeyPath keyPath: String) -> Any? {
    trapping { try ValuePath(keyPath).value(of: self) }
  }

  /// Sets the property at the end of a path. Does nothing if an object on the way is nil. Traps for
  /// a malformed path and for an unknown key.
  public func setValue(_ value: Any?, forKeyPath keyPath: String) {
    trapping { try ValuePath(keyPath).setValue(value, of: self) }
  }

  /// The values of several keys, with `NSNull` for nil.
  public func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
    Dictionary(keys.map { ($0, value(forKey: $0) ?? NSNull()) }, uniquingKeysWith: { $1 })
  }

  /// Sets several properties; `NSNull` sets nil.
  public func setValuesForKeys(_ keyedValues: [String: Any]) {
    for (key, value) in keyedValues { setValue(value is NSNull ? nil : value, forKey: key) }
  }
}

/// Runs `body` where Apple would raise an exception: traps with the text of the error that it
/// throws.
package func trapping<Result>(_ body: () throws -> Result) -> Result {
  do { return try body() } catch { fatalError("\(error)") }
}
