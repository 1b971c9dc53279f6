import CoreData

/// What several transactions have done to each object in the end: a list that is behind catches up
/// at once.
struct NetChanges {
  private(set) var inserted: Set<NSManagedObjectID> = []
  private(set) var updated: Set<NSManagedObjectID> = []
  private(set) var deleted: Set<NSManagedObjectID> = []

  var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

  init() {}

  init(_ transactions: some Sequence<NSPersistentHistoryTransaction>) {
    for change in transactions.flatMap({ $0.changes ?? [] }) {
      note(change.changeType, of: change.changedObjectID)
    }
  }

  /// These, and then others.
  func adding(_ others: NetChanges) -> NetChanges {
    if isEmpty { return others }
    var all = self
    for id in others.inserted { all.note(.insert, of: id) }
    for id in others.updated { all.note(.update, of: id) }
    for id in others.deleted { all.note(.delete, of: id) }
    return all
  }

  /// Those of other objects than these, and those of these.
  func split(_ ids: Set<NSManagedObjectID>) -> (others: NetChanges, these: NetChanges) {
    var (others, these) = (self, self)
    others.inserted.subtract(ids)
    others.updated.subtract(ids)
    others.deleted.subtract(ids)
    these.inserted.formIntersection(ids)
    these.updated.formIntersection(ids)
    these.deleted.formIntersection(ids)
    return (others, these)
  }

  private mutating func note(_ type: NSPersistentHistoryChangeType, of id: NSManagedObjectID) {
    switch type {
    case .insert:
      // An undone deletion brings an object back.
      deleted.remove(id)
      inserted.insert(id)
    case .update: if !inserted.contains(id) { updated.insert(id) }
    case .delete:
      inserted.remove(id)
      updated.remove(id)
      deleted.insert(id)
    }
  }

  /// As merges take them.
  var data: [AnyHashable: Any] {
    let all: [String: Set<NSManagedObjectID>] = [
      NSInsertedObjectIDsKey: inserted, NSUpdatedObjectIDsKey: updated,
      NSDeletedObjectIDsKey: deleted,
    ]
    return all.filter { !$0.value.isEmpty }
  }
}
