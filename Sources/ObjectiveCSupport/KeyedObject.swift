import CoreData
import KeyValueCoding

/// Any object that has keys. What `x as AnyObject` is in ported sources where its keys are asked for.
public struct KeyedObject {
  private let object: Any?

  init(_ object: Any?) { self.object = object }

  /// Stops the program where the object has no such key.
  public func value(forKey key: String) -> Any? {
    trapping { try KeyedValue.value(of: object, forKey: key) }
  }

  /// The same along a path of keys and collection operators.
  public func value(forKeyPath keyPath: String) -> Any? {
    trapping { try ValuePath(keyPath).value(of: object) }
  }

  /// Whether both are one object, or equal as objects of Foundation are.
  public func isEqual(_ other: Any?) -> Bool {
    guard let object else { return other == nil }
    // A value of Swift's is an object by its bridge.
    if let left = object as? NSObject ?? (object as AnyObject) as? NSObject {
      return left.isEqual(other)
    }
    return (object as AnyObject) === (other as AnyObject)
  }

  /// Stops the program where the object has no such key.
  public func setValue(_ value: Any?, forKey key: String) {
    trapping { try KeyedValue.setValue(value, of: object, forKey: key) }
  }

  /// The same at the end of a path.
  public func setValue(_ value: Any?, forKeyPath keyPath: String) {
    trapping { try ValuePath(keyPath).setValue(value, of: object) }
  }
}

/// The keys of an object of whatever class, of a collection or of a dictionary.
public func keyed(_ object: Any?) -> KeyedObject { KeyedObject(object) }
