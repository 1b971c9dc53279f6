import Synchronization

/// A hash table from 64-bit keys to weakly held objects, under one lock.
///
/// Sendable: `entries` and `members` are guarded by `lock`; `hasNone` is atomic.
package final class WeakTable<Element: AnyObject>: @unchecked Sendable {
  // Guards `entries` and `members`. Never held while an element is released: its `deinit` takes the
  // lock.
  private let lock = Mutex<Void>(())
  @exclusivity(unchecked)
  private var entries = WeakEntries<Element>(salt: TableSalt.next())
  // The number of objects that were entered and not removed, including replaced ones.
  @exclusivity(unchecked)
  private var members = 0
  // Written under the lock. Read without it where an object entered concurrently may be missed.
  private let hasNone = Atomic(true)

  package init() {}

  deinit { entries.deallocate() }

  /// The number of objects in the table, including those whose `deinit` is about to remove them.
  package var count: Int { lock.withLock { _ in entries.count } }

  package func object(for key: UInt64) -> Element? {
    lock.withLock { _ in entries.lookUp(key) }
  }

  /// Whether the table has no members. Takes no lock: an object entered concurrently may be missed.
  package var isEmpty: Bool { hasNone.load(ordering: .acquiring) }

  /// The object of a key. Takes no lock if the table is empty, as most tables of identities are.
  package func objectIfAny(for key: UInt64) -> Element? {
    isEmpty ? nil : object(for: key)
  }

  /// The object of a key; if there is none, the one that `make` returns is entered. `make` runs
  /// under the lock and must not release an element.
  package func object(for key: UInt64, orInsert make: () -> Element) -> Element {
    lock.withLock { _ in
      if let found = entries.lookUp(key) { return found }
      let made = make()
      enter(made, key: key)
      return made
    }
  }

  /// Enters an object, replacing the one of its key. Returns true if it is the first member.
  @discardableResult
  package func insert(_ object: Element, for key: UInt64) -> Bool {
    withBatch { $0.insert(object, for: key) }.isFilled
  }

  /// Makes room for `count` objects in all, so that entering them does not grow the table.
  package func reserve(_ count: Int) { lock.withLock { _ in entries.makeRoom(for: count) } }

  /// Removes an object, in its `deinit` at the latest. Returns true if no members are left.
  @discardableResult
  package func remove(_ object: Element, for key: UInt64) -> Bool {
    lock.withLock { _ in
      leave(object, key: key)
      return members == 0
    }
  }

  /// Every live object.
  package func objects() -> [Element] { lock.withLock { _ in entries.objects() } }

  /// Calls `body` with unlocked access to the table, under one acquisition of the lock. `body` must
  /// not release an element. Also returns whether the table has got its first member.
  @inline(__always)
  @discardableResult
  package func withBatch<Result>(
    _ body: (Batch) throws -> Result
  ) rethrows -> (result: Result, isFilled: Bool) {
    try lock.withLock { _ in
      let wasEmpty = members == 0
      let result = try body(Batch(table: self))
      return (result, wasEmpty && members > 0)
    }
  }

  package struct Batch {
    fileprivate let table: WeakTable

    package func object(for key: UInt64) -> Element? { table.entries.lookUp(key) }

    /// Enters an object, or returns the live object of its key.
    @inline(__always)
    package func insertIfNone(_ object: Element, for key: UInt64) -> Element? {
      table.enterIfNone(object, key: key)
    }

    package func insert(_ object: Element, for key: UInt64) { table.enter(object, key: key) }

    package func remove(_ object: Element, for key: UInt64) { table.leave(object, key: key) }
  }

  // MARK: - Under the lock

  @inline(__always)
  private func enter(_ object: Element, key: UInt64) {
    entries.enter(object, key: key)
    countIn()
  }

  @inline(__always)
  private func enterIfNone(_ object: Element, key: UInt64) -> Element? {
    if let known = entries.enterIfNone(object, key: key) { return known }
    countIn()
    return nil
  }

  @inline(__always)
  private func countIn() {
    if members == 0 { hasNone.store(false, ordering: .releasing) }
    members += 1
  }

  @inline(__always)
  private func leave(_ object: Element, key: UInt64) {
    entries.leave(object, key: key)
    members -= 1
    if members == 0 { hasNone.store(true, ordering: .releasing) }
  }
}
