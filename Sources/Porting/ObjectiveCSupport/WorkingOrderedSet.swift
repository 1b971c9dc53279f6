import Foundation

/// An `NSMutableOrderedSet` that removes and compares elements correctly.
///
/// Foundation's class does not find numbers to remove, keeps duplicates from its initialiser, and
/// does not return from `intersect`. Ported sources create this class instead.
private final class WorkingOrderedSet: NSMutableOrderedSet {
  init(_ elements: [Any]) {
    super.init(capacity: elements.count)
    addObjects(from: elements)
  }

  override init(objects: UnsafePointer<AnyObject>?, count: Int) {
    super.init(objects: objects, count: count)
  }

  required convenience init(arrayLiteral elements: Any...) { self.init(elements) }

  required convenience init?(coder: NSCoder) {
    guard let set = NSOrderedSet(coder: coder) else { return nil }
    self.init(set.array)
  }

  /// Archives contain Foundation's class.
  override var classForCoder: AnyClass { NSMutableOrderedSet.self }

  // The superclass implements these only for instances of its own class.
  override func copy(with zone: NSZone? = nil) -> Any { NSOrderedSet(array: array) }
  override func mutableCopy(with zone: NSZone? = nil) -> Any { WorkingOrderedSet(array) }

  /// Finds the element that `contains` finds: a Swift value by its object, and the reverse.
  override func index(of object: Any) -> Int {
    guard contains(object) else { return NSNotFound }
    let value = object as? AnyHashable
    return array.firstIndex { $0 as? AnyHashable == value }
      ?? array.firstIndex { NSSet(object: $0).contains(object) } ?? NSNotFound
  }

  override func remove(_ object: Any) {
    let index = index(of: object)
    if index != NSNotFound { removeObject(at: index) }
  }

  override func intersect(_ other: NSOrderedSet) { keep { other.contains($0) } }

  // The elements of these sets are found whether they or those of this one are boxed: a set of
  // `AnyHashable` finds no `NSString` for a `String`.
  override func intersectSet(_ other: Set<AnyHashable>) {
    let other = Self.boxed(other)
    keep { other.contains($0) }
  }

  override func minusSet(_ other: Set<AnyHashable>) {
    let other = Self.boxed(other)
    keep { !other.contains($0) }
  }

  override func unionSet(_ other: Set<AnyHashable>) { addObjects(from: other.map(\.base)) }

  private func keep(where isKept: (Any) -> Bool) {
    for (index, object) in array.enumerated().reversed() where !isKept(object) {
      removeObject(at: index)
    }
  }

  private static func boxed(_ set: Set<AnyHashable>) -> NSSet { NSSet(array: set.map(\.base)) }
}

/// Replaces a mutable ordered set that Foundation has just made by a working one; returns any other
/// value unchanged.
public func working<Value>(_ value: Value) -> Value {
  guard let set = value as? NSMutableOrderedSet, type(of: set) == NSMutableOrderedSet.self else {
    return value
  }
  return WorkingOrderedSet(set.array) as! Value
}
