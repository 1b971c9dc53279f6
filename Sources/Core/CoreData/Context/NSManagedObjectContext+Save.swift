extension NSManagedObjectContext {
  final func writeChanges() throws {
    try checkConfined()
    try refuseUnread()
    settle()
    guard hasChanges || !watched.isEmpty else {
      if parent == nil { try rootCoordinator?.saveMetadata(for: self) }
      telling(dropped.objects) { endDropped() }
      return announceSave(SavedObjects(context: self))
    }
    try callWillSave()
    NotificationCenter.default.post(name: .NSManagedObjectContextWillSave, object: self)
    settle()
    try validateUntilNothingChanges()
    if !newerRows.isEmpty { judgeAgain() }
    dropWhatIsGone()
    if let parent {
      try save(into: parent)
    } else {
      try saveIntoStores()?.release()
    }
  }

  /// Throws once for a value that was read as nil because its store failed: edits may depend on it.
  private func refuseUnread() throws {
    guard let (object, error) = unreadFailure else { return }
    unreadFailure = nil
    throw CoreDataError.make(
      .persistentStoreSave,
      reason:
        "The values of \(object.uriRepresentation()) could not be read and were taken for nil, "
        + "so that edits may be wrong or lost. Nothing was saved: roll back, and make them again.",
      underlying: error)
  }

  /// Merges newer rows into objects whose edits by children have been undone since: such edits no
  /// longer keep the newer rows away.
  private func judgeAgain() {
    for (packed, row) in newerRows {
      guard let object = registry.object(packed), object.flags.contains(.editedByChild),
        object.lifecycle == .live
      else { continue }
      newerRows[packed] = nil
      keepingInverses(of: [object]) { object.rebase(onto: row) }
    }
  }

  /// Writes the changes without validation and without calling the objects: for a migration, into a
  /// store that no other context uses.
  final func writeUnvalidated() throws {
    assertConfined()
    settle()
    if hasChanges { try saveIntoStores()?.release() }
  }

  /// Applies delete rules that are deferred to the save, and processes pending changes.
  private func settle() {
    if !propagatesDeletesAtEndOfEvent { propagateDeletions() }
    processPendingChanges()
  }

  /// The number of rounds after which `willSave` is assumed to loop.
  private static let willSaveRounds = 1000

  private func callWillSave() throws {
    let changed = [inserted, updated, deleted]
    for roster in changed where roster.overrides(.willSave) {
      for object in roster { object.willSave() }
    }
    if hasEventChanges { try callWillSave(again: changed.flatMap(\.objects)) }
  }

  /// Calls `willSave` again on the objects that `willSave` has changed, until it makes no changes.
  private func callWillSave(again first: [NSManagedObject]) throws {
    var called: Set<NSManagedObject> = []
    var next = first
    for _ in 0..<Self.willSaveRounds {
      called.formUnion(next)
      let changedAgain = Set(eventObjects)
      settle()
      next = (inserted.objects + updated.objects + deleted.objects).filter {
        changedAgain.contains($0) || !called.contains($0)
      }
      for object in next { object.willSave() }
      guard hasEventChanges else { return }
    }
    throw CoreDataError.make(
      .coreData,
      reason: "Failed to process pending changes before save: willSave still made changes after "
        + "\(Self.willSaveRounds) rounds. Set values there only when they differ.")
  }

  /// Validates until validation makes no changes: changed values are validated too.
  private func validateUntilNothingChanges() throws {
    for _ in 0..<Self.willSaveRounds {
      try validateChanges()
      guard hasEventChanges else { return }
      settle()
    }
    throw CoreDataError.make(
      .coreData,
      reason: "Validation still made changes after \(Self.willSaveRounds) rounds. Set values there "
        + "only when they differ.")
  }

  private func validateChanges() throws {
    var errors: [any Error] = []
    func collect(
      _ objects: ObjectRoster, _ method: OverriddenMethods, _ rules: (EntityLayout) -> Bool,
      _ check: (NSManagedObject) throws -> Void
    ) {
      guard objects.hasChecks(method, model: rules) else { return }
      for object in objects where !object.flags.contains(.goneFromStore) {
        do { try check(object) } catch { errors.append(error) }
      }
    }
    collect(inserted, .validateForInsert, \.hasRules) { try $0.validateForInsert() }
    collect(updated, .validateForUpdate, \.hasRules) { try $0.validateForUpdate() }
    collect(deleted, .validateForDelete, \.denies) { try $0.validateForDelete() }
    if !errors.isEmpty { throw CoreDataError.combined(errors) }
  }

  // MARK: - Into stores

  private func saveIntoStores() throws -> SaveAnnouncement.Leftover? {
    guard let coordinator = rootCoordinator else {
      throw CoreDataError.make(
        .coreData,
        reason: "This NSManagedObjectContext has no persistent store coordinator: set "
          + "persistentStoreCoordinator, or take the context from an NSPersistentContainer.")
    }
    var resolver = ConflictResolver(context: self)
    while true {
      var saved = SavedObjects(context: self)
      let origin = TransactionOrigin(self)
      var permanent: [AssignedIdentity] = []
      do {
        let announcement = try origin.write {
          // Only new objects need keys.
          saved.inserted.isEmpty
            ? try write(&saved, permanent: &permanent, coordinator: coordinator)
            : try coordinator.saving(saved.count) {
              try write(&saved, permanent: &permanent, coordinator: coordinator)
            }
        }
        advanceGeneration()
        return commit(saved, permanent: permanent, announcement: announcement, token: origin.token)
      } catch {
        announcePermanentIDs(permanent)
        if try meetReturned() { continue }
        try resolver.resolve(error)
      }
    }
  }

  /// Writes the changes. Observers are notified later: the store may be locked until this returns.
  private func write(
    _ saved: inout SavedObjects, permanent: inout [AssignedIdentity],
    coordinator: NSPersistentStoreCoordinator
  ) throws -> SaveAnnouncement {
    try makePermanent(saved.inserted, pairs: &permanent)
    saved.inserted = saved.inserted.inOrder
    let changes = try collectChanges(of: saved, coordinator)
    let announcement = SaveAnnouncement(of: saved, lastEvent)
    do { try coordinator.save(changes) } catch {
      announcement.cancel()
      throw error
    }
    return announcement
  }

  private func collectChanges(
    of objects: SavedObjects, _ coordinator: NSPersistentStoreCoordinator
  ) throws -> [(store: any RowStore, changes: StoreChanges)] {
    var collector = ChangeCollector(coordinator: coordinator)
    try objects.inserted.forEachUncounted { try collector.insert($0) }
    try objects.updated.forEachUncounted { try collector.update($0) }
    try objects.deleted.forEachUncounted { try collector.delete($0) }
    for object in watched where !object.hasChanges { try collector.watch(object) }
    return collector.changesByStore.map { store, changes in
      var changes = changes
      changes.context = self
      changes.returningVersions = returning.mapValues(\.version)
      return (store, changes)
    }
  }

  /// Makes the written rows the objects' snapshots, and announces the save.
  private func commit(
    _ saved: SavedObjects, permanent: [AssignedIdentity], announcement: SaveAnnouncement,
    token: NSPersistentHistoryToken?
  ) -> SaveAnnouncement.Leftover? {
    var rows = SavedRows()
    rows.inserted.reserveCapacity(saved.inserted.count)
    saved.inserted.forEachUncounted { object in
      let version = returning.isEmpty ? 1 : returning[object.packedIdentity]?.version ?? 1
      object.commitRow(version: version, &rows.inserted)
    }
    var unwritten: [Row] = []
    saved.updated.forEachUncounted { object in
      if object.currentReference == nil { return }
      let version = object.snapshotReference?._withUnsafeGuaranteedRef { $0.version } ?? 0
      // An unwritten row may be stale, and is no change for other contexts.
      if object.hasPersistentChangedValues {
        object.commitRow(version: version + 1, &rows.updated)
      } else {
        object.commitRow(version: version, &unwritten)
      }
    }
    publish(rows.inserted)
    publish(rows.updated)
    if lineage.hasChildren { lineage.post(rows.inserted + rows.updated, permanent: permanent) }
    // Must be complete before the objects that the sets are made of change.
    let sets = announcement.takeSets()
    telling(
      saved.deleted + dropped.objects + oneSidedOwners(of: saved.deleted.map(\.objectID))
    ) {
      finish(saved)
      announcePermanentIDs(permanent)
      rootCoordinator?.announceUsage()
      SaveHub.announce(rows, deleted: saved.deleted, by: self)
    }
    return announceSave(saved, sets: sets, token: token)
  }

  /// Publishes the rows of each store together.
  private func publish(_ rows: [Row]) {
    var start = 0
    while start < rows.count {
      let run = rows[start...].ofFirstSpace
      rows[start].space?.publish(run, source: .saved)
      start = run.endIndex
    }
  }

  /// Marks all objects as saved and clears the pending changes.
  final func finish(_ saved: SavedObjects) {
    if !saved.deleted.isEmpty { recordOneSidedLosses(saved.deleted) }
    saved.inserted.forEachUncounted { object in
      object.lifecycle = .live
      object.commitMembers()
    }
    saved.updated.forEachUncounted { object in
      object.flags.subtract([.updated, .editedByChild])
      object.commitMembers()
    }
    if !endedRows.isEmpty {
      saved.inserted.forEachUncounted { endedRows.remove($0.packedIdentity) }
    }
    // A child may still ask for the object, whose row another context may hold.
    let isAsked = parent == nil && lineage.hasChildren
    saved.deleted.forEachUncounted { object in
      if isAsked, object.cachedRow != nil { endedRows.insert(object.packedIdentity) }
      object.relations?.members.forEach { $0?.clear() }
      end(object)
    }
    if !saved.deleted.isEmpty { leaveOneSidedRelationships(saved.deleted.map(\.objectID)) }
    newerRows = [:]
    goneRows = []
    partings = [:]
    returning = [:]
    (repeatedDeletions, deletionSteps) = ([], [])
    endDropped()
    inserted.removeAll()
    updated.removeAll()
    deleted.removeAll()
    watched = []
    assignedStores = [:]
  }

  /// Ends a save: calls `didSave` and posts the notifications.
  final func announceSave(_ saved: SavedObjects) {
    announceSave(saved, sets: saved.sets(lastEvent), token: nil)?.release()
  }

  private func announceSave(
    _ saved: SavedObjects, sets: consuming SaveAnnouncement.Sets,
    token: NSPersistentHistoryToken?
  ) -> SaveAnnouncement.Leftover? {
    lastEvent = .none
    if saved.callsDidSave {
      for objects in [saved.inserted, saved.updated, saved.deleted] {
        for object in objects { object.didSave() }
      }
    }
    if let queryGenerationToken {
      sets.userInfo[NSManagedObjectContextQueryGenerationKey] = queryGenerationToken
    }
    if let token {
      for key in [NSPersistentHistoryTokenKey, Self.changeTokenKey] {
        sets.userInfo[key] = token
        sets.identityUserInfo[key] = token
      }
    }
    NotificationCenter.default.post(
      name: .NSManagedObjectContextDidSave, object: self, userInfo: sets.userInfo)
    NotificationCenter.default.post(
      name: .NSManagedObjectContextDidSaveObjectIDs, object: self, userInfo: sets.identityUserInfo)
    // Observers of the notifications may read deleted objects, and an undo restores their values.
    if undoManager == nil {
      telling(saved.deleted) {
        saved.deleted.forEachUncounted { if $0.registryReference == nil { $0.forgetValues() } }
      }
    }
    return SaveAnnouncement.Leftover(sets, of: saved)
  }
}

