import Foundation

/// An `NSMutableOrderedSet` that takes out, and tells apart, what it should.
///
/// Foundation's finds no number that it should take out, keeps twice what it is made with twice, and does not come back
/// from `intersect`. Ported sources make this one in its place.
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

  /// Archives know Foundation's class.
  override var classForCoder: AnyClass { NSMutableOrderedSet.self }

  // The superclass does these for objects of its own class alone.
  override func copy(with zone: NSZone? = nil) -> Any { NSOrderedSet(array: array) }
  override func mutableCopy(with zone: NSZone? = nil) -> Any { WorkingOrderedSet(array) }

  /// What is contained is found: a value of Swift's in its object, and the other way round.
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

  override func intersect(_ other: NSOrderedSet) {
    for (index, object) in array.enumerated().reversed() where !other.contains(object) {
      removeObject(at: index)
    }
  }
}

/// A mutable ordered set that works, in the place of one that Foundation has just made; anything else as it is.
public func working<Value>(_ value: Value) -> Value {
  guard let set = value as? NSMutableOrderedSet, type(of: set) == NSMutableOrderedSet.self else {
    return value
  }
  return WorkingOrderedSet(set.array) as! Value
}
