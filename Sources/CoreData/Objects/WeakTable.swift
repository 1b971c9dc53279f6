import Synchronization

/// A hash table from 64-bit keys to objects that it does not keep alive, under one lock.
package final class WeakTable<Element: AnyObject>: @unchecked Sendable {
  // Guards `entries`. Never held while an element is released: its `deinit` takes the lock.
  private let lock = Mutex<Void>(())
  private var entries = WeakEntries<Element>(salt: UInt64.random(in: 0...UInt64.max))
  // Written under the lock. Read outside of it by those for whom an object entered meanwhile is none.
  private let isEmpty = Atomic(true)

  package init() {}

  deinit { entries.deallocate() }

  /// The number of objects in the table, those whose `deinit` is about to remove them included.
  package var count: Int { lock.withLock { _ in entries.count } }

  package func object(for key: UInt64) -> Element? {
    lock.withLock { _ in entries.lookUp(key) }
  }

  /// The same, without the lock where the table is empty: most of the tables of identities are.
  package func objectIfAny(for key: UInt64) -> Element? {
    isEmpty.load(ordering: .acquiring) ? nil : object(for: key)
  }

  /// The object for `key`, made by `make` and entered when there is none. `make` runs under the
  /// lock: it must not release an element.
  package func object(for key: UInt64, orInsert make: () -> Element) -> Element {
    withBatch { $0.object(for: key, orInsert: make) }
  }

  /// Enters `object`, in place of what was there for `key`.
  package func insert(_ object: Element, for key: UInt64) {
    lock.withLock { _ in enter(object, key) }
  }

  /// Makes room for `count` objects in all, so that entering them does not make the table grow.
  package func reserve(_ count: Int) { lock.withLock { _ in entries.makeRoom(for: count) } }

  /// Takes `object` out unless another has been entered for its key since. Called by its `deinit`.
  package func remove(_ object: Element, for key: UInt64) {
    lock.withLock { _ in leave(object, key) }
  }

  /// Every object that is alive now.
  package func objects() -> [Element] { lock.withLock { _ in entries.objects() } }

  /// Runs `body` with unlocked look-up and entry, for a batch under one acquisition of the lock.
  /// `body` must not release an element.
  package func withBatch<Result>(_ body: (Batch) throws -> Result) rethrows -> Result {
    try lock.withLock { _ in try body(Batch(table: self)) }
  }

  package struct Batch {
    fileprivate let table: WeakTable

    package func object(for key: UInt64) -> Element? { table.entries.lookUp(key) }

    package func object(for key: UInt64, orInsert make: () -> Element) -> Element {
      if let found = object(for: key) { return found }
      let made = make()
      table.enter(made, key)
      return made
    }

    package func insert(_ object: Element, for key: UInt64) { table.enter(object, key) }

    package func remove(_ object: Element, for key: UInt64) { table.leave(object, key) }
  }

  // MARK: - Under the lock

  private func enter(_ object: Element, _ key: UInt64) {
    if entries.count == 0 { isEmpty.store(false, ordering: .releasing) }
    entries.enter(object, key)
  }

  private func leave(_ object: Element, _ key: UInt64) {
    entries.leave(object, key)
    if entries.count == 0 { isEmpty.store(true, ordering: .releasing) }
  }
}
