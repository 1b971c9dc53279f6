import CoreData

/// Rows of one entity by their keys, for statements about many rows at once.
struct RowGroup {
  let layout: EntityLayout
  var keys: [Int64]
}

extension [RowGroup] {
  /// In the order in which rows come.
  mutating func add(_ key: Int64, _ layout: EntityLayout) {
    if let place = firstIndex(where: { $0.layout === layout }) {
      self[place].keys.append(key)
    } else {
      append(RowGroup(layout: layout, keys: [key]))
    }
  }
}

extension StoreChanges {
  /// Locks are taken in one order by everybody, so that two who save the same rows do not wait for each other. Where values
  /// are unique the order is the caller's: one row may have to give a value up before another takes it.
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
