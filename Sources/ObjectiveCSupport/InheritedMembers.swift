import CoreData
import KeyValueCoding

/// What `super` is in a ported class whose superclass is `NSObject`: what that does on Apple's systems.
public struct InheritedMembers<Object: KeyValueObservable> {
  fileprivate let object: Object

  public func value(forKey key: String) -> Any? {
    if let answer = NamedAccess.value(of: object, forKey: key) { return answer }
    return object.value(forUndefinedKey: key)
  }

  public func setValue(_ value: Any?, forKey key: String) {
    willSet(object, key)
    defer { didSet(object, key) }
    switch NamedAccess.set(value, of: object, forKey: key) {
    case .done: break
    case .refusesNil: object.setNilValueForKey(key)
    case nil: object.setValue(value, forUndefinedKey: key)
    }
  }

  public func validateValue(_ value: inout Any?, forKey key: String) throws {
    if let validated = try NamedAccess.validate(value, of: object, forKey: key) {
      value = validated
    }
  }

  public func value(forUndefinedKey key: String) -> Any? {
    fatalError(KeyValueCodingError.undefinedKey(key, of: object).description)
  }

  public func setValue(_ value: Any?, forUndefinedKey key: String) {
    fatalError(KeyValueCodingError.unsettableKey(key, of: object).description)
  }

  public func setNilValueForKey(_ key: String) {
    fatalError(KeyValueCodingError.nilValue(key: key, of: object).description)
  }

  public func value(forKeyPath keyPath: String) -> Any? {
    trapping { try ValuePath(keyPath).value(of: object) }
  }

  public func setValue(_ value: Any?, forKeyPath keyPath: String) {
    trapping { try ValuePath(keyPath).setValue(value, of: object) }
  }

  public func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
    Dictionary(keys.map { ($0, object.value(forKey: $0) ?? NSNull()) }, uniquingKeysWith: { $1 })
  }

  public func setValuesForKeys(_ keyedValues: [String: Any]) {
    for (key, value) in keyedValues {
      object.setValue(value is NSNull ? nil : value, forKey: key)
    }
  }

  public func willChangeValue(forKey key: String) { object.willChangeValue(forKey: key) }

  public func didChangeValue(forKey key: String) { object.didChangeValue(forKey: key) }

  public func observeValue(
    forKeyPath keyPath: String?, of observed: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    unhandledObservation(forKeyPath: keyPath, of: observed, change: change, context: context)
  }
}

/// What `super` is in a class method of such a class.
public struct InheritedClassMembers {
  fileprivate let type: any KeyValueObservable.Type

  public func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    NamedMembers.keyPathsAffecting(key, of: type)
  }

  public func automaticallyNotifiesObservers(forKey key: String) -> Bool {
    NamedMembers.notifiesByItself(of: key, type)
  }
}

public func inherited<Object: KeyValueObservable>(_ object: Object) -> InheritedMembers<Object> {
  InheritedMembers(object: object)
}

public func inherited(_ type: any KeyValueObservable.Type) -> InheritedClassMembers {
  InheritedClassMembers(type: type)
}
