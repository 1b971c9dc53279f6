import CRuntime
import Synchronization

/// A hash table from 64-bit keys to objects that it does not keep alive.
///
///     entries: ┌ key │ object ┬ key │ object ┬ … ┐   open addressing, linear probing,
///              └─────┴────────┴─────┴────────┴───┘   at most two thirds full, key 0 = free
///
/// Eight neighbouring keys share two cache lines, because keys are mostly consecutive primary keys.
///
/// Invariant: an object is in the table from ``insert(_:for:)`` until its own `deinit` calls
/// ``remove(_:for:)``. Both happen under the lock, as do the look-ups, which retain only an object
/// whose `deinit` has not begun. So a pointer read under the lock always points at live memory,
/// whichever thread drops the last reference.
package final class WeakTable<Element: AnyObject>: @unchecked Sendable {
  private struct Entry {
    var key: UInt64
    var object: UnsafeMutableRawPointer?
  }

  private struct Storage {
    var entries: UnsafeMutablePointer<Entry>
    var bits: Int
    var count = 0

    var capacity: Int { 1 << bits }
    var mask: Int { capacity - 1 }
  }

  // Guards `storage`. Never held while an element is released: its `deinit` takes the lock.
  private let lock = Mutex<Void>(())
  private var storage: Storage
  // Written under the lock. Read outside of it by those for whom an object entered meanwhile is none.
  private let isEmpty = Atomic(true)

  private let salt = UInt64.random(in: 0...UInt64.max)

  package init() { storage = Self.makeStorage(bits: 4) }

  deinit { storage.entries.deallocate() }

  /// The number of objects in the table, those whose `deinit` is about to remove them included.
  package var count: Int { lock.withLock { _ in storage.count } }

  package func object(for key: UInt64) -> Element? {
    lock.withLock { _ in lookUp(key) }
  }

  /// The same, without the lock where the table is empty: most of the tables of identities are.
  package func objectIfAny(for key: UInt64) -> Element? {
    isEmpty.load(ordering: .acquiring) ? nil : object(for: key)
  }

  /// The object for `key`, made by `make` and entered when there is none. `make` runs under the
  /// lock: it must not release an element.
  package func object(for key: UInt64, orInsert make: () -> Element) -> Element {
    lock.withLock { _ in
      if let found = lookUp(key) { return found }
      let made = make()
      enter(made, key)
      return made
    }
  }

  /// Enters `object`, in place of what was there for `key`.
  package func insert(_ object: Element, for key: UInt64) {
    lock.withLock { _ in enter(object, key) }
  }

  /// Makes room for `count` objects in all, so that entering them does not make the table grow.
  package func reserve(_ count: Int) { lock.withLock { _ in makeRoom(for: count) } }

  /// Takes `object` out unless another has been entered for its key since. Called by its `deinit`.
  package func remove(_ object: Element, for key: UInt64) {
    lock.withLock { _ in leave(object, key) }
  }

  /// Every object that is alive now.
  package func objects() -> [Element] {
    lock.withLock { _ in
      var all: [Element] = []
      all.reserveCapacity(storage.count)
      for index in 0..<storage.capacity {
        if let pointer = storage.entries[index].object, let object = retain(pointer) {
          all.append(object)
        }
      }
      return all
    }
  }

  /// Runs `body` with unlocked look-up and entry, for a batch under one acquisition of the lock.
  /// `body` must not release an element.
  package func withBatch<Result>(_ body: (Batch) throws -> Result) rethrows -> Result {
    try lock.withLock { _ in try body(Batch(table: self)) }
  }

  package struct Batch {
    fileprivate let table: WeakTable

    package func object(for key: UInt64) -> Element? { table.lookUp(key) }

    package func insert(_ object: Element, for key: UInt64) { table.enter(object, key) }

    package func remove(_ object: Element, for key: UInt64) { table.leave(object, key) }

    package func reserve(_ count: Int) { table.makeRoom(for: count) }

    package func object(for key: UInt64, orInsert make: () -> Element) -> Element {
      if let found = table.lookUp(key) { return found }
      let made = make()
      table.enter(made, key)
      return made
    }
  }

  // MARK: - Under the lock

  private func lookUp(_ key: UInt64) -> Element? {
    let index = index(of: key)
    guard let pointer = storage.entries[index].object else { return nil }
    return retain(pointer)
  }

  private func retain(_ pointer: UnsafeMutableRawPointer) -> Element? {
    guard swift_tryRetain(pointer) != nil else { return nil }
    return Unmanaged<Element>.fromOpaque(pointer).takeRetainedValue()
  }

  private func enter(_ object: Element, _ key: UInt64) {
    precondition(key != 0, "Key 0 marks a free entry")
    if (storage.count + 1) * 3 > storage.capacity * 2 { grow(to: storage.bits + 1) }
    let index = index(of: key)
    if storage.entries[index].key == 0 {
      if storage.count == 0 { isEmpty.store(false, ordering: .releasing) }
      storage.count += 1
    }
    storage.entries[index] = Entry(
      key: key, object: Unmanaged.passUnretained(object).toOpaque())
  }

  private func leave(_ object: Element, _ key: UInt64) {
    let index = index(of: key)
    guard storage.entries[index].key == key,
      storage.entries[index].object == Unmanaged.passUnretained(object).toOpaque()
    else { return }
    vacate(index)
  }

  /// The entry of `key`, or the free one where it belongs.
  private func index(of key: UInt64) -> Int {
    var index = home(of: key)
    while storage.entries[index].key != key && storage.entries[index].key != 0 {
      index = (index + 1) & storage.mask
    }
    return index
  }

  /// Tables differ in their salt: the objects of one, entered into another in the order that they are found in,
  /// would else all be neighbours there while it is still small.
  private func home(of key: UInt64) -> Int {
    var block = ((key >> 3) &+ salt) &* 0x9E37_79B9_7F4A_7C15
    block = (block ^ block >> 32) &* 0xD6E8_FEB8_6659_FD93
    return Int(truncatingIfNeeded: (block >> UInt64(67 - storage.bits)) << 3 | (key & 7))
  }

  /// Frees an entry and closes the gap, so that no look-up stops short.
  private func vacate(_ index: Int) {
    var gap = index
    var next = (gap + 1) & storage.mask
    while storage.entries[next].key != 0 {
      let home = home(of: storage.entries[next].key)
      if ((next - home) & storage.mask) >= ((next - gap) & storage.mask) {
        storage.entries[gap] = storage.entries[next]
        gap = next
      }
      next = (next + 1) & storage.mask
    }
    storage.entries[gap] = Entry(key: 0, object: nil)
    storage.count -= 1
    if storage.count == 0 { isEmpty.store(true, ordering: .releasing) }
  }

  private func makeRoom(for count: Int) {
    var bits = storage.bits
    while count * 3 > (1 << bits) * 2 { bits += 1 }
    if bits > storage.bits { grow(to: bits) }
  }

  private func grow(to bits: Int) {
    let old = storage
    storage = Self.makeStorage(bits: bits)
    storage.count = old.count
    for index in 0..<old.capacity where old.entries[index].key != 0 {
      storage.entries[self.index(of: old.entries[index].key)] = old.entries[index]
    }
    old.entries.deallocate()
  }

  private static func makeStorage(bits: Int) -> Storage {
    let entries = UnsafeMutablePointer<Entry>.allocate(capacity: 1 << bits)
    entries.initialize(repeating: Entry(key: 0, object: nil), count: 1 << bits)
    return Storage(entries: entries, bits: bits)
  }
}
