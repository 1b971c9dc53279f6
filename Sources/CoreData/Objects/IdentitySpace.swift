import Synchronization

/// The object IDs of one store: makes them, and keeps them unique while they are alive.
///
/// Owned by its store, and by each of its IDs. Thread-safe: the tables lock themselves, `rowLock`
/// guards the cached row of every ID.
package final class IdentitySpace: @unchecked Sendable {
  /// The store's number in its coordinator, 0…127.
  package let storeOrdinal: Int
  package let storeUUID: String
  package internal(set) weak var store: NSPersistentStore?
  /// By ``EntityLayout/number``; index 0 is unused.
  private let layouts: [EntityLayout?]
  /// By ``EntityLayout/rootNumber``: the entities of one tree share their keys.
  private let tables: [WeakTable<NSManagedObjectID>]
  let rowLock = Mutex<Void>(())

  package init(storeOrdinal: Int, storeUUID: String, layouts: [EntityLayout]) {
    self.storeOrdinal = storeOrdinal
    self.storeUUID = storeUUID
    let highest = layouts.map(\.number).max() ?? 0
    var byNumber: [EntityLayout?] = Array(repeating: nil, count: highest + 1)
    for layout in layouts { byNumber[layout.number] = layout }
    self.layouts = byNumber
    tables = (0...highest).map { _ in WeakTable() }
  }

  /// The one ID of the object of this entity with this primary key.
  package func identity(_ layout: EntityLayout, key: Int64) -> NSManagedObjectID {
    let packed = PackedIdentity(
      storeOrdinal: storeOrdinal, entityNumber: layout.number, key: key)
    return tables[layout.rootNumber].object(
      for: UInt64(key),
      orInsert: {
        NSManagedObjectID(layout: layout, packed: packed, space: self)
      })
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
    tables[identity.layout.rootNumber].remove(identity, for: UInt64(identity.packed.key))
  }
}
