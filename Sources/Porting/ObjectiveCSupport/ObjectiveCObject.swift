import KeyValueCoding

/// A class of ported sources with key-value coding and observing. Its keys are the properties and
/// methods that Objective-C would see.
public protocol ObjectiveCObject: KeyValueObservable {}

extension ObjectiveCObject {
  /// The value of a key from the class's getter, else from
  /// ``KeyValueCodable/value(forUndefinedKey:)``. Numbers are returned as `NSNumber`.
  public func value(forKey key: String) -> Any? { inherited(self).value(forKey: key) }

  /// Sets the value of a key by the class's setter, else by
  /// ``KeyValueCodable/setValue(_:forUndefinedKey:)``. Observers are notified.
  public func setValue(_ value: Any?, forKey key: String) {
    inherited(self).setValue(value, forKey: key)
  }

  /// Calls the class's method `validate<Key>:`, if there is one.
  public func validateValue(_ value: inout Any?, forKey key: String) throws {
    try inherited(self).validateValue(&value, forKey: key)
  }
}

// MARK: - Setters of observed properties

/// Called by the setter of a `@objc dynamic` property before it sets. Costs one test if no object
/// is observed.
public func willSet(_ object: some KeyValueObservable, _ key: String) {
  if PlainObservers.areThere { PlainObservers.willSet(object, key: key) }
}

/// Called by the setter of a `@objc dynamic` property after it has set.
public func didSet(_ object: some KeyValueObservable, _ key: String) {
  if PlainObservers.areThere { PlainObservers.didSet(object, key: key) }
}

/// Called by the setter of a property that a managed object class adds to those of its model,
/// before it sets.
public func willSet(_ object: NSManagedObject, _ key: String) { object.willSetOwnValue(key) }

/// Called by the setter of a property that a managed object class adds to those of its model, after
/// it has set.
public func didSet(_ object: NSManagedObject, _ key: String) { object.didSetOwnValue(key) }

/// Does nothing: objects of other classes cannot be observed.
@_disfavoredOverload public func willSet(_ object: AnyObject, _ key: String) {}

/// Does nothing: objects of other classes cannot be observed.
@_disfavoredOverload public func didSet(_ object: AnyObject, _ key: String) {}
