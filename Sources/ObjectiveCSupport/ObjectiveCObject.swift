import KeyValueCoding

/// A class of ported sources with key-value coding: its keys are the properties and methods that Objective-C would see.
public protocol ObjectiveCObject: KeyValueCodable {}

extension ObjectiveCObject {
  /// What the class's getter answers, else ``KeyValueCodable/value(forUndefinedKey:)``. Numbers are `NSNumber`.
  public func value(forKey key: String) -> Any? {
    if let answer = NamedAccess.value(of: self, forKey: key) { return answer }
    return value(forUndefinedKey: key)
  }

  /// Sets by the class's setter, else ``KeyValueCodable/setValue(_:forUndefinedKey:)``.
  public func setValue(_ value: Any?, forKey key: String) {
    switch NamedAccess.set(value, of: self, forKey: key) {
    case .done: break
    case .refusesNil: setNilValueForKey(key)
    case nil: setValue(value, forUndefinedKey: key)
    }
  }

  /// Asks the class's `validate<Key>:` method, if it has one.
  public func validateValue(_ value: inout Any?, forKey key: String) throws {
    if let validated = try NamedAccess.validate(value, of: self, forKey: key) { value = validated }
  }
}
