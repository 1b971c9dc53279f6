import Foundation

/// An owner that can apply an edit of some members of an ordered property, rather than set all of
/// them.
package protocol OrderedMembersOwner: KeyValueCodable {
  /// Replaces the members of the property; only members that differ from the current ones count as
  /// edited.
  func edit(_ members: NSOrderedSet, forKey key: String)
}

/// An ordered set backed by an ordered to-many property: reads go to the owner, and each change
/// sets the property by key-value coding. Made by `mutableOrderedSetValue(forKey:)`.
///
/// Some members of Foundation's class (`array`, `firstObject`, enumeration) cannot be overridden
/// and read its own storage. That storage is filled when the set is made and after each change made
/// through it.
///
/// Used on the owner's queue, like the owner.
final class KeyedMutableOrderedSet: NSMutableOrderedSet {
  private let owner: any KeyValueCodable
  private let key: String
  // While the storage is filled, reads go to the storage.
  private var isFilling = false

  init(owner: any KeyValueCodable, key: String) {
    self.owner = owner
    self.key = key
    super.init(capacity: 0)
    fill()
  }

  private func fill() {
    isFilling = true
    super.removeAllObjects()
    super.addObjects(from: current.array)
    isFilling = false
  }

  override init(objects: UnsafePointer<AnyObject>?, count: Int) {
    fatalError("a mutable ordered set of a property is made by mutableOrderedSetValue(forKey:)")
  }

  required convenience init(arrayLiteral elements: Any...) {
    fatalError("a mutable ordered set of a property is made by mutableOrderedSetValue(forKey:)")
  }

  required init?(coder: NSCoder) {
    fatalError("a mutable ordered set of a property cannot be decoded")
  }

  private var current: NSOrderedSet {
    switch owner.value(forKey: key) {
    case let set as NSOrderedSet: set
    case let value?: NSOrderedSet(array: ElementCollection(value)?.elements ?? [])
    case nil: NSOrderedSet()
    }
  }

  override var count: Int { isFilling ? super.count : current.count }

  override func object(at index: Int) -> Any {
    isFilling ? super.object(at: index) : current.object(at: index)
  }

  override func index(of object: Any) -> Int {
    let value = TypedValue(object)
    return current.array.firstIndex { TypedValue($0) == value } ?? NSNotFound
  }

  override func contains(_ object: Any) -> Bool {
    isFilling ? super.contains(object) : index(of: object) != NSNotFound
  }

  override func insert(_ object: Any, at index: Int) {
    change { $0.insert(object, at: index) }
  }

  override func removeObject(at index: Int) {
    change { $0.removeObject(at: index) }
  }

  override func replaceObject(at index: Int, with object: Any) {
    let old = self.index(of: object)
    change { set in
      guard old != NSNotFound, old != index else {
        return set.replaceObject(at: index, with: object)
      }
      // Foundation's method would leave the object at both places.
      set.removeObject(at: old)
      set.replaceObject(at: old < index ? index - 1 : index, with: object)
    }
  }

  override func add(_ object: Any) {
    change { $0.add(object) }
  }

  override func remove(_ object: Any) {
    change { $0.remove(object) }
  }

  override func removeAllObjects() {
    change { $0.removeAllObjects() }
  }

  override func add(_ objects: UnsafePointer<AnyObject>?, count: Int) {
    change { $0.add(objects, count: count) }
  }

  override func addObjects(from array: [Any]) {
    change { $0.addObjects(from: array) }
  }

  override func exchangeObject(at first: Int, withObjectAt second: Int) {
    change { $0.exchangeObject(at: first, withObjectAt: second) }
  }

  override func moveObjects(at indexes: IndexSet, to index: Int) {
    change { $0.moveObjects(at: indexes, to: index) }
  }

  override func intersect(_ other: NSOrderedSet) {
    change { set in set.removeObjects(in: set.array.filter { !other.contains($0) }) }
  }

  override func sortRange(
    _ range: NSRange, options: NSSortOptions = [],
    usingComparator comparator: (Any, Any) -> ComparisonResult
  ) {
    change { $0.sortRange(range, options: options, usingComparator: comparator) }
  }

  override func sort(using sortDescriptors: [NSSortDescriptor]) {
    change { $0.sort(using: sortDescriptors) }
  }

  private func change(_ body: (NSMutableOrderedSet) -> Void) {
    let copy = NSMutableOrderedSet(orderedSet: current)
    body(copy)
    if let owner = owner as? any OrderedMembersOwner {
      owner.edit(NSOrderedSet(orderedSet: copy), forKey: key)
    } else {
      owner.setValue(NSOrderedSet(orderedSet: copy), forKey: key)
    }
    fill()
  }
}
