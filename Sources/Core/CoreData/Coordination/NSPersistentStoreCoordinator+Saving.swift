extension NSPersistentStoreCoordinator {
  /// Writes the changes of one save.
  ///
  /// Each store writes its changes in one transaction. Several stores are written one after the
  /// other; before the first, all are checked for being writable and for conflicts. If a later
  /// store fails nevertheless, the earlier ones keep their changes, and the error is
  /// `NSPersistentStoreIncompleteSaveError` with the failed store and its error.
  ///
  /// Throws ``SaveConflicts`` if rows have changed since they were read; then nothing is written.
  package final func save(_ changes: [(store: any RowStore, changes: StoreChanges)]) throws {
    for (store, changes) in changes where store.isReadOnly && !changes.isEmpty {
      throw Self.readOnlyError(store)
    }
    if persistentStores.count > 1 { try checkReferences(changes) }
    if changes.count == 1 { return try changes[0].store.save(changes[0].changes) }
    try checkConflicts(changes)
    for (position, part) in changes.enumerated() {
      do { try part.store.save(part.changes) } catch  where position > 0 {
        throw CoreDataError.make(
          .persistentStoreIncompleteSave,
          reason: "\(position) of \(changes.count) stores were written before this one failed.",
          underlying: error, userInfo: [NSAffectedStoresErrorKey: [part.store]])
      }
    }
  }

  /// Runs `body`, which reserves keys and saves `count` changes, in one transaction if there is one
  /// store. With several stores each operation has its own transaction: two savers whose
  /// transactions begin in different orders would deadlock.
  final func saving<Result>(_ count: Int, body: () throws -> Result) throws -> Result {
    let stores = persistentStores
    guard stores.count == 1, let store = stores[0].rowStore else { return try body() }
    return try store.saving(count, body: body)
  }

  /// Throws an error if a row refers to an object in another store.
  private func checkReferences(
    _ changes: [(store: any RowStore, changes: StoreChanges)]
  ) throws {
    for (store, changes) in changes {
      let space = store.identities
      guard let stranger = changes.references.first(where: { $0.target.space !== space }) else {
        continue
      }
      throw CoreDataError.make(
        .managedObjectExternalRelationship,
        reason: "\(stranger.owner) refers to \(stranger.target), which is in another store.",
        userInfo: [NSAffectedObjectsErrorKey: [stranger.owner, stranger.target]])
    }
  }

  private func checkConflicts(
    _ changes: [(store: any RowStore, changes: StoreChanges)]
  ) throws {
    let conflicts = try changes.flatMap { try $0.changes.conflicts(in: $0.store) }
    if !conflicts.isEmpty { throw SaveConflicts(conflicts: conflicts) }
  }
}

extension StoreChanges {
  /// Every object that a changed row or relationship refers to, with the object that refers to it.
  fileprivate var references: [(owner: NSManagedObjectID, target: NSManagedObjectID)] {
    let rows = inserted + updated.map(\.row)
    let slots = rows.flatMap { row in
      (0..<row.count).compactMap { slot in
        if case .identity(let target) = row[slot] { (row.identity, target) } else { nil }
      }
    }
    return slots + members.flatMap { change in change.added.map { (change.owner, $0) } }
  }
}
