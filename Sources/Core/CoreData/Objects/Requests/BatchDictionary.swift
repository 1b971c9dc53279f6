/// The dictionary that a batch insertion passes to its dictionary handler: values of attributes by
/// slot, all other keys in a dictionary of their own.
///
/// Values of the usual types are stored directly in the row that is to be inserted, and read back
/// from it. A plain dictionary would hash every key twice and box every value, a million times.
final class BatchDictionary: NSMutableDictionary {
  private struct Slot {
    /// The type of a stored attribute; nil for every other property.
    var type: NSAttributeType?
    /// The type of the value that the handler set.
    var kind = PlainKind.none
  }

  private let layout: EntityLayout?
  // Manually allocated: an array would be retained and released at each use, once per value.
  private let slots: UnsafeMutableBufferPointer<Slot>
  // Exclusivity is not checked: no foreign code runs while these change, and the check cost an
  // eighth of the time of filling a dictionary.
  /// Unretained, sound: `BatchRows` passes the row to `begin(_:)` for one call of the handler,
  /// holds it during that call, and calls `leaveRow()` afterwards if the handler has kept the
  /// dictionary.
  @exclusivity(unchecked)
  private var row: Unmanaged<Row>?
  /// Values by slot that are of no usual type for their attribute.
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

  /// Required by Foundation, which makes copies with it: a dictionary without an entity.
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

  /// Empties the dictionary and has it fill `row`, which holds the defaults.
  func begin(_ row: Row) {
    self.row = .passUnretained(row)
    for slot in slots.indices { slots[slot].kind = .none }
    if !unusual.isEmpty { unusual.removeAll(keepingCapacity: true) }
    if !others.isEmpty { others.removeAll(keepingCapacity: true) }
    keys.beginAgain()
  }

  /// Calls `body` with each slot whose value is in the row, in order.
  @inline(__always)
  func eachSlotOfRow(_ body: (Int) -> Void) {
    for slot in slots.indices where slots[slot].kind != .none && slots[slot].kind != .unusual {
      body(slot)
    }
  }

  /// Calls `body` with each slot whose value is not in the row, and with the value, in order of
  /// slots.
  func eachUnusual(_ body: (Int, Any) throws -> Void) rethrows {
    if unusual.isEmpty { return }
    for (slot, value) in unusual.sorted(by: { $0.key < $1.key }) { try body(slot, value) }
  }

  /// Calls `body` with the keys that have no slot, and their values.
  func eachOther(_ body: (String, Any) throws -> Void) rethrows {
    if others.isEmpty { return }
    for (key, value) in others { try body(key.base as? String ?? "\(key.base)", value) }
  }

  /// Moves the values out of the row into the dictionary; for a dictionary that the handler has
  /// kept.
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
    keys.note(name, slot: slot)
    return slot
  }

  private func value(_ slot: Int) -> Any? {
    let kind = slots[slot].kind
    if kind == .unusual { return unusual[slot] }
    return row?._withUnsafeGuaranteedRef { kind.value($0[slot]) }
  }

  private func set(_ value: Any, slot: Int) {
    if let row, let type = slots[slot].type,
      let (plain, kind) = BoxedValue.look(into: value, { PlainKind.plain($0, type: type) })
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
    if let slot = slot(key) { set(object, slot: slot) } else { others[key] = object }
  }

  override func removeObject(forKey key: Any) {
    guard let key = key as? AnyHashable else { return }
    if let slot = slot(key) { remove(slot) } else { others[key] = nil }
  }
}

/// The type that a value had before the row stored it in its own form.
private enum PlainKind: UInt8 {
  case none, int, int64, int32, int16, bool, double, date, string
  /// A value of another type, which is not in the row.
  case unusual

  /// Converts a value of a usual type for an attribute: its stored form and its original type.
  @inline(__always)
  static func plain(_ box: BoxedValue, type: NSAttributeType) -> (Value, PlainKind)? {
    guard let value = Value.plain(box, type: type) else { return nil }
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

  /// The value in its original type.
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

/// The slots of the keys that a handler sets row after row: mostly the same strings in the same
/// order, each recognised by its bits, without comparing or hashing it.
private struct RepeatedKeys: ~Copyable {
  private struct Known {
    let bits: BoxedString.Bits
    let slot: Int
  }

  /// The keys of the previous row, in order. Two live strings with the same bits are the same text.
  private let known = UnsafeMutablePointer<Known>.allocate(capacity: limit)
  /// The strings of `known`, retained so that their bits stay theirs.
  private var names: [String] = []
  private var count = 0
  private var position = 0
  /// The most keys remembered per row.
  private static let limit = 256

  deinit { known.deallocate() }

  mutating func beginAgain() { position = 0 }

  /// The slot of `key` if it is the key expected at this position; nil otherwise.
  @inline(__always)
  mutating func next(_ key: AnyHashable) -> Int? {
    guard position < count, let bits = BoxedString.bits(key), bits == known[position].bits else {
      return nil
    }
    position += 1
    return known[position - 1].slot
  }

  /// Records a key that differs from the previous row's, and forgets the keys after it.
  mutating func note(_ name: String, slot: Int) {
    guard position < Self.limit else { return }
    names.removeSubrange(position...)
    names.append(name)
    known[position] = Known(bits: BoxedString.Bits(name), slot: slot)
    position += 1
    count = position
  }
}

/// Reads the string in an `AnyHashable` without a cast, which would look for bridges: four casts
/// cost as much as binding a row.
private enum BoxedString {
  struct Bits: Equatable {
    let first: UInt64
    let second: UInt64

    init(_ string: String) {
      // Sound on 64-bit platforms, where a `String` is two 64-bit words.
      (first, second) = unsafeBitCast(string, to: (UInt64, UInt64).self)
    }

    /// The string with these bits, which must be alive. Sound: the bits were read from a `String`.
    var string: String { unsafeBitCast((first, second), to: String.self) }
  }

  /// The type word of an `AnyHashable` that holds a string: the word after the three of the inline
  /// buffer. nil where the layout of the box is another than expected here.
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

  // Sound: `mark` is the type word of a box that holds a `String`, and a value of at most three
  // words is stored inline in the box.
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
