extension NSManagedObjectContext {
  final func merge(_ notification: Notification) {
    assertConfined()
    let userInfo = notification.userInfo ?? [:]
    func identities(_ objects: String, _ ids: String) -> [NSManagedObjectID] {
      guard let objects = userInfo[objects] as? Set<NSManagedObject> else {
        return self.identities(in: userInfo[ids])
      }
      return objects.inKeyOrder(\.packedIdentity.bits).compactMap { ownIdentity($0.objectID) }
    }
    // Contexts of one coordinator share the rows that they save; changes by others are read from
    // the store.
    let saver = notification.object as? NSManagedObjectContext
    merge(
      inserted: identities(NSInsertedObjectsKey, NSInsertedObjectIDsKey),
      updated: identities(NSUpdatedObjectsKey, NSUpdatedObjectIDsKey),
      deleted: identities(NSDeletedObjectsKey, NSDeletedObjectIDsKey),
      readsStore: saver?.rootCoordinator !== rootCoordinator)
  }

  /// Merges changes, given as arrays of object IDs or URIs, into each context on its queue.
  public class func mergeChanges(
    fromRemoteContextSave changeNotificationData: [AnyHashable: Any],
    into contexts: [NSManagedObjectContext]
  ) {
    for context in contexts {
      context.confinement.performAndWait {
        let changes = context.identities(inRemote: changeNotificationData)
        context.merge(
          inserted: changes.inserted, updated: changes.updated, deleted: changes.deleted,
          readsStore: true)
      }
    }
  }

  /// Merges a part of the changes that others have saved, given as for
  /// ``mergeChanges(fromRemoteContextSave:into:)``. Throws, with nothing merged, if the store
  /// cannot be read at this time.
  package final func mergeRemoteChanges(_ data: [AnyHashable: Any]) throws {
    try confinement.performAndWait {
      advanceGeneration()
      let changes = identities(inRemote: data)
      // A deletion may be announced so late that a saved undo has brought the object back.
      let back = try newestRows(of: changes.deleted, true)
      let present = Set(back.map(\.packed))
      let rows = SavedRows(
        inserted: try newestRows(of: changes.inserted, true) + back,
        updated: try newestRows(of: changes.updated, true),
        deleted: changes.deleted.filter { !present.contains($0.resolved.packed) })
      merge(try withOtherEnds(rows))
    }
  }

  private func identities(
    inRemote data: [AnyHashable: Any]
  ) -> (
    inserted: [NSManagedObjectID], updated: [NSManagedObjectID], deleted: [NSManagedObjectID]
  ) {
    func identities(_ keys: [String]) -> [NSManagedObjectID] {
      keys.flatMap { self.identities(in: data[$0]) }
    }
    return (
      identities([NSInsertedObjectsKey, NSInsertedObjectIDsKey]),
      identities([NSUpdatedObjectsKey, NSUpdatedObjectIDsKey]),
      identities([NSDeletedObjectsKey, NSDeletedObjectIDsKey])
    )
  }

  private func identities(in value: Any?) -> [NSManagedObjectID] {
    let items: [Any] =
      switch value {
      case let array as [Any]: array
      case let set as Set<AnyHashable>: Array(set)
      case let set as NSSet: set.allObjects
      default: []
      }
    let identities = items.compactMap { item -> NSManagedObjectID? in
      switch item {
      case let id as NSManagedObjectID: ownIdentity(id)
      case let object as NSManagedObject: ownIdentity(object.objectID)
      case let url as URL: rootCoordinator?.managedObjectID(forURIRepresentation: url)
      default: nil
      }
    }
    return identities.inKeyOrder(\.packed.bits)
  }

