extension NSManagedObjectContext {
  final func writeChanges() throws {
    try checkConfined()
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

  /// Edits that children have saved into this context, and that have been taken back since, keep nobody from the newer
  /// rows below them.
  private func judgeAgain() {
    for (packed, row) in newerRows {
      guard let object = registry.object(packed), object.flags.contains(.editedByChild),
        object.lifecycle == .live
      else { continue }
      newerRows[packed] = nil
      keepingInverses(of: [object]) { object.rebase(onto: row) }
    }
  }

  /// Writes the changes as they are, without asking the objects: of a migration, into a store that nobody knows.
  final func writeUnvalidated() throws {
    assertConfined()
    settle()
    if hasChanges { try saveIntoStores()?.release() }
  }

  /// The delete rules act at the save at the latest.
  private func settle() {
    if !propagatesDeletesAtEndOfEvent { propagateDeletions() }
    processPendingChanges()
  }

  /// The rounds of `willSave` after which a loop is assumed.
  private static let willSaveRounds = 1000

  private func callWillSave() throws {
    let changed = [inserted, updated, deleted]
    for roster in changed where roster.overrides(.willSave) {
      for object in roster { object.willSave() }
    }
    if hasEventChanges { try callWillSave(again: changed.flatMap(\.objects)) }
  }

  /// `willSave` has made changes: what they concern is asked again.
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

  /// Validation may change values, which are then validated too.
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
      guard objects.hasChecks(method, rules) else { return }
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
            ? try write(&saved, &permanent, coordinator)
            : try coordinator.saving(saved.count) { try write(&saved, &permanent, coordinator) }
        }
        advanceGeneration()
        return commit(saved, permanent, announcement, origin.token)
      } catch {
        announcePermanentIDs(permanent)
        if try meetReturned() { continue }
        try resolver.resolve(error)
      }
    }
  }

  /// Tells no observer: the store may be locked until it returns.
  private func write(
    _ saved: inout SavedObjects, _ permanent: inout [AssignedIdentity],
    _ coordinator: NSPersistentStoreCoordinator
  ) throws -> SaveAnnouncement {
    try makePermanent(saved.inserted, &permanent)
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

  /// The write has succeeded: what was changed is what the store has.
  private func commit(
    _ saved: SavedObjects, _ permanent: [AssignedIdentity], _ announcement: SaveAnnouncement,
    _ token: NSPersistentHistoryToken?
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
      // What was not written may be old, and is no news to others.
      if object.hasPersistentChangedValues {
        object.commitRow(version: version + 1, &rows.updated)
      } else {
        object.commitRow(version: version, &unwritten)
      }
    }
    publish(rows.inserted)
    publish(rows.updated)
    if lineage.hasChildren { lineage.post(rows.inserted + rows.updated, permanent) }
    // Waited for before anything of the objects changes that the sets are made of.
    let sets = announcement.takeSets()
    telling(saved.deleted + dropped.objects) {
      finish(saved)
      announcePermanentIDs(permanent)
      rootCoordinator?.announceUsage()
      SaveHub.announce(rows, deleted: saved.deleted, by: self)
    }
    return announceSave(saved, sets, token)
  }

  /// All rows of one store at once.
  private func publish(_ rows: [Row]) {
    var start = 0
    while start < rows.count {
      let run = rows[start...].ofFirstSpace
      rows[start].space?.publish(run, .saved)
      start = run.endIndex
    }
  }

  /// Nothing is changed any more.
  final func finish(_ saved: SavedObjects) {
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
    // A child may ask for the object still, whose row another context may hold.
    let isAsked = parent == nil && lineage.hasChildren
    saved.deleted.forEachUncounted { object in
      if isAsked, object.cachedRow != nil { endedRows.insert(object.packedIdentity) }
      object.relations?.members.forEach { $0?.clear() }
      end(object)
    }
    newerRows = [:]
    goneRows = []
    partings = [:]
    returning = [:]
    endDropped()
    inserted.removeAll()
    updated.removeAll()
    deleted.removeAll()
    watched = []
    assignedStores = [:]
  }

  /// The save of this context is over.
  final func announceSave(_ saved: SavedObjects) {
    announceSave(saved, saved.sets(lastEvent), nil)?.release()
  }

  private func announceSave(
    _ saved: SavedObjects, _ sets: consuming SaveAnnouncement.Sets,
    _ token: NSPersistentHistoryToken?
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
    // Whoever is told reads them still; an undo gives them back.
    if undoManager == nil {
      telling(saved.deleted) {
        saved.deleted.forEachUncounted { if $0.registryReference == nil { $0.forgetValues() } }
      }
    }
    return SaveAnnouncement.Leftover(sets, of: saved)
  }
}

/// The objects of one save, in the order of their creation, so that primary keys follow it.
struct SavedObjects {
  var inserted: [NSManagedObject]
  let updated: [NSManagedObject]
  let deleted: [NSManagedObject]
  /// Whether a class of theirs has that method.
  let callsDidSave: Bool
  /// The ``ObjectRoster/version`` of each.
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

  /// - Parameter lastEvent: What was told of the last event: often the save has nothing else.
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

  // Mapped, so that a save hashes no keys. Unsafe only in name: they hold strings.
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
    if let first = objects.first { first.space?.expect(objects.count, first.layout) }
    var identities = Set<NSManagedObjectID>(minimumCapacity: objects.count)
    objects.forEachUncounted { identities.update(with: $0.objectID) }
    return identities
  }
}

extension [NSManagedObject] {
  /// By store, entity and key; new objects last, in the order of their creation.
  var inOrder: [NSManagedObject] {
    if isInOrder { return self }
    return map { ($0.packedIdentity.bits, $0) }.sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// Most often they are already, having been made one after the other.
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
  /// Seals the row as saved. Transient values stay with the object.
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
