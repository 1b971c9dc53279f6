import KeyValueCoding

/// A class of ported sources with key-value coding and observing: its keys are the properties and methods that Objective-C
/// would see.
public protocol ObjectiveCObject: KeyValueObservable {}

extension ObjectiveCObject {
  /// What the class's getter answers, else ``KeyValueCodable/value(forUndefinedKey:)``. Numbers are `NSNumber`.
  public func value(forKey key: String) -> Any? { inherited(self).value(forKey: key) }

  /// Sets by the class's setter, else ``KeyValueCodable/setValue(_:forUndefinedKey:)``. Observers are told.
  public func setValue(_ value: Any?, forKey key: String) {
    inherited(self).setValue(value, forKey: key)
  }

  /// Asks the class's `validate<Key>:` method, if it has one.
  public func validateValue(_ value: inout Any?, forKey key: String) throws {
    try inherited(self).validateValue(&value, forKey: key)
  }
}

// MARK: - Setters of observed properties

/// Told by the setter of a `@objc dynamic` property before it sets. Where nothing is observed that is one test.
public func willSet(_ object: some KeyValueObservable, _ key: String) {
  if PlainObservers.areThere { PlainObservers.willSet(object, key) }
}

/// Told by the setter when it has set.
public func didSet(_ object: some KeyValueObservable, _ key: String) {
  if PlainObservers.areThere { PlainObservers.didSet(object, key) }
}

/// The same for a property that a managed object's class adds to its model's.
public func willSet(_ object: NSManagedObject, _ key: String) { object.willSetOwnValue(key) }

public func didSet(_ object: NSManagedObject, _ key: String) { object.didSetOwnValue(key) }

/// The same for an object that nobody can observe.
@_disfavoredOverload public func willSet(_ object: AnyObject, _ key: String) {}

@_disfavoredOverload public func didSet(_ object: AnyObject, _ key: String) {}
