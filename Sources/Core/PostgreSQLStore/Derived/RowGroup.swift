import CoreData

/// The keys of rows of one entity, for statements about many rows.
struct RowGroup {
  let layout: EntityLayout
  var keys: [Int64]
}

extension [RowGroup] {
  /// Adds a key to the group of its entity; new groups are appended.
  mutating func add(_ key: Int64, layout: EntityLayout) {
    if let place = firstIndex(where: { $0.layout === layout }) {
      self[place].keys.append(key)
    } else {
      append(RowGroup(layout: layout, keys: [key]))
    }
  }
}

extension StoreChanges {
  /// The updates in a global lock order, so that two saves of the same rows do not deadlock. With
  /// uniqueness constraints the caller's order is kept, since one row may have to give up a value
  /// before another one gets it.
  var updatesInOrder: [Update] {
    let areFree = updated.allSatisfy {
      $0.row.layout.entity.uniquenessConstraintNames.isEmpty
        && $0.row.layout.entity.superentity == nil
    }
    guard areFree, updated.count > 1 else { return updated }
    return updated.sorted {
      ($0.row.layout.rootNumber, $0.row.packed.key) < ($1.row.layout.rootNumber, $1.row.packed.key)
    }
  }
}
