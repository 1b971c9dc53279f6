import Synchronization

/// The identities of one store: makes object IDs and keeps them unique while they are alive, and finds the
/// newest row of an object that is alive: the store's row cache.
///
/// Owned by its store, and by each of its IDs and rows. Thread-safe: the tables lock themselves.
package final class IdentitySpace: @unchecked Sendable {
  /// The store's number in its coordinator, 0…127.
  package let storeOrdinal: Int
  package let storeUUID: String
  package internal(set) weak var store: NSPersistentStore?
  /// Set once, before the first ID is made; nil for stores that do not want to know.
  var usage: ObjectUsage?
  /// By ``EntityLayout/number``; index 0 is unused.
  private let layouts: [EntityLayout?]
  /// By ``EntityLayout/rootNumber``: the entities of one tree share their keys.
  private let identities: [WeakTable<NSManagedObjectID>]
  private let rows: [WeakTable<Row>]

  package init(storeOrdinal: Int, storeUUID: String, layouts: [EntityLayout]) {
    self.storeOrdinal = storeOrdinal
    self.storeUUID = storeUUID
    let highest = layouts.map(\.number).max() ?? 0
    var byNumber: [EntityLayout?] = Array(repeating: nil, count: highest + 1)
    for layout in layouts { byNumber[layout.number] = layout }
    self.layouts = byNumber
    identities = (0...highest).map { _ in WeakTable() }
    rows = (0...highest).map { _ in WeakTable() }
  }

  /// The one ID of the object of this entity with this primary key.
  package func identity(_ layout: EntityLayout, key: Int64) -> NSManagedObjectID {
    identities[layout.rootNumber].object(
      for: UInt64(key),
      orInsert: { NSManagedObjectID(layout: layout, packed: packed(layout, key: key), space: self) }
    )
  }

  /// So many IDs are about to be asked for: makes room for them.
  func expect(_ count: Int, _ layout: EntityLayout) {
    identities[layout.rootNumber].reserve(count)
  }

  /// The ID of an object if somebody has it.
  func knownIdentity(_ layout: EntityLayout, key: Int64) -> NSManagedObjectID? {
    identities[layout.rootNumber].objectIfAny(for: UInt64(key))
  }

  @inline(__always)
  package func packed(_ layout: EntityLayout, key: Int64) -> PackedIdentity {
    PackedIdentity(storeOrdinal: storeOrdinal, entityNumber: layout.number, key: key)
  }

  package func identity(_ packed: PackedIdentity) -> NSManagedObjectID {
    guard let layout = layout(number: packed.entityNumber) else {
      preconditionFailure("No entity has the number \(packed.entityNumber) in this model")
    }
    return identity(layout, key: packed.key)
  }

  package func layout(number: Int) -> EntityLayout? {
    layouts.indices.contains(number) ? layouts[number] : nil
  }

  /// How a key reads in a URI, after the `p`. Stores whose references are not numbers override
  /// this through their own table.
  func referenceText(_ key: Int64) -> String {
    store?.referenceText(forKey: key) ?? String(key)
  }

  func forget(_ identity: NSManagedObjectID) {
    identities[identity.layout.rootNumber].remove(identity, for: UInt64(identity.packed.key))
  }

  // MARK: - Rows

  /// The newest row of this object that some context or the caller holds; nil when there is none.
  func cachedRow(_ layout: EntityLayout, _ packed: PackedIdentity) -> Row? {
    guard let row = rows[layout.rootNumber].objectIfAny(for: UInt64(packed.key)),
      row.packed == packed
    else { return nil }
    return row
  }

  /// The rows of the layout's tree, by key: ``cachedRow(_:_:)`` for many.
  func rowTable(of layout: EntityLayout) -> WeakTable<Row> { rows[layout.rootNumber] }

  /// Makes sealed rows the cached ones. Those that are already stay as they are.
  package func publish(_ new: some RandomAccessCollection<Row>) {
    let new = new[...]
    var start = new.startIndex
    while start < new.endIndex {
      let root = new[start].layout.rootNumber
      let end = new[start...].firstIndex { $0.layout.rootNumber != root } ?? new.endIndex
      rows[root].withBatch { batch in
        batch.reserve(new.distance(from: start, to: end))
        for row in new[start..<end] where !row.isPublished {
          row.notePublication()
          batch.insert(row, for: UInt64(row.packed.key))
        }
      }
      start = end
    }
  }

  /// Called by a row's `deinit`.
  func withdraw(_ row: Row) {
    rows[row.layout.rootNumber].remove(row, for: UInt64(row.packed.key))
  }
}
