import Foundation

/// A set of objects that may keep them weakly.
///
/// Objects that were freed are no longer in it. The type may be a protocol of classes, which on
/// Apple's systems Objective-C must know. It is not safe to use from several threads at once.
public class NSHashTable<ObjectType>: NSObject {
  private let options: NSPointerFunctions.Options
  private var held: Set<HeldObject> = []
  /// The number of objects at which those that are gone are removed.
  private var limit = 32

  /// Creates an empty set; the capacity is a hint, which is of no use here.
  public init(options: NSPointerFunctions.Options = [], capacity initialCapacity: Int) {
    self.options = options
  }

  /// Creates an empty set.
  public convenience init(options: NSPointerFunctions.Options) {
    self.init(options: options, capacity: 0)
  }

  public override convenience init() { self.init(options: [], capacity: 0) }

  /// A set that does not keep its objects.
  public class func weakObjects() -> NSHashTable<ObjectType> {
    NSHashTable(options: .weakMemory)
  }

  /// The object of the set that equals one; nil if there is none.
  public func member(_ object: ObjectType?) -> ObjectType? {
    guard let object, let index = held.firstIndex(of: HeldObject(object as AnyObject, options))
    else {
      return nil
    }
    return held[index].object.map { $0 as! ObjectType }
  }

  /// Returns true if an object of the set equals one.
  public func contains(_ anObject: ObjectType?) -> Bool { member(anObject) != nil }

  /// Adds an object; one that equals it stays instead.
  public func add(_ object: ObjectType?) {
    guard let object else { return }
    if held.count >= limit {
      held = held.filter { $0.object != nil }
      limit = max(32, held.count * 2)
    }
    held.insert(HeldObject(object as AnyObject, options))
  }

  /// Removes the object that equals one.
  public func remove(_ object: ObjectType?) {
    guard let object else { return }
    held.remove(HeldObject(object as AnyObject, options))
  }

  /// Removes all objects.
  public func removeAllObjects() { held.removeAll() }

  /// The objects, in no order.
  public var allObjects: [ObjectType] { held.compactMap { $0.object.map { $0 as! ObjectType } } }
  /// The number of objects that are not freed.
  public var count: Int { allObjects.count }
  /// One of the objects; nil if there is none.
  public var anyObject: ObjectType? { allObjects.first }
  /// The objects that are objects of Foundation.
  public var setRepresentation: Set<AnyHashable> {
    Set(allObjects.compactMap { $0 as? NSObject }.map { AnyHashable($0) })
  }

  /// Enumerates the objects that are there now.
  public func objectEnumerator() -> NSEnumerator {
    HeldEnumerator(allObjects.map { $0 as AnyObject })
  }

  /// Adds the objects of another set.
  public func union(_ other: NSHashTable<ObjectType>) { other.allObjects.forEach { add($0) } }

  /// Removes the objects of another set.
  public func minus(_ other: NSHashTable<ObjectType>) { other.allObjects.forEach { remove($0) } }

  /// Removes the objects that are not in another set.
  public func intersect(_ other: NSHashTable<ObjectType>) {
    for object in allObjects where !other.contains(object) { remove(object) }
  }

  /// Returns true if an object is in both sets.
  public func intersects(_ other: NSHashTable<ObjectType>) -> Bool {
    allObjects.contains { other.contains($0) }
  }

  /// Returns true if all objects are in another set.
  public func isSubset(of other: NSHashTable<ObjectType>) -> Bool {
    allObjects.allSatisfy { other.contains($0) }
  }
}
