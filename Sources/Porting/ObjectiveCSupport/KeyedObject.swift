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
    if let dictionary = object as? NSMutableDictionary {
      return dictionary.set(value, at: keyPath.split(separator: ".").map(String.init)[...])
    }
    trapping { try ValuePath(keyPath).setValue(value, of: object) }
  }
}

extension NSMutableDictionary {
  /// Sets the value at a path. Foundation hands out a dictionary in another one as a copy, which
  /// is put back here.
  fileprivate func set(_ value: Any?, at path: ArraySlice<String>) {
    guard let key = path.first else { return }
    guard path.count > 1 else {
      if let value {
        setObject(value, forKey: NSString(string: key))
      } else {
        removeObject(forKey: NSString(string: key))
      }
      return
    }
    guard let inner = object(forKey: NSString(string: key)) else { return }
    guard let dictionary = mutableObject(inner) as? NSMutableDictionary else {
      return KeyedObject(inner).setValue(
        value, forKeyPath: path.dropFirst().joined(separator: "."))
    }
    dictionary.set(value, at: path.dropFirst())
    setObject(dictionary, forKey: NSString(string: key))
  }
}

/// Key-value coding for an object of any class, a collection or a dictionary.
public func keyed(_ object: Any?) -> KeyedObject { KeyedObject(object) }