  /// Reads the changed rows and merges them.
  ///
  /// - Parameter readsStore: true if shared rows may be stale, because the store was changed by
  ///   others than contexts of this coordinator, such as a batch request.
  private func merge(
    inserted: [NSManagedObjectID], updated: [NSManagedObjectID], deleted: [NSManagedObjectID],
    readsStore: Bool = false
  ) {
    advanceGeneration()
    do {
      let rows = SavedRows(
        inserted: try newestRows(of: inserted, readsStore),
        updated: try newestRows(of: updated, readsStore), deleted: deleted)
      merge(readsStore ? try withOtherEnds(rows) : rows)
    } catch {
      // The next access to these objects reads them again, and reports the error if that fails.
      Console.error("could not read the rows of a merge: the store failed with \(error)")
      merge(SavedRows(deleted: deleted))
      for identity in inserted + updated {
        if let object = registry.object(identity.resolved.packed) {
          refresh(object, mergeChanges: object.hasChanges)
        }
      }
    }
  }

  private func newestRows(
    of identities: [NSManagedObjectID], _ readsStore: Bool
  ) throws -> [Row] {
    let resolved = identities.map(\.resolved).filter { !$0.isTemporaryID }
    let usesCache = readsSharedRows && !readsStore
    let cached = usesCache ? resolved.map(\.cachedRow) : resolved.map { _ in nil }
    // In the order of keys: rows with neighbouring keys share a page of the file.
    let missing = zip(resolved, cached).filter { $0.1 == nil }.map(\.0)
      .sorted { $0.packed.bits < $1.packed.bits }
    let read = missing.isEmpty ? [] : try source?.rows(of: missing) ?? []
    return cached.compactMap { $0 } + read
  }

  /// Merges the rows that a save has written.
  final func merge(_ rows: SavedRows) {
    assertConfined()
    advanceGeneration()
    takeOverPermanentIDs()
    processPendingChanges()
    var changes = ContextChanges()
    telling(
      (rows.inserted + rows.updated).compactMap { registry.object($0.packed) }
        + oneSidedOwners(of: rows.deleted)
    ) {
      isMerging = true
      if !endedRows.isEmpty { endedRows.subtract((rows.inserted + rows.updated).map(\.packed)) }
      if hasUndoSteps { noteChangesElsewhere(rows.inserted + rows.updated) }
      keepingInverses(of: editedObjects(of: rows)) {
        for row in rows.inserted { mergeInsertion(row, changes: &changes) }
        for row in rows.updated { mergeUpdate(row, changes: &changes) }
      }
      if !deleted.isEmpty { (rows.inserted + rows.updated).forEach(leaveDeleted) }
      for identity in rows.deleted { mergeDeletion(identity, changes: &changes) }
      mergeLosses(&changes)
      // After all deletions: what stays is not related to what is gone.
      for identity in rows.deleted where goneRows.contains(identity.resolved.packed) {
        guard let object = registry.object(identity.resolved.packed) else { continue }
        if object.lifecycle.isPresent { stayRelated(object) }
      }
      isMerging = false
    }
    if !changes.isEmpty, tellOfOthers(changes) { announceMerge(changes) }
  }

  private func editedObjects(of rows: SavedRows) -> [NSManagedObject] {
    if updated.isEmpty { return [] }
    return (rows.inserted + rows.updated).compactMap { row in
      registry.object(row.packed).flatMap { $0.flags.contains(.updated) ? $0 : nil }
    }
  }

  /// Announces changes made elsewhere. Returns true if any of them affects objects of this context.
  @discardableResult
  final func tellOfOthers(_ changes: ContextChanges) -> Bool {
    for observer in liveObservers() { observer.contextDidProcess(changes) }
    let userInfo = changes.userInfo(EventSets(changes, in: self))
    guard !userInfo.isEmpty else { return false }
    NotificationCenter.default.post(
      name: .NSManagedObjectContextObjectsDidChange, object: self, userInfo: userInfo)
    return true
  }

  private func mergeInsertion(_ row: Row, changes: inout ContextChanges) {
    let isNew = registry.object(row.packed)?.current == nil
    let object = object(for: row)
    if isNew {
      changes.inserted.append(object)
    } else {
      refresh(object, with: row, changes: &changes)
    }
  }

