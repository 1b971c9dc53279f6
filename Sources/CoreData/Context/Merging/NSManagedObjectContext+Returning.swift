// An undo brings an object back whose deletion is in the store: the next save inserts its row anew, under its key. Somebody
// else may have brought it back before: then the row is there, and what was changed here since it was deleted is an edit of
// it.
struct ReturningObject {
  /// What it was as it was deleted.
  let base: Row
  /// What it comes back with: the next after those that it has had.
  let version: Int64
}

extension NSManagedObjectContext {
  /// Remembers what the object was as it was deleted.
  final func noteReturn(of object: NSManagedObject) {
    let identity = object.packedIdentity
    guard !identity.isTemporary, let row = object.snapshot ?? object.current else { return }
    let base = row.copy()
    // Of no version that a store has: an edit meets whoever has edited the row that is there.
    base.seal(identity, in: object.space, version: 0)
    let last = max(row.version, object.cachedRow?.version ?? 0)
    returning[identity] = ReturningObject(base: base, version: last + 1)
  }

  /// After a save that has failed: whether rows that it was to insert are there already. Their objects are updated by the
  /// next try.
  final func meetReturned() throws -> Bool {
    let identities = inserted.objects.filter { returning[$0.packedIdentity] != nil }
      .map(\.objectID.resolved)
    if identities.isEmpty { return false }
    let rows = try source?.rows(of: identities) ?? []
    for row in rows {
      guard let object = registry.object(row.packed), let base = returning[row.packed]?.base else {
        continue
      }
      meetReturned(object, base: base)
      if object.changedSlots().isEmpty { object.rebase(onto: row) }
    }
    return !rows.isEmpty
  }

  /// The object has a row, with other values than it was deleted with, perhaps.
  final func meetReturned(_ object: NSManagedObject, base: Row) {
    returning[object.packedIdentity] = nil
    inserted.remove(object)
    object.lifecycle = .live
    object.snapshot = base
    noteUpdated(object)
  }
}
