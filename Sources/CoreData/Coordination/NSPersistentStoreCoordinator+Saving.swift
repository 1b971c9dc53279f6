extension NSPersistentStoreCoordinator {
  /// Writes the changes of one save.
  ///
  /// What goes to one store is written in one transaction. Several stores are written one after the
  /// other: before the first, all are checked for being writable and for conflicts; when a later one
  /// fails all the same, the earlier ones keep what they wrote, and the error is
  /// `NSPersistentStoreIncompleteSaveError` with the store that failed and its error.
  ///
  /// Throws ``SaveConflicts`` when rows have changed since they were read; nothing is written then.
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

  /// Runs `body`, which sets keys aside and saves `count` changes. With several stores each has its own transactions:
  /// two savers that began them in other orders would wait for each other.
  final func saving<Result>(_ count: Int, _ body: () throws -> Result) throws -> Result {
    let stores = persistentStores
    guard stores.count == 1, let store = stores[0].rowStore else { return try body() }
    return try store.saving(count, body)
  }

  /// A save of nothing: metadata that have changed are written.
  package final func saveMetadata(for context: NSManagedObjectContext) throws {
    var nothing = StoreChanges()
    nothing.context = context
    for case let store as any RowStore in persistentStores where !store.isReadOnly {
      try store.save(nothing)
    }
  }

  /// A row and its members belong to one store.
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
  /// The rows that were read, of everything that is updated or deleted or relied upon.
  package var snapshots: [Row] {
    updated.map(\.snapshot) + deleted.compactMap(\.snapshot) + watched
  }

  /// The rows that have other versions in the store than those that were read.
  package func conflicts(in store: any RowStore) throws -> [SaveConflicts.Conflict] {
    let snapshots = snapshots
    // Asked first: reading shares the rows that are read.
    let shared = snapshots.map(\.isShared)
    let stored = Dictionary(
      try store.rows(of: snapshots.map(\.identity)).map { ($0.packed, $0) },
      uniquingKeysWith: { first, _ in first })
    return zip(snapshots, shared).compactMap { snapshot, isShared in
      let row = stored[snapshot.packed]
      guard row?.version != snapshot.version else { return nil }
      return SaveConflicts.Conflict(
        identity: snapshot.identity, stored: row, isOfSharedRow: !isShared)
    }
  }
}

extension StoreChanges {
  /// Every object that a changed row or relationship refers to.
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