  private func mergeUpdate(_ row: Row, changes: inout ContextChanges) {
    guard let object = registry.object(row.packed) else {
      changes.unregistered.append(row)
      return
    }
    refresh(object, with: row, changes: &changes)
  }

  private func refresh(_ object: NSManagedObject, with row: Row, changes: inout ContextChanges) {
    guard object.lifecycle.isPresent else {
      if object.lifecycle == .deleted { meetDeleted(object, row: row, changes: &changes) }
      return
    }
    if !newerRows.isEmpty { newerRows[row.packed] = nil }
    if !goneRows.isEmpty { goneRows.remove(row.packed) }
    if object.lifecycle == .inserted {
      meetReturned(object, base: returning[row.packed]?.base ?? row)
    }
    let wasFault = object.isFault
    object.rebase(onto: row)
    if wasFault { changes.unregistered.append(row) } else { changes.refreshed.append(object) }
  }

  /// Handles a newer row of an object that is deleted here. If others had made the deletion, they
  /// have undone it.
  private func meetDeleted(
    _ object: NSManagedObject, row: Row, changes: inout ContextChanges
  ) {
    let isTakenBack =
      object.flags.contains(.goneFromStore) && !goneRows.contains(row.packed)
    object.flags.remove(.goneFromStore)
    goneRows.remove(row.packed)
    guard isTakenBack else {
      newerRows[row.packed] = row
      return
    }
    deleted.remove(object)
    object.lifecycle = .live
    for store in object.members { store?.clear() }
    object.letMembersBeReadAgain()
    object.hold(row)
    object.addTransientDefaults()
    changes.inserted.append(object)
  }

  private func mergeDeletion(_ identity: NSManagedObjectID, changes: inout ContextChanges) {
    guard let object = registry.object(identity.resolved.packed) else {
      changes.unregisteredDeletions.append(identity.resolved)
      if identity.resolved.cachedRow != nil { endedRows.insert(identity.resolved.packed) }
      return
    }
    // The object is deleted here and by others: nothing is left to delete, and nothing to restore.
    if object.lifecycle == .deleted, !object.flags.contains(.goneFromStore) {
      object.flags.insert(.goneFromStore)
      goneRows.insert(object.packedIdentity)
    }
    guard object.lifecycle.isPresent else { return }
    if object.flags.contains(.editedByChild), object.hasPersistentChangedValues {
      goneRows.insert(object.packedIdentity)
      return
    }
    leaveUnsavedRelationships(object)
    object.fireFaultBeforeItsRowIsForgotten()
    object.flags.insert(.goneFromStore)
    markDeleted(object)
    changes.deleted.append(object)
  }

  /// Removes deleted objects from the relationships of those that no newer row tells of it.
  private func mergeLosses(_ changes: inout ContextChanges) {
    let gone = changes.deleted.map(\.objectID) + changes.unregisteredDeletions
    if gone.isEmpty { return }
    let losers = leaveOneSidedRelationships(gone) + leaveRelationshipsOfStaying(gone)
    let refreshed = Set(changes.refreshed)
    changes.refreshed += losers.filter { !refreshed.contains($0) }
  }

  /// Removes deleted objects from the relationships of those that stay for a child's edit although
  /// their rows are gone. If both come back, so does their relationship: it is not an edit.
  ///
  /// - Returns: the owners.
  private func leaveRelationshipsOfStaying(_ gone: [NSManagedObjectID]) -> [NSManagedObject] {
    if goneRows.isEmpty { return [] }
    let identities = Set(gone.map(\.resolved.packed))
    return goneRows.compactMap(registry.object).filter {
      $0.lifecycle.isPresent && $0.lose(identities)
    }
  }

