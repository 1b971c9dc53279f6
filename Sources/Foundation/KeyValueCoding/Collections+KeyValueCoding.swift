import Foundation

extension NSArray {
  /// The elements' values for a key, with `NSNull` for nil. Traps if an element does not have the
  /// key.
  public func value(forKey key: String) -> Any? {
    trapping { try KeyedValue.value(of: self, forKey: key) }
  }

  /// The value of a path of keys and collection operators: `@sum.price`, `@unionOfObjects.name`.
  public func value(forKeyPath keyPath: String) -> Any? {
    trapping { try ValuePath(keyPath).value(of: self) }
  }

  /// Sets a property of every element. Traps if an element does not have the key.
  public func setValue(_ value: Any?, forKey key: String) {
    trapping { try KeyedValue.setValue(value, of: self, forKey: key) }
  }
}

extension NSSet {
  /// The set of the elements' values for a key, without nil. Traps if an element does not have the
  /// key.
  public func value(forKey key: String) -> Any? {
    trapping { try KeyedValue.value(of: self, forKey: key) }
  }

  /// The value of a path of keys and collection operators: `@max.date`.
  public func value(forKeyPath keyPath: String) -> Any? {
    trapping { try ValuePath(keyPath).value(of: self) }
  }

  /// Sets a property of every element. Traps if an element does not have the key.
  public func setValue(_ value: Any?, forKey key: String) {
    trapping { try KeyedValue.setValue(value, of: self, forKey: key) }
  }
}

extension NSOrderedSet {
  /// The ordered set of the elements' values for a key, without nil. Traps if an element does not
  /// have the key.
  public func value(forKey key: String) -> Any? {
    trapping { try KeyedValue.value(of: self, forKey: key) }
  }

  /// The value of a path of keys and collection operators: `@avg.price`.
  public func value(forKeyPath keyPath: String) -> Any? {
    trapping { try ValuePath(keyPath).value(of: self) }
  }

  /// Sets a property of every element. Traps if an element does not have the key.
  public func setValue(_ value: Any?, forKey key: String) {
    trapping { try KeyedValue.setValue(value, of: self, forKey: key) }
  }
}

extension NSDictionary {
  /// The value of a path that starts with a key of this dictionary. Traps for a malformed path.
  public func value(forKeyPath keyPath: String) -> Any? {
    trapping { try ValuePath(keyPath).value(of: self) }
  }
}

extension NSMutableDictionary {
  /// Sets the value of a key; nil removes it.
  public func setValue(_ value: Any?, forKey key: String) {
    trapping { try KeyedValue.setValue(value, of: self, forKey: key) }
  }

  /// Sets the property at the end of a path that starts with a key of this dictionary. Does nothing
  /// if an object on the way is nil.
  public func setValue(_ value: Any?, forKeyPath keyPath: String) {
    trapping { try ValuePath(keyPath).setValue(value, of: self) }
  }
}
