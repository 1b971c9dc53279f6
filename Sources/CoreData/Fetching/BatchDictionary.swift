/// What a batch insertion hands to a handler that fills dictionaries: the attributes' values by slot, other keys
/// in a dictionary of their own.
///
/// A plain dictionary would hash every key twice and box every value, a million times.
final class BatchDictionary: NSMutableDictionary {
  private let layout: EntityLayout?
  private var values: [Any?]
  private var others: [AnyHashable: Any] = [:]

  init(_ layout: EntityLayout) {
    self.layout = layout
    values = Array(repeating: nil, count: layout.slots.count)
    super.init(objects: nil, forKeys: nil, count: 0)
  }

  /// For Foundation alone, which makes copies with it: a dictionary of no entity.
  required init(
    objects: UnsafePointer<AnyObject>!, forKeys keys: UnsafePointer<NSObject>!, count: Int
  ) {
    layout = nil
    values = []
    super.init(objects: nil, forKeys: nil, count: 0)
    for index in 0..<count { setObject(objects[index], forKey: keys[index]) }
  }

  required init?(coder: NSCoder) { fatalError("A dictionary of a batch insertion is not archived") }

  func clear() {
    for slot in values.indices { values[slot] = nil }
    if !others.isEmpty { others.removeAll(keepingCapacity: true) }
  }

  /// The slots with their values, in order.
  func eachSlot(_ body: (Int, Any) throws -> Void) rethrows {
    for slot in values.indices {
      guard let value = values[slot] else { continue }
      try body(slot, value)
    }
  }

  /// The keys that are none of a slot.
  func eachOther(_ body: (String, Any) throws -> Void) rethrows {
    if others.isEmpty { return }
    for (key, value) in others { try body(key.base as? String ?? "\(key.base)", value) }
  }

  private func slot(_ key: AnyHashable) -> Int? {
    guard let name = key.base as? String, case .slot(let slot) = layout?.place(of: name) else {
      return nil
    }
    return slot
  }

  private func value(_ key: AnyHashable) -> Any? {
    if let slot = slot(key) { values[slot] } else { others[key] }
  }

  private func set(_ value: Any?, _ key: AnyHashable) {
    if let slot = slot(key) { values[slot] = value } else { others[key] = value }
  }

  override var count: Int { values.count { $0 != nil } + others.count }

  override func object(forKey key: Any) -> Any? { (key as? AnyHashable).flatMap(value) }

  override func keyEnumerator() -> NSEnumerator {
    var keys: [Any] = []
    if let layout { eachSlot { slot, _ in keys.append(layout.slots[slot].name) } }
    eachOther { key, _ in keys.append(key) }
    return NSArray(array: keys).objectEnumerator()
  }

  override func setObject(_ object: Any, forKey key: AnyHashable) { set(object, key) }

  override func removeObject(forKey key: Any) {
    if let key = key as? AnyHashable { set(nil, key) }
  }
}
