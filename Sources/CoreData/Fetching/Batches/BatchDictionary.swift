/// What a batch insertion hands to a handler that fills dictionaries: the attributes' values by slot, other keys
/// in a dictionary of their own.
///
/// Values of the usual types go straight into the row that is to be inserted, which the dictionary looks into for who asks for
/// them again. A plain dictionary would hash every key twice and box every value, a million times.
final class BatchDictionary: NSMutableDictionary {
  private struct Slot {
    /// Of a stored attribute.
    var type: NSAttributeType?
    /// What it was given.
    var kind = PlainKind.none
  }

  private let layout: EntityLayout?
  // Memory of its own: an array would be counted at each of its uses, as often as there are values.
  private let slots: UnsafeMutableBufferPointer<Slot>
  // Nobody is called while they change, and checking that took an eighth of filling a dictionary.
  /// Not counted: who fills it takes it back before it lets go of it.
  @exclusivity(unchecked)
  private var row: Unmanaged<Row>?
  /// Of the slots whose values are none of the usual types for their attributes.
  @exclusivity(unchecked)
  private var unusual: [Int: Any] = [:]
  @exclusivity(unchecked)
  private var others: [AnyHashable: Any] = [:]
  @exclusivity(unchecked)
  private var keys = RepeatedKeys()

  init(_ layout: EntityLayout) {
    self.layout = layout
    slots = .allocate(capacity: layout.slots.count)
    _ = slots.initialize(
      fromContentsOf: layout.slots.map { slot in
        if case .attribute(let type) = slot.kind, slot.isStored { Slot(type: type) } else { Slot() }
      })
    super.init(objects: nil, forKeys: nil, count: 0)
  }

  /// For Foundation alone, which makes copies with it: a dictionary of no entity.
  required init(
    objects: UnsafePointer<AnyObject>!, forKeys keys: UnsafePointer<NSObject>!, count: Int
  ) {
    layout = nil
    slots = .allocate(capacity: 0)
    super.init(objects: nil, forKeys: nil, count: 0)
    for index in 0..<count { setObject(objects[index], forKey: keys[index]) }
  }

  required init?(coder: NSCoder) { fatalError("A dictionary of a batch insertion is not archived") }

  deinit { slots.deallocate() }

  /// Empty, for the values of the next row, which has the defaults.
  func begin(_ row: Row) {
    self.row = .passUnretained(row)
    for slot in slots.indices { slots[slot].kind = .none }
    if !unusual.isEmpty { unusual.removeAll(keepingCapacity: true) }
    if !others.isEmpty { others.removeAll(keepingCapacity: true) }
    keys.beginAgain()
  }

  /// The slots whose values the row has, in order.
  @inline(__always)
  func eachSlotOfRow(_ body: (Int) -> Void) {
    for slot in slots.indices where slots[slot].kind != .none && slots[slot].kind != .unusual {
      body(slot)
    }
  }

  /// The slots whose values the row does not have, with these, in order.
  func eachUnusual(_ body: (Int, Any) throws -> Void) rethrows {
    if unusual.isEmpty { return }
    for (slot, value) in unusual.sorted(by: { $0.key < $1.key }) { try body(slot, value) }
  }

  /// The keys that are none of a slot.
  func eachOther(_ body: (String, Any) throws -> Void) rethrows {
    if others.isEmpty { return }
    for (key, value) in others { try body(key.base as? String ?? "\(key.base)", value) }
  }

  /// Somebody has kept the dictionary: its values are its own from here on.
  func leaveRow() {
    for slot in slots.indices where slots[slot].kind != .none {
      unusual[slot] = value(slot)
      slots[slot].kind = .unusual
    }
    row = nil
  }

  @inline(__always)
  private func slot(_ key: AnyHashable) -> Int? {
    keys.next(key) ?? otherSlot(key)
  }

  @inline(never)
  private func otherSlot(_ key: AnyHashable) -> Int? {
    guard let name = BoxedString.name(key), case .slot(let slot) = layout?.place(of: name) else {
      return nil
    }
    keys.note(name, slot)
    return slot
  }

  private func value(_ slot: Int) -> Any? {
    let kind = slots[slot].kind
    if kind == .unusual { return unusual[slot] }
    return row?._withUnsafeGuaranteedRef { kind.value($0[slot]) }
  }

