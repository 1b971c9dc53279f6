import Foundation

extension NSArray {
  /// The elements' values for a key, `NSNull` for nil; traps for a key that one does not have.
  public func value(forKey key: String) -> Any? {
    trapping { try KeyedValue.value(of: self, forKey: key) }
  }

  /// The value of a path of keys and collection operators: `@sum.price`, `@unionOfObjects.name`.
  public func value(forKeyPath keyPath: String) -> Any? {
    trapping { try ValuePath(keyPath).value(of: self) }
  }

  /// Sets a property of every element.
  public func setValue(_ value: Any?, forKey key: String) {
    trapping { try KeyedValue.setValue(value, of: self, forKey: key) }
  }
}

extension NSSet {
  /// The set of the elements' values for a key; traps for a key that one does not have.
  public func value(forKey key: String) -> Any? {
    trapping { try KeyedValue.value(of: self, forKey: key) }
  }

  /// The value of a path of keys and collection operators: `@max.date`.
  public func value(forKeyPath keyPath: String) -> Any? {
    trapping { try ValuePath(keyPath).value(of: self) }
  }

  /// Sets a property of every element.
  public func setValue(_ value: Any?, forKey key: String) {
    trapping { try KeyedValue.setValue(value, of: self, forKey: key) }
  }
}

extension NSOrderedSet {
  /// The ordered set of the elements' values for a key; traps for a key that one does not have.
  public func value(forKey key: String) -> Any? {
    trapping { try KeyedValue.value(of: self, forKey: key) }
  }

  /// The value of a path of keys and collection operators: `@avg.price`.
  public func value(forKeyPath keyPath: String) -> Any? {
    trapping { try ValuePath(keyPath).value(of: self) }
  }

  /// Sets a property of every element.
  public func setValue(_ value: Any?, forKey key: String) {
    trapping { try KeyedValue.setValue(value, of: self, forKey: key) }
  }
}

extension NSDictionary {
  /// The value of a path that starts with a key of this dictionary.
  public func value(forKeyPath keyPath: String) -> Any? {
    trapping { try ValuePath(keyPath).value(of: self) }
  }
}

extension NSMutableDictionary {
  /// Sets the value of a key; nil removes it.
  public func setValue(_ value: Any?, forKey key: String) {
    trapping { try KeyedValue.setValue(value, of: self, forKey: key) }
  }

  /// Sets the property at the end of a path that starts with a key of this dictionary.
  public func setValue(_ value: Any?, forKeyPath keyPath: String) {
    trapping { try ValuePath(keyPath).setValue(value, of: self) }
  }
}
