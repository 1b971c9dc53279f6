import Foundation

/// A dictionary of objects that may keep its keys or its values weakly.
///
/// An entry of which something was freed is no longer in it. It is not safe to use from several
/// threads at once. Keys are compared by `isEqual(_:)`, and are not copied.
public class NSMapTable<KeyType, ObjectType>: NSObject {
  private let keyOptions: NSPointerFunctions.Options
  private let valueOptions: NSPointerFunctions.Options
  private var held: [HeldObject: HeldObject] = [:]
  /// The number of entries at which those that are gone are removed.
  private var limit = 32

  /// Creates an empty table; the capacity is a hint, which is of no use here.
  public init(
    keyOptions: NSPointerFunctions.Options = [], valueOptions: NSPointerFunctions.Options = [],
    capacity initialCapacity: Int
  ) {
    self.keyOptions = keyOptions
    self.valueOptions = valueOptions
  }

  /// Creates an empty table.
  public convenience init(
    keyOptions: NSPointerFunctions.Options = [], valueOptions: NSPointerFunctions.Options = []
  ) {
    self.init(keyOptions: keyOptions, valueOptions: valueOptions, capacity: 0)
  }

  public override convenience init() { self.init(capacity: 0) }

  /// A table that keeps its keys and its values.
  public class func strongToStrongObjects() -> NSMapTable<KeyType, ObjectType> { NSMapTable() }

  /// A table that keeps its values, and no keys.
  public class func weakToStrongObjects() -> NSMapTable<KeyType, ObjectType> {
    NSMapTable(keyOptions: .weakMemory)
  }

  /// A table that keeps its keys, and no values.
  public class func strongToWeakObjects() -> NSMapTable<KeyType, ObjectType> {
    NSMapTable(valueOptions: .weakMemory)
  }

  /// A table that keeps nothing.
  public class func weakToWeakObjects() -> NSMapTable<KeyType, ObjectType> {
    NSMapTable(keyOptions: .weakMemory, valueOptions: .weakMemory)
  }

  /// The value of a key; nil if there is none, or if it was freed.
  public func object(forKey aKey: KeyType?) -> ObjectType? {
    guard let aKey else { return nil }
    return held[HeldObject(aKey as AnyObject, keyOptions)]?.object.map { $0 as! ObjectType }
  }

  /// Sets the value of a key; nil removes it.
  public func setObject(_ anObject: ObjectType?, forKey aKey: KeyType?) {
    guard let aKey else { return }
    guard let anObject else { return removeObject(forKey: aKey) }
    if held.count >= limit {
      held = held.filter { $0.key.object != nil && $0.value.object != nil }
      limit = max(32, held.count * 2)
    }
    held[HeldObject(aKey as AnyObject, keyOptions)] = HeldObject(
      anObject as AnyObject, valueOptions)
  }

  /// Removes the entry of a key.
  public func removeObject(forKey aKey: KeyType?) {
    guard let aKey else { return }
    held[HeldObject(aKey as AnyObject, keyOptions)] = nil
  }

  /// Removes all entries.
  public func removeAllObjects() { held.removeAll() }

  private var entries: [(key: KeyType, value: ObjectType)] {
    held.compactMap { key, value in
      guard let key = key.object, let value = value.object else { return nil }
      return (key as! KeyType, value as! ObjectType)
    }
  }

  /// The number of entries of which nothing was freed.
  public var count: Int { entries.count }

  /// Enumerates the keys that are there now.
  public func keyEnumerator() -> NSEnumerator {
    HeldEnumerator(entries.map { $0.key as AnyObject })
  }

  /// Enumerates the values that are there now.
  public func objectEnumerator() -> NSEnumerator? {
    HeldEnumerator(entries.map { $0.value as AnyObject })
  }

  /// The entries, as far as their keys are objects of Foundation.
  public func dictionaryRepresentation() -> [AnyHashable: ObjectType] {
    Dictionary(
      entries.compactMap { entry in (entry.key as? NSObject).map { ($0, entry.value) } },
      uniquingKeysWith: { first, _ in first })
  }
}