  private func set(_ value: Any, _ slot: Int) {
    if let row, let type = slots[slot].type,
      let (plain, kind) = BoxedValue.look(into: value, { PlainKind.plain($0, type) })
    {
      if slots[slot].kind == .unusual { unusual[slot] = nil }
      row._withUnsafeGuaranteedRef { $0[slot] = plain }
      slots[slot].kind = kind
    } else {
      remove(slot)
      unusual[slot] = value
      slots[slot].kind = .unusual
    }
  }

  private func remove(_ slot: Int) {
    if slots[slot].kind == .unusual {
      unusual[slot] = nil
    } else if slots[slot].kind != .none, let layout {
      row?._withUnsafeGuaranteedRef { $0[slot] = layout.defaults[slot] }
    }
    slots[slot].kind = .none
  }

  override var count: Int { slots.count { $0.kind != .none } + others.count }

  override func object(forKey key: Any) -> Any? {
    guard let key = key as? AnyHashable else { return nil }
    return slot(key).map(value) ?? others[key]
  }

  override func keyEnumerator() -> NSEnumerator {
    var keys: [Any] = []
    if let layout {
      for slot in slots.indices where slots[slot].kind != .none {
        keys.append(layout.slots[slot].name)
      }
    }
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

  /// A value of a usual type for an attribute, in stored form, and what it was.
  @inline(__always)
  static func plain(_ box: BoxedValue, _ type: NSAttributeType) -> (Value, PlainKind)? {
    guard let value = Value.plain(box, type) else { return nil }
    switch type {
    case .stringAttributeType: return (value, .string)
    case .doubleAttributeType: return (value, .double)
    case .dateAttributeType: return (value, .date)
    case .booleanAttributeType: return (value, .bool)
    default:
      if box.holds(Int.self) { return (value, .int) }
      if box.holds(Int64.self) { return (value, .int64) }
      return (value, box.holds(Int32.self) ? .int32 : .int16)
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
private struct RepeatedKeys: ~Copyable {
  private struct Known {
    let bits: BoxedString.Bits
    let slot: Int
  }

  /// In the order of the row before. Strings that are alive and have the same bits are the same text.
  private let known = UnsafeMutablePointer<Known>.allocate(capacity: limit)
  /// The strings of those that are known, which keeps them alive.
  private var names: [String] = []
  private var count = 0
  private var position = 0
  /// More are no repetition.
  private static let limit = 256

  deinit { known.deallocate() }

  mutating func beginAgain() { position = 0 }

  /// The slot of a key that comes in its turn.
  @inline(__always)
  mutating func next(_ key: AnyHashable) -> Int? {
    guard position < count, let bits = BoxedString.bits(key), bits == known[position].bits else {
      return nil
    }
    position += 1
    return known[position - 1].slot
  }

  /// The next key is another than in the row before.
  mutating func note(_ name: String, _ slot: Int) {
    guard position < Self.limit else { return }
    names.removeSubrange(position...)
    names.append(name)
    known[position] = Known(bits: BoxedString.Bits(name), slot: slot)
    position += 1
    count = position
  }
}

/// The string in a hashable box, without a cast, which would look for bridges: four of them take as long as binding a
/// row.
private enum BoxedString {
  struct Bits: Equatable {
    let first: UInt64
    let second: UInt64

    init(_ string: String) {
      (first, second) = unsafeBitCast(string, to: (UInt64, UInt64).self)
    }

    /// Of a string that is alive.
    var string: String { unsafeBitCast((first, second), to: String.self) }
  }

  /// What says in a box that a string is in it: the word behind the three that hold the string. nil where boxes are
  /// made in another way than this expects.
  private static let mark: UInt? = {
    guard MemoryLayout<AnyHashable>.size == 5 * MemoryLayout<UInt>.size,
      MemoryLayout<String>.size == 2 * MemoryLayout<UInt64>.size
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
  static func bits(_ key: AnyHashable) -> Bits? {
    guard let mark else { return nil }
    return withUnsafeBytes(of: key) { box in
      box.load(fromByteOffset: 3 * MemoryLayout<UInt>.size, as: UInt.self) == mark
        ? box.load(as: Bits.self) : nil
    }
  }

  static func name(_ key: AnyHashable) -> String? {
    bits(key).map(\.string) ?? key.base as? String
  }
}
