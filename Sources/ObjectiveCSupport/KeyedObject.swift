import CoreData
import KeyValueCoding

/// Key-value coding for an object of unknown class. Replaces `x as AnyObject` in ported sources
/// that access its keys.
public struct KeyedObject {
  private let object: Any?

  init(_ object: Any?) { self.object = object }

  /// The value of a key. Traps if the object has no such key.
  public func value(forKey key: String) -> Any? {
    trapping { try KeyedValue.value(of: object, forKey: key) }
  }

  /// The value at a path of keys and collection operators. Traps if an object has no such key.
  public func value(forKeyPath keyPath: String) -> Any? {
    trapping { try ValuePath(keyPath).value(of: object) }
  }

  /// Returns whether both are the same object, or equal as objects of Foundation.
  public func isEqual(_ other: Any?) -> Bool {
    guard let object else { return other == nil }
    // Swift values compare by their bridged objects.
    if let left = object as? NSObject ?? (object as AnyObject) as? NSObject {
      return left.isEqual(other)
    }
    return (object as AnyObject) === (other as AnyObject)
  }

  /// Sets the value of a key. Traps if the object has no such key.
  public func setValue(_ value: Any?, forKey key: String) {
    trapping { try KeyedValue.setValue(value, of: object, forKey: key) }
  }

  /// Sets the value at a key path. Traps if an object has no such key.
  public func setValue(_ value: Any?, forKeyPath keyPath: String) {
    trapping { try ValuePath(keyPath).setValue(value, of: object) }
  }
}

/// Key-value coding for an object of any class, a collection or a dictionary.
public func keyed(_ object: Any?) -> KeyedObject { KeyedObject(object) }
