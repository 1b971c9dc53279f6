import KeyValueCoding

/// An object of a custom atomic store: its values by the names of its properties.
///
/// To-one relationships are nodes, to-many relationships sets of nodes (ordered sets for ordered
/// ones); object IDs may replace nodes. A subclass may keep its values elsewhere and override
/// ``value(forKey:)`` and ``setValue(_:forKey:)``.
///
/// Source: developer.apple.com/documentation/coredata/nsatomicstorecachenode
open class NSAtomicStoreCacheNode: NSObject, KeyValueCodable {
  private let identity: NSManagedObjectID

  /// Makes a node of an object, without values.
  public init(objectID moid: NSManagedObjectID) { identity = moid }

  /// The ID of the node's object.
  open var objectID: NSManagedObjectID { identity }

  /// The values by the names of properties; nil until one is set.
  open var propertyCache: NSMutableDictionary?

  /// The value of a property, from ``propertyCache``; nil also for `NSNull`.
  open func value(forKey key: String) -> Any? {
    guard objectID.layout.place(of: key) != nil else { return value(forUndefinedKey: key) }
    let value = propertyCache?[key]
    return value is NSNull ? nil : value
  }

  /// Sets the value of a property in ``propertyCache``; nil removes it.
  open func setValue(_ value: Any?, forKey key: String) {
    guard objectID.layout.place(of: key) != nil else {
      return setValue(value, forUndefinedKey: key)
    }
    let cache = propertyCache ?? NSMutableDictionary()
    if let value { cache[key] = value } else { cache.removeObject(forKey: key) }
    propertyCache = cache
  }
}
