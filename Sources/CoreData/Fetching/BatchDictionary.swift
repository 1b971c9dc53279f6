/// What a batch insertion hands to a handler that fills dictionaries: the attributes' values by slot, other keys
/// in a dictionary of their own.
///
/// A plain dictionary would hash every key twice and box every value, a million times.
final class BatchDictionary: NSMutableDictionary {
  private let layout: EntityLayout?
  // Nobody is called while they change, and checking that took an eighth of filling a dictionary.
  @exclusivity(unchecked)
  private var values: [Any?]
  @exclusivity(unchecked)
  private var others: [AnyHashable: Any] = [:]
  @exclusivity(unchecked)
  private var keys = RepeatedKeys()

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
    keys.beginAgain()
  }

  /// The slots with their values, in order.
  func eachSlot(_ body: (Int, Any) throws -> Void) rethrows {
    try values.withUnsafeBufferPointer { values in
      for slot in values.indices {
        guard let value = values[slot] else { continue }
        try body(slot, value)
      }
    }
  }

  /// The keys that are none of a slot.
  func eachOther(_ body: (String, Any) throws -> Void) rethrows {
    if others.isEmpty { return }
    for (key, value) in others { try body(key.base as? String ?? "\(key.base)", value) }
  }

  private func slot(_ key: AnyHashable) -> Int? {
    guard let layout else { return nil }
    return keys.slot(key) { name in
      if case .slot(let slot) = layout.place(of: name) { slot } else { nil }
    }
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

/// The slots of the keys that a handler sets for one row after the other: mostly the same strings in the same order,
/// each recognised by its bits, without being compared or hashed.
private struct RepeatedKeys {
  /// In the order of the row before. Strings that are alive and have the same bits are the same text.
  private var known: [(name: String, slot: Int)] = []
  private var next = 0
  /// More are no repetition.
  private static let limit = 256

  mutating func beginAgain() { next = 0 }

  /// The slot of a key; `find` is asked for a name that does not come in its turn.
  @inline(__always)
  mutating func slot(_ key: AnyHashable, _ find: (String) -> Int?) -> Int? {
    guard let name = BoxedString.name(key) else { return nil }
    if next < known.count, name.hasSameBits(as: known[next].name) {
      next += 1
      return known[next - 1].slot
    }
    return otherSlot(name, find)
  }

  @inline(never)
  private mutating func otherSlot(_ name: String, _ find: (String) -> Int?) -> Int? {
    guard let slot = find(name) else { return nil }
    if next < Self.limit {
      known.removeSubrange(next...)
      known.append((name, slot))
      next += 1
    }
    return slot
  }
}

extension String {
  @inline(__always)
  fileprivate func hasSameBits(as other: String) -> Bool {
    unsafeBitCast(self, to: (UInt64, UInt64).self)
      == unsafeBitCast(other, to: (UInt64, UInt64).self)
  }
}

/// The string in a hashable box, without a cast, which would look for bridges: four of them take as long as binding a
/// row.
private enum BoxedString {
  /// What says in a box that a string is in it: the word behind the three that hold the string. nil where boxes are
  /// made in another way than this expects.
  private static let mark: UInt? = {
    guard MemoryLayout<AnyHashable>.size == 5 * MemoryLayout<UInt>.size,
      MemoryLayout<String>.size == 2 * MemoryLayout<UInt>.size
    else { return nil }
    let mark = typeWord(of: AnyHashable("A text that is too long to be kept in place"))
    let others = [AnyHashable(1), AnyHashable(1.5), AnyHashable(Substring("text"))]
    return others.contains { typeWord(of: $0) == mark } ? nil : mark
  }()

  @inline(__always)
  private static func typeWord(of key: AnyHashable) -> UInt {
    withUnsafeBytes(of: key) { $0.load(fromByteOffset: 3 * MemoryLayout<UInt>.size, as: UInt.self) }
  }

  // Sound because the mark is the address of the type that is in the box, which is kept in place if it fits.
  @inline(__always)
  static func name(_ key: AnyHashable) -> String? {
    if let mark, typeWord(of: key) == mark {
      return withUnsafeBytes(of: key) {
        $0.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: String.self).pointee
      }
    }
    return key.base as? String
  }
}
