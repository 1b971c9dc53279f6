import CoreData
import KeyValueCoding

/// Replaces `super` in a ported class whose superclass is `NSObject`: the implementations that
/// `NSObject` has on Apple's systems.
public struct InheritedMembers<Object: KeyValueObservable> {
  fileprivate let object: Object

  /// The value of a property or method that Objective-C would see, else `value(forUndefinedKey:)`.
  public func value(forKey key: String) -> Any? {
    if let answer = NamedAccess.value(of: object, forKey: key) { return answer }
    return object.value(forUndefinedKey: key)
  }

  /// Sets a property that Objective-C would see, else calls `setValue(_:forUndefinedKey:)`.
  /// Observers are notified. Calls `setNilValueForKey(_:)` for nil if the type has no such value.
  public func setValue(_ value: Any?, forKey key: String) {
    willSet(object, key)
    defer { didSet(object, key) }
    switch NamedAccess.set(value, of: object, forKey: key) {
    case .done: break
    case .refusesNil: object.setNilValueForKey(key)
    case nil: object.setValue(value, forUndefinedKey: key)
    }
  }

  /// Calls the method `validate<Key>:` if the class has one.
  public func validateValue(_ value: inout Any?, forKey key: String) throws {
    if let validated = try NamedAccess.validate(value, of: object, forKey: key) {
      value = validated
    }
  }

  /// Traps: the object has no such key.
  public func value(forUndefinedKey key: String) -> Any? {
    fatalError(KeyValueCodingError.undefinedKey(key, of: object).description)
  }

  /// Traps: the object has no such key, or cannot set it.
  public func setValue(_ value: Any?, forUndefinedKey key: String) {
    fatalError(KeyValueCodingError.unsettableKey(key, of: object).description)
  }

  /// Traps: the type of the key has no value for nil.
  public func setNilValueForKey(_ key: String) {
    fatalError(KeyValueCodingError.nilValue(key: key, of: object).description)
  }

  /// The value at a key path. Traps if an object has no such key.
  public func value(forKeyPath keyPath: String) -> Any? {
    trapping { try ValuePath(keyPath).value(of: object) }
  }

  /// Sets the value at a key path. Traps if an object has no such key.
  public func setValue(_ value: Any?, forKeyPath keyPath: String) {
    trapping { try ValuePath(keyPath).setValue(value, of: object) }
  }

  /// The values of several keys; `NSNull` for nil.
  public func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
    Dictionary(keys.map { ($0, object.value(forKey: $0) ?? NSNull()) }, uniquingKeysWith: { $1 })
  }

  /// Sets the values of several keys; `NSNull` becomes nil.
  public func setValuesForKeys(_ keyedValues: [String: Any]) {
    for (key, value) in keyedValues {
      object.setValue(value is NSNull ? nil : value, forKey: key)
    }
  }

  /// Announces a change to the observers of a key.
  public func willChangeValue(forKey key: String) { object.willChangeValue(forKey: key) }

  /// Notifies the observers of a key of a change.
  public func didChangeValue(forKey key: String) { object.didChangeValue(forKey: key) }

  /// Traps: an observer received a notification that it has not registered for.
  public func observeValue(
    forKeyPath keyPath: String?, of observed: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    unhandledObservation(forKeyPath: keyPath, of: observed, change: change, context: context)
  }
}

/// Replaces `super` in a class method of such a class.
public struct InheritedClassMembers {
  fileprivate let type: any KeyValueObservable.Type

  /// The key paths that a property depends on, from the method `keyPathsForValuesAffecting<Key>`.
  public func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    NamedMembers.keyPathsAffecting(key, of: type)
  }

  /// Returns whether setting a key by key-value coding notifies its observers.
  public func automaticallyNotifiesObservers(forKey key: String) -> Bool {
    NamedMembers.notifiesByItself(of: key, type)
  }
}

/// Replaces `super` in an instance method of a ported class.
public func inherited<Object: KeyValueObservable>(_ object: Object) -> InheritedMembers<Object> {
  InheritedMembers(object: object)
}

/// Replaces `super` in a class method of a ported class.
public func inherited(_ type: any KeyValueObservable.Type) -> InheritedClassMembers {
  InheritedClassMembers(type: type)
}
