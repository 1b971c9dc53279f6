import CoreData

extension SnapshotStore {
  func save(_ request: NSSaveChangesRequest, in context: NSManagedObjectContext?) throws {
    let changes = ChangedModels(
      inserted: inOrder(request.insertedObjects), updated: inOrder(request.updatedObjects),
      deleted: inOrder(request.deletedObjects))
    guard !changes.isEmpty else { return }
    let state = editingState(of: context)
    let deleted = changes.deleted.map(\.objectID)
    try access.exclusively {
      try checkUniqueness(changes, in: context)
      if try !deleteAtOnce(changes, in: context, state: state) {
        try note(try access.save(changes, state: state), in: context)
      }
      snapshots.remove(deleted)
    }
  }

  /// Runs a save as one batch deletion. Returns false if the save has other changes, or if the
  /// store declines the batch.
  private func deleteAtOnce(
    _ changes: ChangedModels, in context: NSManagedObjectContext?, state: EditingState
  ) throws -> Bool {
    guard let batch = (context as? ModelObjectContext)?.batchDeletion,
      batch.covers(changes, in: self)
    else { return false }
    do {
      try batch.run(access, state: state)
      return true
    } catch is DataStoreError {
      return false
    }
  }

  /// Sorted in the order of creation.
  private func inOrder(_ objects: Set<NSManagedObject>?) -> [ManagedModelObject] {
    (objects ?? []).compactMap { $0 as? ManagedModelObject }
      .map { ($0.objectID.packed.bits, $0) }.sorted { $0.0 < $1.0 }.map(\.1)
  }

  private func note(_ saved: SavedSnapshots, in context: NSManagedObjectContext?) throws {
    for (temporary, permanent) in saved.remapped {
      guard identifiers.replace(temporary, by: permanent) else {
        throw DataStoreMisuse.error(
          "\(Swift.type(of: access.store)) “\(access.identifier)” gave a new \(temporary.entityName) the identifier "
            + "\(permanent.uri.absoluteString), which another model has")
      }
    }
    let all = saved.saved + saved.reregistered
    let ids = try ids(of: all.map(\.persistentIdentifier), for: nil)
    snapshots.put(zip(ids, all).map { ($0, $1) })
    (context as? ModelObjectContext)?.reregistered += ids.suffix(saved.reregistered.count)
  }
}

/// A `ModelContext.delete(model:where:)` that has not been saved yet.
struct BatchDeletion {
  private let store: SnapshotStore
  private let found: Set<NSManagedObjectID>
  private let body: (any DataStoreAccess, EditingState) throws -> Void

  init<T: PersistentModel>(
    _ type: T.Type, where predicate: Predicate<T>?, includeSubclasses: Bool,
    found: [NSManagedObjectID], in store: SnapshotStore
  ) {
    self.store = store
    self.found = Set(found)
    body = { access, state in
      try access.delete(
        type, where: predicate, includeSubclasses: includeSubclasses, state: state)
    }
  }

  /// Returns whether the changes are exactly the deletions of this batch.
  func covers(_ changes: ChangedModels, in store: SnapshotStore) -> Bool {
    store === self.store && changes.inserted.isEmpty && changes.updated.isEmpty
      && Set(changes.deleted.map(\.objectID)) == found
  }

  func run(_ access: any DataStoreAccess, state: EditingState) throws { try body(access, state) }
}
