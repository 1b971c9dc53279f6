import Foundation

/// An array backed by an ordered to-many property: reads go to the owner, and each change sets the
/// property by key-value coding. Made by `mutableArrayValue(forKey:)`.
///
/// Used on the owner's queue, like the owner.
final class KeyedMutableArray: NSMutableArray {
  private let owner: any KeyValueCodable
  private let key: String

  init(owner: any KeyValueCodable, key: String) {
    self.owner = owner
    self.key = key
    super.init(capacity: 0)
  }

  required init(objects: UnsafePointer<AnyObject>?, count: Int) {
    fatalError("a mutable array of a property is made by mutableArrayValue(forKey:) alone")
  }

  required init?(coder: NSCoder) {
    fatalError("a mutable array of a property cannot be decoded")
  }

  required convenience init(arrayLiteral elements: Any...) {
    fatalError("a mutable array of a property is made by mutableArrayValue(forKey:) alone")
  }

  private var current: [Any] {
    switch owner.value(forKey: key) {
    case nil: []
    case let value?: ElementCollection(value)?.elements ?? []
    }
  }

  override var count: Int { current.count }

  override func object(at index: Int) -> Any { current[index] }

  override func insert(_ object: Any, at index: Int) {
    change { $0.insert(object, at: index) }
  }

  override func removeObject(at index: Int) {
    change { $0.remove(at: index) }
  }

  override func replaceObject(at index: Int, with object: Any) {
    change { $0[index] = object }
  }

  override func add(_ object: Any) {
    change { $0.append(object) }
  }

  override func removeLastObject() {
    change { $0.removeLast() }
  }

  override func removeAllObjects() {
    change { $0 = [] }
  }

  private func change(_ body: (inout [Any]) -> Void) {
    var elements = current
    body(&elements)
    owner.setValue(NSArray(array: elements), forKey: key)
  }
}
