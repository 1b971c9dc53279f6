import Foundation

/// A set backed by a to-many property: reads go to the owner, and each change sets the property by
/// key-value coding. Made by `mutableSetValue(forKey:)`.
///
/// Used on the owner's queue, like the owner.
final class KeyedMutableSet: NSMutableSet {
  private let owner: any KeyValueCodable
  private let key: String
  private var isAsked = false

  init(owner: any KeyValueCodable, key: String) {
    self.owner = owner
    self.key = key
    super.init(capacity: 0)
  }

  required init(capacity: Int) {
    fatalError("a mutable set of a property is made by mutableSetValue(forKey:) alone")
  }

  required init?(coder: NSCoder) {
    fatalError("a mutable set of a property cannot be decoded")
  }

  deinit {
    if !isAsked { UnaskedCollection.report(key, of: "\(type(of: owner))") }
  }

  private var current: NSSet {
    isAsked = true
    return switch owner.value(forKey: key) {
    case let set as NSSet: set
    case let set as Set<AnyHashable>: NSSet(set: set)
    default: NSSet()
    }
  }

  override var count: Int { current.count }

  override func member(_ object: Any) -> Any? { current.member(object) }

  override func objectEnumerator() -> NSEnumerator { current.objectEnumerator() }

  override func add(_ object: Any) {
    change { $0.add(object) }
  }

  override func remove(_ object: Any) {
    change { $0.remove(object) }
  }

  override func removeAllObjects() {
    change { $0.removeAllObjects() }
  }

  private func change(_ body: (NSMutableSet) -> Void) {
    let copy = NSMutableSet(set: current)
    body(copy)
    owner.setValue(NSSet(set: copy), forKey: key)
  }
}
