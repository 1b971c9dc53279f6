/// What a batch insertion hands to a handler that fills dictionaries: the attributes' values by slot, other keys
/// in a dictionary of their own.
///
/// Values of the usual types go straight into the row that is to be inserted, which the dictionary looks into for who asks for
/// them again. A plain dictionary would hash every key twice and box every value, a million times.
final class BatchDictionary: NSMutableDictionary {
  private let layout: EntityLayout?
  /// Of the stored attributes.
  private let types: [NSAttributeType?]
  // Nobody is called while they change, and checking that took an eighth of filling a dictionary.
  /// Not counted: who fills it takes it back before it lets go of it.
  @exclusivity(unchecked)
  private var row: Unmanaged<Row>?
  /// What each slot was given.
  @exclusivity(unchecked)
  private var kinds: [PlainKind]
  /// Of the slots whose values are none of the usual types for their attributes.
  @exclusivity(unchecked)
  private var unusual: [Int: Any] = [:]
  @exclusivity(unchecked)
  private var others: [AnyHashable: Any] = [:]
  @exclusivity(unchecked)
  private var keys = RepeatedKeys()

  init(_ layout: EntityLayout) {
    self.layout = layout
    types = layout.slots.map { slot in
      if case .attribute(let type) = slot.kind, slot.isStored { type } else { nil }
    }
    kinds = Array(repeating: .none, count: layout.slots.count)
    super.init(objects: nil, forKeys: nil, count: 0)
  }

  /// For Foundation alone, which makes copies with it: a dictionary of no entity.
  required init(
    objects: UnsafePointer<AnyObject>!, forKeys keys: UnsafePointer<NSObject>!, count: Int
  ) {
    layout = nil
    types = []
    kinds = []
    super.init(objects: nil, forKeys: nil, count: 0)
    for index in 0..<count { setObject(objects[index], forKey: keys[index]) }
  }

  required init?(coder: NSCoder) { fatalError("A dictionary of a batch insertion is not archived") }

  /// Empty, for the values of the next row, which has the defaults.
  func begin(_ row: Row) {
    self.row = .passUnretained(row)
    kinds.withUnsafeMutableBufferPointer { $0.update(repeating: .none) }
    if !unusual.isEmpty { unusual.removeAll(keepingCapacity: true) }
    if !others.isEmpty { others.removeAll(keepingCapacity: true) }
    keys.beginAgain()
  }

  /// The slots with a value, in order; for those that the row does not have yet, the value too.
  func eachSlot(_ body: (Int, Any?) throws -> Void) rethrows {
    try kinds.withUnsafeBufferPointer { kinds in
      for slot in kinds.indices where kinds[slot] != .none {
        try body(slot, kinds[slot] == .unusual ? unusual[slot] : nil)
      }
    }
  }

  /// The keys that are none of a slot.
  func eachOther(_ body: (String, Any) throws -> Void) rethrows {
    if others.isEmpty { return }
    for (key, value) in others { try body(key.base as? String ?? "\(key.base)", value) }
  }

  /// Somebody has kept the dictionary: its values are its own from here on.
  func leaveRow() {
    for slot in kinds.indices where kinds[slot] != .none {
      unusual[slot] = value(slot)
      kinds[slot] = .unusual
    }
    row = nil
  }

  private func slot(_ key: AnyHashable) -> Int? {
    guard let layout else { return nil }
    return keys.slot(key) { name in
      if case .slot(let slot) = layout.place(of: name) { slot } else { nil }
    }
  }

  private func value(_ slot: Int) -> Any? {
    if kinds[slot] == .unusual { return unusual[slot] }
    return row?._withUnsafeGuaranteedRef { kinds[slot].value($0[slot]) }
  }

  private func set(_ value: Any, _ slot: Int) {
    if let row, let type = types.withUnsafeBufferPointer({ $0[slot] }),
      let (plain, kind) = BoxedValue.look(
        into: value, { box in CoreData.Value.plain(box, type).map { ($0, PlainKind(of: box)) } })
    {
      if kinds[slot] == .unusual { unusual[slot] = nil }
      row._withUnsafeGuaranteedRef { $0[slot] = plain }
      kinds[slot] = kind
    } else {
      remove(slot)
      unusual[slot] = value
      kinds[slot] = .unusual
    }
  }

  private func remove(_ slot: Int) {
    if kinds[slot] == .unusual {
      unusual[slot] = nil
    } else if kinds[slot] != .none, let layout {
      row?._withUnsafeGuaranteedRef { $0[slot] = layout.defaults[slot] }
    }
    kinds[slot] = .none
  }

  override var count: Int { kinds.count { $0 != .none } + others.count }

  override func object(forKey key: Any) -> Any? {
    guard let key = key as? AnyHashable else { return nil }
    return slot(key).map(value) ?? others[key]
  }

  override func keyEnumerator() -> NSEnumerator {
    var keys: [Any] = []
    if let layout { eachSlot { slot, _ in keys.append(layout.slots[slot].name) } }
    eachOther { key, _ in keys.append(key) }
    return NSArray(array: keys).objectEnumerator()
  }

  override func setObject(_ object: Any, forKey key: AnyHashable) {
    if let slot = slot(key) { set(object, slot) } else { others[key] = object }
  }

  override func removeObject(forKey key: Any) {
    guard let key = key as? AnyHashable else { return }
    if let slot = slot(key) { remove(slot) } else { others[key] = nil }
  }
}

/// Of which type a value was that a row has in its own form.
private enum PlainKind: UInt8 {
  case none, int, int64, int32, int16, bool, double, date, string
  /// Not in the row.
  case unusual

  /// Of a value that ``Value/plain(_:_:)`` knows.
  @inline(__always)
  init(of box: BoxedValue) {
    self =
      if box.holds(String.self) {
        .string
      } else if box.holds(Int.self) {
        .int
      } else if box.holds(Double.self) {
        .double
      } else if box.holds(Date.self) {
        .date
      } else if box.holds(Int64.self) {
        .int64
      } else if box.holds(Int32.self) {
        .int32
      } else if box.holds(Int16.self) {
        .int16
      } else {
        .bool
      }
  }

  /// What was given.
  func value(_ stored: Value) -> Any? {
    switch (self, stored) {
    case (.int, .integer(let value)): Int(value)
    case (.int64, .integer(let value)): value
    case (.int32, .integer(let value)): Int32(truncatingIfNeeded: value)
    case (.int16, .integer(let value)): Int16(truncatingIfNeeded: value)
    case (.bool, .integer(let value)): value != 0
    case (.double, .real(let value)): value
    case (.date, .real(let value)): Date(timeIntervalSinceReferenceDate: value)
    case (.string, .text(let value)): value
    default: nil
    }
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
