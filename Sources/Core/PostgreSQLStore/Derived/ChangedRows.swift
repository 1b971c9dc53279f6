import CoreData

/// The changes of one transaction, as far as derived attributes depend on them.
struct ChangedRows {
  struct Updated {
    var rows: RowGroup
    /// The slots whose values may have changed.
    var slots: Set<Int>
  }

  var inserted: [RowGroup] = []
  var updated: [Updated] = []
  var deleted: [RowGroup] = []
  /// Objects whose to-many relationship has gained or lost members, by relationship.
  private(set) var owners: [ObjectIdentifier: Set<Int64>] = [:]

  /// Members that a relationship without a stored inverse has gained or lost. Their former owners
  /// are unknown.
  private(set) var moved: [ObjectIdentifier: Set<Int64>] = [:]

  init() {}

  init(_ changes: StoreChanges) {
    for row in changes.inserted { inserted.add(row.packed.key, layout: row.layout) }
    for update in changes.updated {
      add(update.row.packed.key, layout: update.row.layout, slots: update.slots)
    }
    for deletion in changes.deleted { deleted.add(deletion.packed.key, layout: deletion.layout) }
    for change in changes.members {
      let members = change.added + change.removed
      if members.isEmpty { continue }
      add(change.relationship, keys: [change.owner.packed.key])
      if let inverse = change.relationship.inverseRelationship, inverse.isToMany {
        add(inverse, keys: members.map(\.packed.key))
      } else if change.relationship.isOnesided {
        moved[ObjectIdentifier(change.relationship), default: []]
          .formUnion(members.map(\.packed.key))
      }
    }
  }

  private mutating func add(_ relationship: NSRelationshipDescription, keys: [Int64]) {
    owners[ObjectIdentifier(relationship), default: []].formUnion(keys)
  }

  mutating func add(_ key: Int64, layout: EntityLayout, slots: [Int]) {
    if let place = updated.firstIndex(where: { $0.rows.layout === layout }) {
      updated[place].rows.keys.append(key)
      updated[place].slots.formUnion(slots)
    } else {
      updated.append(Updated(rows: RowGroup(layout: layout, keys: [key]), slots: Set(slots)))
    }
  }

  /// The rows that exist after the transaction, with their changed slots; nil for all slots.
  var present: [(rows: RowGroup, slots: Set<Int>?)] {
    inserted.map { ($0, nil) } + updated.map { ($0.rows, $0.slots) }
  }

  /// The rows that existed before the transaction, with their changed slots; nil for all slots.
  var past: [(rows: RowGroup, slots: Set<Int>?)] {
    updated.map { ($0.rows, $0.slots) } + deleted.map { ($0, nil) }
  }
}
