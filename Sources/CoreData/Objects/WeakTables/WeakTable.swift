import Synchronization

/// A hash table from 64-bit keys to objects that it does not keep alive, under one lock.
package final class WeakTable<Element: AnyObject>: @unchecked Sendable {
  // Guards `entries`. Never held while an element is released: its `deinit` takes the lock.
  private let lock = Mutex<Void>(())
  @exclusivity(unchecked)
  private var entries = WeakEntries<Element>(salt: TableSalt.next())
  // The objects that were entered and not taken out, those among them whose place another has taken.
  @exclusivity(unchecked)
  private var members = 0
  // Written under the lock. Read outside of it by those for whom an object entered meanwhile is none.
  private let hasNone = Atomic(true)

  package init() {}

  deinit { entries.deallocate() }

  /// The number of objects in the table, those whose `deinit` is about to remove them included.
  package var count: Int { lock.withLock { _ in entries.count } }

  package func object(for key: UInt64) -> Element? {
    lock.withLock { _ in entries.lookUp(key) }
  }

  /// Without the lock: an object entered meanwhile counts for none.
  package var isEmpty: Bool { hasNone.load(ordering: .acquiring) }

  /// The same, without the lock where the table is empty: most of the tables of identities are.
  package func objectIfAny(for key: UInt64) -> Element? {
    isEmpty ? nil : object(for: key)
  }

  /// The object for `key`, made by `make` and entered when there is none. `make` runs under the
  /// lock: it must not release an element.
  package func object(for key: UInt64, orInsert make: () -> Element) -> Element {
    lock.withLock { _ in
      if let found = entries.lookUp(key) { return found }
      let made = make()
      enter(made, key)
      return made
    }
  }

  /// Enters `object`, in place of what was there for `key`. True when it is the first member.
  @discardableResult
  package func insert(_ object: Element, for key: UInt64) -> Bool {
    withBatch { $0.insert(object, for: key) }.isFilled
  }

  /// Makes room for `count` objects in all, so that entering them does not make the table grow.
  package func reserve(_ count: Int) { lock.withLock { _ in entries.makeRoom(for: count) } }

  /// Takes out an object that was entered, by its `deinit` at the latest. True when no member is left.
  @discardableResult
  package func remove(_ object: Element, for key: UInt64) -> Bool {
    lock.withLock { _ in
      leave(object, key)
      return members == 0
    }
  }

  /// Every object that is alive now.
  package func objects() -> [Element] { lock.withLock { _ in entries.objects() } }

  /// Runs `body` with unlocked look-up and entry, for a batch under one acquisition of the lock.
  /// `body` must not release an element. Also tells whether the table has got its first member.
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

    /// Enters an object unless there is another one for its key, which it gives then.
    @inline(__always)
    package func insertIfNone(_ object: Element, for key: UInt64) -> Element? {
      table.enterIfNone(object, key)
    }

    package func insert(_ object: Element, for key: UInt64) { table.enter(object, key) }

    package func remove(_ object: Element, for key: UInt64) { table.leave(object, key) }
  }

  // MARK: - Under the lock

  @inline(__always)
  private func enter(_ object: Element, _ key: UInt64) {
    entries.enter(object, key)
    countIn()
  }

  @inline(__always)
  private func enterIfNone(_ object: Element, _ key: UInt64) -> Element? {
    if let known = entries.enterIfNone(object, key) { return known }
    countIn()
    return nil
  }

  @inline(__always)
  private func countIn() {
    if members == 0 { hasNone.store(false, ordering: .releasing) }
    members += 1
  }

  @inline(__always)
  private func leave(_ object: Element, _ key: UInt64) {
    entries.leave(object, key)
    members -= 1
    if members == 0 { hasNone.store(true, ordering: .releasing) }
  }
}
