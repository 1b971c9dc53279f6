/// Finds updates that exchange unique values, in a ring or a chain. The indexes of SQLite and
/// PostgreSQL forbid two rows with one value also between the statements of a transaction.
package struct UniqueRelease {
  /// A row and those of its unique slots that must be NULL until the save's updates write them.
  package struct Release {
    package let row: Row
    package let slots: [Int]
  }

  private let updates: [StoreChanges.Update]

  package init(_ updates: [StoreChanges.Update]) { self.updates = updates }

  package func releases() -> [Release] {
    guard updates.count > 1 else { return [] }
    var byConstraint: [Constraint: [StoreChanges.Update]] = [:]
    var last: (layout: EntityLayout, unique: [[Int]])?
    for update in updates {
      let layout = update.row.layout
      // Updates are grouped by entity, and most entities have no constraints.
      let unique = last?.layout === layout ? last?.unique ?? [] : layout.entity.uniqueSlots
      last = (layout, unique)
      for slots in unique where slots.contains(where: update.slots.contains) {
        byConstraint[Constraint(root: layout.rootNumber, slots: slots), default: []].append(update)
      }
    }
    return byConstraint.flatMap { $1.count > 1 ? releases($1, slots: $0.slots) : [] }
  }

  // A constraint, identified within an entity tree by its slots: those of a superclass have the
  // same numbers in its subclasses.
  private struct Constraint: Hashable {
    let root: Int
    let slots: [Int]
  }

  private func releases(_ updates: [StoreChanges.Update], slots: [Int]) -> [Release] {
    let new = Set(updates.compactMap { UniqueKey($0.row, slots: slots) })
    return updates.compactMap { update in
      guard let old = UniqueKey(update.snapshot, slots: slots), new.contains(old),
        UniqueKey(update.row, slots: slots) != old
      else { return nil }
      return Release(row: update.row, slots: slots.filter(update.slots.contains))
    }
  }
}
