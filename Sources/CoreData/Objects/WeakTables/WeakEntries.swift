import CRuntime

/// The entries of a hash table from 64-bit keys to objects that it does not keep alive.
///
///     entries: ┌ key │ object ┬ key │ object ┬ … ┐   open addressing, probing in steps of 65,
///              └─────┴────────┴─────┴────────┴───┘   at most two thirds full, key 0 = free
///
/// Keys are mostly consecutive primary keys: 64 neighbours lie side by side, a kilobyte that the processor reads ahead
/// of who goes from one to the next. Each such block begins somewhere within its place, so that keys of which only every
/// 64th is used do not meet. A step leads out of the block: where it fills its place, going on within it would pass all of
/// it before it found a free entry.
///
/// Who has it guards it by a lock, and keeps to this: an object is in the table from ``enter(_:_:)`` until its
/// own `deinit` calls ``leave(_:_:)``. Both happen under the lock, as do the look-ups, which retain only
/// an object whose `deinit` has not begun. So a pointer read under the lock always points at live
/// memory, whichever thread drops the last reference. Copies share the memory; the one that is kept frees it.
struct WeakEntries<Element: AnyObject> {
  private struct Entry {
    var key: UInt64
    var object: UnsafeMutableRawPointer?
  }

  private var entries: UnsafeMutablePointer<Entry>
  private var bits: Int
  private(set) var count = 0
  private let salt: UInt64

  private var capacity: Int { 1 << bits }
  private var mask: Int { capacity - 1 }

  /// An empty table, which takes no memory of its own.
  init(salt: UInt64) {
    self.salt = salt
    bits = noEntryBits
    entries = noEntries.assumingMemoryBound(to: Entry.self)
  }

  private var isShared: Bool { bits == noEntryBits }

  func deallocate() {
    if !isShared { ZeroedMemory.deallocate(entries, byteCount: Self.byteCount(bits)) }
  }

  func lookUp(_ key: UInt64) -> Element? {
    let index = index(of: key)
    guard let pointer = entries[index].object else { return nil }
    return retain(pointer)
  }

  private func retain(_ pointer: UnsafeMutableRawPointer) -> Element? {
    guard swift_tryRetain(pointer) != nil else { return nil }
    return Unmanaged<Element>.fromOpaque(pointer).takeRetainedValue()
  }

  /// Enters an object, in place of what was there for its key.
  mutating func enter(_ object: Element, _ key: UInt64) {
    fill(indexWithRoom(for: key), object, key)
  }

  /// Enters an object unless what is there for its key is to stay. That may be at its end already: it is looked at,
  /// and not kept.
  @inline(__always)
  mutating func enter(
    _ object: Element, _ key: UInt64, unless stays: (Unmanaged<Element>) -> Bool
  ) {
    let index = indexWithRoom(for: key)
    if let known = entries[index].object, stays(.fromOpaque(known)) { return }
    fill(index, object, key)
  }

  /// Enters an object unless there is another one for its key, which it gives then.
  mutating func enterIfNone(_ object: Element, _ key: UInt64) -> Element? {
    let index = indexWithRoom(for: key)
    if let pointer = entries[index].object, let known = retain(pointer) { return known }
    fill(index, object, key)
    return nil
  }

  @inline(__always)
  private mutating func indexWithRoom(for key: UInt64) -> Int {
    precondition(key != 0, "Key 0 marks a free entry")
    if isShared || (count + 1) * 3 > capacity * 2 { grow(to: bits + 1) }
    return index(of: key)
  }

  @inline(__always)
  private mutating func fill(_ index: Int, _ object: Element, _ key: UInt64) {
    if entries[index].key == 0 { count += 1 }
    entries[index] = Entry(key: key, object: Unmanaged.passUnretained(object).toOpaque())
  }

  /// Takes an object out unless another has been entered for its key since.
  mutating func leave(_ object: Element, _ key: UInt64) {
    let index = index(of: key)
    guard entries[index].key == key,
      entries[index].object == Unmanaged.passUnretained(object).toOpaque()
    else { return }
    vacate(index)
  }

  /// Makes room for `count` objects in all, so that entering them does not make the table grow.
  mutating func makeRoom(for count: Int) {
    var bits = bits
    while count * 3 > (1 << bits) * 2 { bits += 1 }
    if bits > self.bits { grow(to: bits) }
  }

  /// Every object that is alive now.
  func objects() -> [Element] {
    var all: [Element] = []
    all.reserveCapacity(count)
    for index in 0..<capacity {
      if let pointer = entries[index].object, let object = retain(pointer) { all.append(object) }
    }
    return all
  }

  /// The entry of `key`, or the free one where it belongs.
  private func index(of key: UInt64) -> Int {
    var index = home(of: key)
    while entries[index].key != key && entries[index].key != 0 { index = step(from: index) }
    return index
  }

  @inline(__always)
  private func step(from index: Int) -> Int { (index + 65) & mask }

  /// How many steps lead from one entry to another: the step is odd, so it has an inverse.
  @inline(__always)
  private func steps(from start: Int, to end: Int) -> Int {
    ((end - start) &* Int(bitPattern: 0x0FC0_FC0F_C0FC_0FC1)) & mask
  }

  /// Tables differ in their salt: the objects of one, entered into another in the order that they are found in,
  /// would else all be neighbours there while it is still small.
  @inline(__always)
  private func home(of key: UInt64) -> Int {
    var block = (key >> 6 &+ salt) &* 0x9E37_79B9_7F4A_7C15
    block = (block ^ block >> 32) &* 0xD6E8_FEB8_6659_FD93
    let start = Int(truncatingIfNeeded: (block >> UInt64(70 - bits)) << 6)
    return (start | Int(truncatingIfNeeded: (key &+ block) & 63)) & mask
  }

  /// Frees an entry and closes the gap, so that no look-up stops short.
  private mutating func vacate(_ index: Int) {
    var gap = index
    var next = step(from: gap)
    while entries[next].key != 0 {
      if steps(from: home(of: entries[next].key), to: next) >= steps(from: gap, to: next) {
        entries[gap] = entries[next]
        gap = next
      }
      next = step(from: next)
    }
    entries[gap] = Entry(key: 0, object: nil)
    count -= 1
  }

  private mutating func grow(to bits: Int) {
    let old = self
    let oldEntries = entries
    entries = Self.makeEntries(bits: bits)
    self.bits = bits
    for index in 0..<old.capacity where oldEntries[index].key != 0 {
      entries[self.index(of: oldEntries[index].key)] = oldEntries[index]
    }
    old.deallocate()
  }

  private static func makeEntries(bits: Int) -> UnsafeMutablePointer<Entry> {
    // All zeros is an entry that is free.
    ZeroedMemory.allocate(byteCount: byteCount(bits)).bindMemory(
      to: Entry.self, capacity: 1 << bits)
  }

  private static func byteCount(_ bits: Int) -> Int { MemoryLayout<Entry>.stride << bits }
}

/// The entries of all empty tables: the eight in which one of the fewest bits looks. Nobody writes them.
private nonisolated(unsafe) let noEntries: UnsafeMutableRawPointer = {
  let entries = UnsafeMutableRawPointer.allocate(byteCount: 16 << noEntryBits, alignment: 16)
  entries.initializeMemory(as: UInt8.self, repeating: 0, count: 16 << noEntryBits)
  return entries
}()

private let noEntryBits = 3
