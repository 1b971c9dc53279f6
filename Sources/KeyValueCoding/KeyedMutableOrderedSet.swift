import Foundation

/// An ordered set that stands for an ordered to-many property: what changes in it is set on the owner by
/// key-value coding, and what the owner holds is what it shows. `mutableOrderedSetValue(forKey:)` makes
/// it.
///
/// Used on the owner's queue, like the owner.
final class KeyedMutableOrderedSet: NSMutableOrderedSet {
  private let owner: any KeyValueCodable
  private let key: String

  init(owner: any KeyValueCodable, key: String) {
    self.owner = owner
    self.key = key
    super.init(capacity: 0)
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

  override var count: Int { current.count }

  override func object(at index: Int) -> Any { current.object(at: index) }

  override func index(of object: Any) -> Int {
    let value = TypedValue(object)
    return current.array.firstIndex { TypedValue($0) == value } ?? NSNotFound
  }

  override func contains(_ object: Any) -> Bool { index(of: object) != NSNotFound }

  override func insert(_ object: Any, at index: Int) {
    change { $0.insert(object, at: index) }
  }

  override func removeObject(at index: Int) {
    change { $0.removeObject(at: index) }
  }

  override func replaceObject(at index: Int, with object: Any) {
    change { $0.replaceObject(at: index, with: object) }
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

  private func change(_ body: (NSMutableOrderedSet) -> Void) {
    let copy = NSMutableOrderedSet(orderedSet: current)
    body(copy)
    owner.setValue(NSOrderedSet(orderedSet: copy), forKey: key)
  }
}
