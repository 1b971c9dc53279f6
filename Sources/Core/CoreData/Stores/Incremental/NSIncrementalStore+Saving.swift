extension NSIncrementalStore {
  final func ownIdentities(
    for objects: [NSManagedObject]
  ) throws -> [PackedIdentity] {
    let given = try obtainPermanentIDs(for: objects)
    guard given.count == objects.count else {
      throw misuse(
        "obtainPermanentIDs(for:) returned \(given.count) IDs for \(objects.count) objects",
        given: nil)
    }
    for (object, identity) in zip(objects, given) {
      guard try checked(identity, entity: nil).layout === object.layout else {
        throw misuse(
          "obtainPermanentIDs(for:) returned \(identity) for an object of "
            + "“\(object.entity.name ?? "")”", given: nil)
      }
    }
    guard Set(given).count == given.count else {
      throw misuse("obtainPermanentIDs(for:) returned one ID for several objects", given: nil)
    }
    return given.map(\.packed)
  }

  package final func reserveKeys(_ count: Int, for layout: EntityLayout) throws -> Int64 {
    throw misuse("keys come from obtainPermanentIDs(for:), which needs objects", given: nil)
  }

  package final func save(_ changes: StoreChanges) throws {
    let conflicts = try conflicts(changes)
    if !conflicts.isEmpty { throw SaveConflicts(conflicts: conflicts) }
    if changes.context == nil, !changes.isEmpty {
      throw misuse("a store of a client's class is saved by a context alone", given: nil)
    }
    let context = changes.context ?? askingContext
    let request = NSSaveChangesRequest(
      inserted: try objects(changes.inserted.map(\.identity), changes: changes),
      updated: try objects(
        changes.updated.map(\.row.identity) + changes.members.map(\.owner), changes: changes
      ).filter { !$0.isDeleted && !$0.isInserted },
      deleted: try objects(changes.deleted.map(\.identity), changes: changes),
      locked: try objects(changes.watched.map(\.identity), changes: changes))
    do { _ = try execute(request, with: context) } catch let error as NSError {
      throw try translated(error)
    }
    rows.noteSaved(changes)
  }

  private func objects(
    _ identities: [NSManagedObjectID], changes: StoreChanges
  ) throws -> Set<NSManagedObject> {
    Set(try identities.map(changes.object))
  }

  /// The conflicts with objects that another context has saved since this one read them.
  private func conflicts(_ changes: StoreChanges) throws -> [SaveConflicts.Conflict] {
    try changes.snapshots.compactMap { snapshot in
      guard let version = rows.version(of: snapshot.identity), version != snapshot.version else {
        return nil
      }
      return SaveConflicts.Conflict(
        identity: snapshot.identity, stored: try newestRow(snapshot.identity, version: version),
        isOfSharedRow: true)
    }
  }

  private func newestRow(_ identity: NSManagedObjectID, version: Int64) throws -> Row? {
    if let cached = identity.cachedRow, cached.version == version { return cached }
    return try row(of: identity)
  }

  /// Turns the merge conflicts in an error of the class into ``SaveConflicts``, for the merge
  /// policy; other errors are returned unchanged.
  private func translated(_ error: NSError) throws -> any Error {
    let list = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict] ?? []
    guard !list.isEmpty else { return error }
    return SaveConflicts(
      conflicts: try list.map { conflict in
        let identity = conflict.sourceObject.objectID
        rows.advance(identity, beyond: conflict.sourceObject.snapshot?.version ?? 0)
        return SaveConflicts.Conflict(
          identity: identity, stored: try row(of: identity), isOfSharedRow: false)
      })
  }

  // MARK: - Batch requests

  /// Executes a batch request. Throws the class's errors, and `persistentStoreOperation` if the
  /// answer is no result of a batch request.
  final func outcome(
    of request: NSPersistentStoreRequest, _ context: NSManagedObjectContext
  ) throws -> BatchOutcome {
    let answer = try execute(request, with: context)
    let result: Any? =
      switch answer {
      case let insert as NSBatchInsertResult: insert.result
      case let update as NSBatchUpdateResult: update.result
      case let delete as NSBatchDeleteResult: delete.result
      default:
        throw misuse("execute(_:with:) must answer a batch request with its result", given: answer)
      }
    var outcome = BatchOutcome()
    if let identities = result as? [NSManagedObjectID] {
      outcome.identities = try identities.map { try checked($0, entity: nil) }
      outcome.count = identities.count
    } else if let number = result as? NSNumber, !(result is Bool) {
      outcome.count = number.intValue
    }
    return outcome
  }

  // MARK: - Object usage

  /// Informs the class of the objects that contexts have begun and ceased to use.
  final func announceUses() {
    guard let notes = usage?.take(), !notes.begun.isEmpty || !notes.ended.isEmpty else { return }
    let begun = notes.begun.map(identities.identity)
    let ended = notes.ended.map(identities.identity)
    rows.count(begun: begun, ended: ended)
    if !begun.isEmpty { managedObjectContextDidRegisterObjects(with: begun) }
    if !ended.isEmpty { managedObjectContextDidUnregisterObjects(with: ended) }
  }
}

extension NSIncrementalStore: RequestStore, IdentifyingStore {}
