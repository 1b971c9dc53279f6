/// Finds updates that give their unique values to each other, in a ring or a chain: an index forbids two rows of one value
/// also between two statements of a transaction.
struct UniqueRelease {
  /// What has to be nil for the length of the save's updates.
  struct Release {
    let row: Row
    let slots: [Int]
  }

  private let updates: [StoreChanges.Update]

  init(_ updates: [StoreChanges.Update]) { self.updates = updates }

  func releases() -> [Release] {
    guard updates.count > 1 else { return [] }
    var byConstraint: [Constraint: [StoreChanges.Update]] = [:]
    var last: (layout: EntityLayout, unique: [[Int]])?
    for update in updates {
      let layout = update.row.layout
      // Updates of one entity follow each other, mostly of one without constraints.
      let unique = last?.layout === layout ? last?.unique ?? [] : layout.entity.uniqueSlots
      last = (layout, unique)
      for slots in unique where slots.contains(where: update.slots.contains) {
        byConstraint[Constraint(root: layout.rootNumber, slots: slots), default: []].append(update)
      }
    }
    return byConstraint.flatMap { $1.count > 1 ? releases($1, $0.slots) : [] }
  }

  // Slots of a superclass are those of its subclasses, so that they tell a constraint within a tree.
  private struct Constraint: Hashable {
    let root: Int
    let slots: [Int]
  }

  private func releases(_ updates: [StoreChanges.Update], _ slots: [Int]) -> [Release] {
    let new = Set(updates.compactMap { UniqueKey($0.row, slots) })
    return updates.compactMap { update in
      guard let old = UniqueKey(update.snapshot, slots), new.contains(old),
        UniqueKey(update.row, slots) != old
      else { return nil }
      return Release(row: update.row, slots: slots)
    }
  }
}