/// The objects of one save in the order of their creation, which determines their primary keys.
struct SavedObjects {
  var inserted: [NSManagedObject]
  let updated: [NSManagedObject]
  let deleted: [NSManagedObject]
  /// Whether a class of the objects overrides `didSave`.
  let callsDidSave: Bool
  /// The ``ObjectRoster/version`` of each roster.
  private let versions: (inserted: Int, updated: Int, deleted: Int)

  init(context: NSManagedObjectContext) {
    inserted = context.inserted.objects.inOrder
    updated = context.updated.objects.inOrder
    deleted = context.deleted.objects.inOrder
    versions = (context.inserted.version, context.updated.version, context.deleted.version)
    callsDidSave = [context.inserted, context.updated, context.deleted].contains {
      $0.overrides(.didSave)
    }
  }

  var count: Int { inserted.count + updated.count + deleted.count }

  /// The sets for the notifications of the save.
  ///
  /// - Parameter lastEvent: the sets of the last event, reused where the save has the same objects.
  func sets(_ lastEvent: EventSets) -> SaveAnnouncement.Sets {
    SaveAnnouncement.Sets(
      userInfo: Self.objectKeys.mapValues { part in
        switch part {
        case .inserted: lastEvent.inserted.set(of: inserted, version: versions.inserted)
        case .updated: lastEvent.updated.set(of: updated, version: versions.updated)
        case .deleted: lastEvent.deleted.set(of: deleted, version: versions.deleted)
        }
      },
      identityUserInfo: Self.identityKeys.mapValues { Self.identities(objects($0)) })
  }

