/// An object whose saved deletion was undone: the next save inserts its row again under its key. If
/// another writer has brought it back before, the row exists: the changes made here since the
/// deletion are then edits of that row.
struct ReturningObject {
  /// The row of the object when it was deleted.
  let base: Row
  /// The version that the row gets: one more than its last.
  let version: Int64
}

extension NSManagedObjectContext {
  /// Records the row of a returning object as it was when it was deleted.
  final func noteReturn(of object: NSManagedObject) {
    let identity = object.packedIdentity
    guard !identity.isTemporary, let row = object.snapshot ?? object.current else { return }
    let base = row.copy()
    // No store has this version, so an edit conflicts with any edit of the stored row.
    base.seal(identity, in: object.space, version: 0)
    let last = max(row.version, object.cachedRow?.version ?? 0)
    returning[identity] = ReturningObject(base: base, version: last + 1)
  }

  /// After a failed save: finds rows to insert that exist already. Their objects are updated by the
  /// next attempt. Returns true if there were any.
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

  /// Turns an insertion into an update: the object's row exists, possibly with other values than it
  /// had when it was deleted.
  final func meetReturned(_ object: NSManagedObject, base: Row) {
    returning[object.packedIdentity] = nil
    inserted.remove(object)
    object.lifecycle = .live
    object.snapshot = base
    noteUpdated(object)
  }
}
