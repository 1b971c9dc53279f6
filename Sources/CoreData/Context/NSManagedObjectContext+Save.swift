extension NSManagedObjectContext {
  /// Writes every change to the stores in one transaction a store, or into the parent context.
  ///
  /// Order: pending changes are processed; `willSave` of each object, again while it changes
  /// something; the WillSave notification; validation; the merge policy where rows have changed in
  /// the store; the write; `didSave`; the DidSave notification. After an error nothing has been
  /// written and everything is still pending.
  ///
  /// - Throws: validation errors (1550–1690, several as 1560), conflicts (133020), store errors.
  public func save() throws {
    assertConfined()
    processPendingChanges()
    guard hasChanges else { return announceSave(SavedObjects()) }
    try callWillSave()
    NotificationCenter.default.post(name: .NSManagedObjectContextWillSave, object: self)
    if !propagatesDeletesAtEndOfEvent { propagateDeletions() }
    processPendingChanges()
    try validateChanges()
    processPendingChanges()
    if let parent {
      try save(into: parent)
    } else {
      try saveIntoStores()
    }
  }

  /// The rounds of `willSave` after which a loop is assumed.
  private static let willSaveRounds = 1000

  private func callWillSave() throws {
    var called: Set<NSManagedObject> = []
    for _ in 0..<Self.willSaveRounds {
      let changed = changedObjects
      for object in changed where !called.contains(object) || object.event != nil {
        object.willSave()
        called.insert(object)
      }
      guard hasEventChanges || changedObjects.count != changed.count else { return }
      processPendingChanges()
      let added = changedObjects.filter { !called.contains($0) }
      if added.isEmpty { return }
    }
    throw CoreDataError.make(
      .coreData,
      reason: "Failed to process pending changes before save: willSave still made changes after "
        + "\(Self.willSaveRounds) rounds. Set values there only when they differ.")
  }

  /// In the order of their creation, so that primary keys follow it.
  private var changedObjects: [NSManagedObject] {
    (Array(inserted) + Array(updated) + Array(deleted)).inOrder
  }

  private func validateChanges() throws {
    var errors: [any Error] = []
    func collect(_ objects: Set<NSManagedObject>, _ check: (NSManagedObject) throws -> Void) {
      for object in objects where !object.flags.contains(.goneFromStore) {
        do { try check(object) } catch { errors.append(error) }
      }
    }
    collect(inserted) { try $0.validateForInsert() }
    collect(updated) { try $0.validateForUpdate() }
    collect(deleted) { try $0.validateForDelete() }
    if !errors.isEmpty { throw CoreDataError.combined(errors) }
  }

  // MARK: - Into stores

  private func saveIntoStores() throws {
    guard let coordinator = rootCoordinator else {
      throw CoreDataError.make(
        .coreData,
        reason: "This NSManagedObjectContext has no persistent store coordinator: set "
          + "persistentStoreCoordinator, or take the context from an NSPersistentContainer.")
    }
    try obtainPermanentIDs(for: inserted.filter(\.objectID.isTemporaryID).inOrder)
    var resolver = ConflictResolver(context: self)
    while true {
      let changes = try collectChanges(coordinator)
      do {
        try coordinator.save(changes)
        break
      } catch let conflicts as SaveConflicts {
        try resolver.resolve(conflicts)
      }
    }
    commit()
  }

  private func collectChanges(
    _ coordinator: NSPersistentStoreCoordinator
  ) throws -> [(store: any RowStore, changes: StoreChanges)] {
    var collector = ChangeCollector(coordinator: coordinator)
    for object in inserted.inOrder { try collector.insert(object) }
    for object in updated.inOrder { try collector.update(object) }
    for object in deleted.inOrder { try collector.delete(object) }
    return collector.changesByStore
  }

  /// The write has succeeded: what was changed is what the store has.
  private func commit() {
    var saved = SavedObjects(inserted: inserted, updated: updated, deleted: deleted)
    for object in inserted { object.commitRow(version: 1, &saved.rows.inserted) }
    for object in updated where object.current != nil {
      let isWritten = object.hasPersistentChangedValues
      let version = (object.snapshot?.version ?? 0) + (isWritten ? 1 : 0)
      object.commitRow(version: version, &saved.rows.updated)
    }
    for object in deleted { saved.rows.deleted.append(object.objectID) }
    finish(saved)
    SaveHub.announce(saved.rows, by: self)
    announceSave(saved)
  }

  /// Nothing is changed any more.
  final func finish(_ saved: SavedObjects) {
    for object in saved.inserted {
      object.lifecycle = .live
      object.commitMembers()
    }
    for object in saved.updated {
      object.flags.remove(.updated)
      object.commitMembers()
    }
    for object in saved.deleted {
      object.lifecycle = .absent
      object.flags.remove(.goneFromStore)
      object.snapshot = nil
      for store in object.members { store?.clear() }
      unregister(object)
    }
    inserted = []
    updated = []
    deleted = []
    assignedStores = [:]
  }

  final func announceSave(_ saved: SavedObjects) {
    for object in saved.all { object.didSave() }
    NotificationCenter.default.post(
      name: .NSManagedObjectContextDidSave, object: self, userInfo: saved.userInfo)
    NotificationCenter.default.post(
      name: .NSManagedObjectContextDidSaveObjectIDs, object: self,
      userInfo: saved.identityUserInfo)
  }
}

/// The objects of one save, and their rows as saved.
struct SavedObjects {
  var inserted: Set<NSManagedObject> = []
  var updated: Set<NSManagedObject> = []
  var deleted: Set<NSManagedObject> = []
  var rows = SavedRows()

  var all: [NSManagedObject] { (Array(inserted) + Array(updated) + Array(deleted)).inOrder }

  var userInfo: [AnyHashable: Any] {
    var userInfo: [AnyHashable: Any] = [:]
    if !inserted.isEmpty { userInfo[NSInsertedObjectsKey] = inserted }
    if !updated.isEmpty { userInfo[NSUpdatedObjectsKey] = updated }
    if !deleted.isEmpty { userInfo[NSDeletedObjectsKey] = deleted }
    return userInfo
  }

  var identityUserInfo: [AnyHashable: Any] {
    [
      NSInsertedObjectIDsKey: Set(inserted.map(\.objectID)),
      NSUpdatedObjectIDsKey: Set(updated.map(\.objectID)),
      NSDeletedObjectIDsKey: Set(deleted.map(\.objectID)),
    ]
  }
}

extension Sequence where Element == NSManagedObject {
  /// By store, entity and key; new objects last, in the order of their creation.
  var inOrder: [NSManagedObject] {
    // Each key is read once: comparing by way of the objects costs several times as much.
    map { ($0.objectID.packed.bits, $0) }.sorted { $0.0 < $1.0 }.map(\.1)
  }
}

extension NSManagedObject {
  /// Seals the row as saved, and shares it. Transient values stay with the object.
  fileprivate func commitRow(version: Int64, _ rows: inout [Row]) {
    let own = readableRow
    if own === snapshot, own.version == version {
      rows.append(own)
      return
    }
    let keepsOwn = !layout.transientSlots.isEmpty
    let row = own.isSealed || keepsOwn ? own.copy() : own
    for slot in layout.transientSlots { row[slot] = .null }
    row.resolveIdentities()
    row.seal(identity: objectID, version: version)
    objectID.publish(row)
    snapshot = row
    current = keepsOwn ? (own.isSealed ? own.copy() : own) : row
    rows.append(row)
  }

  fileprivate func commitMembers() {
    for store in members { store?.commit() }
  }
}
