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

extension ReadSession {
  /// The rows of a plan, by entity.
  func groups(_ plan: FetchPlan) throws -> [RowGroup] {
    var groups: [RowGroup] = []
    for row in try rows(plan) { groups.add(row.packed.key, row.layout) }
    return groups
  }
}