  /// Before a save, removes objects whose rows are gone, which stayed for a child's edits that were
  /// undone since.
  final func dropWhatIsGone() {
    if goneRows.isEmpty { return }
    var changes = ContextChanges()
    let gone = goneRows.compactMap(registry.object).filter {
      $0.lifecycle == .live && !$0.hasPersistentChangedValues
    }
    telling(gone + oneSidedOwners(of: gone.map(\.objectID))) {
      isMerging = true
      for object in gone {
        object.flags.remove(.editedByChild)
        updated.remove(object)
        object.flags.remove(.updated)
        mergeDeletion(object.objectID, changes: &changes)
      }
      mergeLosses(&changes)
      isMerging = false
    }
    if !changes.isEmpty, tellOfOthers(changes) { announceMerge(changes) }
  }

  private func announceMerge(_ changes: ContextChanges) {
    let refreshed = Set(changes.refreshed.map(\.objectID))
    let userInfo: [AnyHashable: Any] = [
      NSInsertedObjectIDsKey: Set(changes.inserted.map(\.objectID)),
      NSUpdatedObjectIDsKey: refreshed,
      NSRefreshedObjectIDsKey: refreshed,
      NSDeletedObjectIDsKey: Set(changes.deleted.map(\.objectID)),
    ]
    NotificationCenter.default.post(
      name: .NSManagedObjectContextDidMergeChangesObjectIDs, object: self, userInfo: userInfo)
  }
}

extension NSManagedObject {
  /// Rebases the object onto a newer row: its edits are applied on top of the row's values.
  ///
  /// An object edited by a child keeps the version of the row that the child has read: the child
  /// has not seen the newer one.
  final func rebase(onto row: Row) {
    letMembersBeReadAgain()
    guard let old = snapshot, let current, !isFault else {
      return hold(row)
    }
    let edited = current === old ? [] : changedSlots()
    if !edited.isEmpty { noteReplacedBases(old, new: row, below: edited) }
    hold(flags.contains(.editedByChild) ? judgedRow(row, old: old, edited: edited) : row)
    if edited.isEmpty, layout.transientSlots.isEmpty { return }
    let merged = row.copy()
    for slot in edited + layout.transientSlots { merged[slot] = current[slot] }
    self.current = merged
  }

  /// The row to judge a child's edits by: the newer row if it has the old values in the edited
  /// slots. Else a row that no store has, of the old version, with the old values below those
  /// edits: the save then has a conflict in these values only. It is a conflict even if both
  /// writers set the same value, since neither has seen the other: both may have incremented a
  /// counter.
  private func judgedRow(_ row: Row, old: Row, edited: [Int]) -> Row {
    let unseen = edited.filter { row.differs(from: old, in: $0) }
    if unseen.isEmpty || row.version == old.version { return row }
    let judged = row.copy()
    for slot in unseen { judged[slot] = old[slot] }
    judged.seal(packed, in: space, version: old.version)
    registry?.context?.newerRows[packed] = row
    return judged
  }

  /// Removes objects that are gone from the relationships of this one, as if its row had said so.
  /// Returns whether it had any.
  fileprivate func lose(_ gone: Set<PackedIdentity>) -> Bool {
    var had = false
    func isGone(_ value: Value) -> Bool {
      guard case .identity(let id) = value else { return false }
      return gone.contains(id.resolved.packed)
    }
    func without(_ row: Row) -> Row? {
      let slots = row.format.pointee.references.map(Int.init).filter { isGone(row[$0]) }
      if slots.isEmpty { return nil }
      let copy = row.copy()
      for slot in slots { copy[slot] = .null }
      return copy
    }
    if let old = snapshot, let current {
      let (less, now) = (without(old), without(current))
      if let less {
        less.seal(packed, in: space, version: old.version)
        hold(less)
      }
      if less != nil || now != nil { self.current = now ?? current }
      had = less != nil || now != nil
    }
    for store in members {
      guard let store, store.hasAny(of: gone) else { continue }
      store.leaveOut(gone)
      had = true
    }
    return had
  }

  /// Reads the values before the deletion if some context still has the row, so that they stay
  /// readable.
  fileprivate func fireFaultBeforeItsRowIsForgotten() {
    guard isFault else { return }
    if current == nil { current = cachedRow ?? Row.empty(objectID) }
    fireFault()
  }
}