  private enum Part { case inserted, updated, deleted }

  // Dictionaries, so that a save hashes no keys. Sound: they are never changed, and all keys are
  // strings.
  private nonisolated(unsafe) static let objectKeys: [AnyHashable: Part] = [
    NSInsertedObjectsKey: .inserted, NSUpdatedObjectsKey: .updated, NSDeletedObjectsKey: .deleted,
  ]
  private nonisolated(unsafe) static let identityKeys: [AnyHashable: Part] = [
    NSInsertedObjectIDsKey: .inserted, NSUpdatedObjectIDsKey: .updated,
    NSDeletedObjectIDsKey: .deleted,
  ]

  private func objects(_ part: Part) -> [NSManagedObject] {
    switch part {
    case .inserted: inserted
    case .updated: updated
    case .deleted: deleted
    }
  }

  private static func identities(_ objects: [NSManagedObject]) -> Set<NSManagedObjectID> {
    if let first = objects.first { first.space?.expect(objects.count, layout: first.layout) }
    var identities = Set<NSManagedObjectID>(minimumCapacity: objects.count)
    objects.forEachUncounted { identities.update(with: $0.objectID) }
    return identities
  }
}

extension [NSManagedObject] {
  /// The objects by store, entity and key; new objects last, in the order of their creation.
  var inOrder: [NSManagedObject] {
    if isInOrder { return self }
    return map { ($0.packedIdentity.bits, $0) }.sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// True in most cases: objects are mostly made one after the other.
  private var isInOrder: Bool {
    var last: UInt64 = 0
    return allSatisfyUncounted { object in
      let bits = object.packedIdentity.bits
      defer { last = bits }
      return last <= bits
    }
  }
}

extension NSManagedObject {
  /// Seals the row as saved, with its new version. Transient values stay with the object.
  fileprivate func commitRow(version: Int64, _ rows: inout [Row]) {
    if !layout.hasTransientSlots, let row = sealOwnRow(version: version) { return rows.append(row) }
    let own = readableRow
    if own === snapshot, own.version == version {
      rows.append(own)
      return
    }
    let keepsOwn = layout.hasTransientSlots
    let row = own.isSealed || keepsOwn ? own.copy() : own
    for slot in layout.transientSlots { row[slot] = .null }
    row.resolveIdentities()
    row.seal(packed, in: space, version: version)
    snapshot = row
    current = keepsOwn ? (own.isSealed ? own.copy() : own) : row
    rows.append(row)
  }

  fileprivate func commitMembers() {
    for store in members { store?.commit() }
  }
}
