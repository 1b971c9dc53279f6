extension NSManagedObjectContext {
  final func dropValues(of object: NSManagedObject, mergeChanges flag: Bool) {
    assertConfined()
    guard object.registry === registry else { return }
    switch object.lifecycle {
    case .inserted where !flag: object.turnIntoFaultWithItsValues()
    case .live where flag && isEdited(object):
      telling([object]) { refreshKeepingEdits(object) }
    // The child that has deleted the object has not seen the newer row, so the deletion must keep
    // its row.
    case .deleted where flag && object.flags.contains(.editedByChild): break
    case .live, .deleted:
      telling([object], everything: true) {
        discardEdits(of: object)
        object.turnIntoFault()
      }
    default: return
    }
    refreshedObjects.insert(object)
  }

  private func isEdited(_ object: NSManagedObject) -> Bool {
    object.hasPersistentChangedValues || !object.event.isOver
  }

  private func refreshKeepingEdits(_ object: NSManagedObject) {
    do {
      guard let row = try newestRow(of: object) else { return handleInaccessibleFault(object) }
      keepingInverses(of: [object]) { object.rebase(onto: row) }
      object.awake(fromSnapshotEvents: .refresh)
    } catch {
      // The edits matter more than the newer row: the object stays as it is.
      Console.error("could not refresh \(object.objectID): the store failed with \(error)")
    }
  }

  private func discardEdits(of object: NSManagedObject) {
    updated.remove(object)
    lastEvent = .none
    object.flags.subtract([.updated, .editedByChild])
    object.event = .none
    if !newerRows.isEmpty { newerRows[object.packedIdentity] = nil }
    goneRows.remove(object.packedIdentity)
  }

  final func dropAllValues() {
    assertConfined()
    processPendingChanges()
    let onShow = liveObservers().flatMap(\.objectsOnShow)
    for object in registry.objects { refresh(object, mergeChanges: true) }
    withExtendedLifetime(onShow) { processPendingChanges() }
  }

  final func takeBackChanges() {
    assertConfined()
    unreadFailure = nil
    propagateDeletions()
    let changes = telling([inserted, updated, deleted].flatMap(\.objects) + dropped.objects) {
      takeBackEdits()
    }
    undoManager?.removeAllActions()
    if !changes.isEmpty { tell(changes) }
  }

  private func takeBackEdits() -> ContextChanges {
    isMerging = true
    for object in eventObjects { object.event = .none }
    eventObjects = []
    lastEvent = .none
    var changes = ContextChanges()
    for object in inserted { drop(object, changes: &changes) }
    for object in deleted { restore(object, changes: &changes) }
    for object in updated {
      if goneRows.contains(object.packedIdentity) {
        drop(object, changes: &changes)
      } else {
        restoreValues(object, changes: &changes)
      }
    }
    inserted.removeAll()
    deleted.removeAll()
    updated.removeAll()
    watched = []
    newerRows = [:]
    goneRows = []
    partings = [:]
    returning = [:]
    (repeatedDeletions, deletionSteps) = ([], [])
    endDropped()
    isMerging = false
    return changes
  }

  private func drop(_ object: NSManagedObject, changes: inout ContextChanges) {
    changes.deleted.append(object)
    end(object)
  }

  private func restore(_ object: NSManagedObject, changes: inout ContextChanges) {
    guard !object.flags.contains(.goneFromStore) else { return end(object) }
    object.lifecycle = .live
    restoreRow(object)
    changes.inserted.append(object)
  }

  private func restoreValues(_ object: NSManagedObject, changes: inout ContextChanges) {
    restoreRow(object)
    changes.updated.append(object)
  }

  private func restoreRow(_ object: NSManagedObject) {
    object.flags.subtract([.updated, .editedByChild])
    if let newer = newerRows[object.packedIdentity] {
      object.hold(newer)
      object.letMembersBeReadAgain()
    }
    object.current = object.snapshot
    if object.snapshot == nil { object.flags.insert(.fault) } else { object.addTransientDefaults() }
    object.rollBackMembers()
    object.awake(fromSnapshotEvents: .rollback)
  }

  final func forgetEverything() {
    assertConfined()
    unreadFailure = nil
    advanceGeneration()
    resetCount += 1
    let objects = registry.objects
    let identities = objects.map(\.objectID)
    telling(objects + eventObjects) { forget(objects) }
    undoManager?.removeAllActions(withTarget: self)
    rootCoordinator?.announceUsage()
    for observer in liveObservers() { observer.contextDidReset(identities) }
    NotificationCenter.default.post(
      name: .NSManagedObjectContextObjectsDidChange, object: self,
      userInfo: [NSInvalidatedAllObjectsKey: identities])
  }

  private func forget(_ objects: [NSManagedObject]) {
    for object in objects + eventObjects { forget(object) }
    inserted.removeAll()
    updated.removeAll()
    deleted.removeAll()
    watched = []
    eventObjects = []
    lastEvent = .none
    _ = dropped.removeAll()
    pendingDeletions = []
    (repeatedDeletions, deletionSteps) = ([], [])
    newerRows = [:]
    goneRows = []
    endedRows = []
    partings = [:]
    returning = [:]
    refreshedObjects = []
    retainedObjects = []
    assignedStores = [:]
  }

  private func forget(_ object: NSManagedObject) {
    object.event = .none
    end(object)
    object.forgetValues()
  }
}
