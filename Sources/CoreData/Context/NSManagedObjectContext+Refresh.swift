extension NSManagedObjectContext {
  final func dropValues(of object: NSManagedObject, mergeChanges flag: Bool) {
    assertConfined()
    guard object.registry === registry else { return }
    switch object.lifecycle {
    case .inserted where !flag: object.turnIntoFaultWithItsValues()
    case .live where flag && isEdited(object): refreshKeepingEdits(object)
    case .live, .deleted:
      discardEdits(of: object)
      object.turnIntoFault()
    default: return
    }
    refreshedObjects.insert(object)
  }

  private func isEdited(_ object: NSManagedObject) -> Bool {
    object.hasPersistentChangedValues || object.event?.isTold == false
  }

  private func refreshKeepingEdits(_ object: NSManagedObject) {
    do {
      guard let row = try newestRow(of: object) else { return handleInaccessibleFault(object) }
      object.rebase(onto: row)
      object.awake(fromSnapshotEvents: .refresh)
    } catch {
      // The edits are worth more than the news: the object stays as it is.
      Self.report("could not refresh \(object.objectID): the store failed with \(error)")
    }
  }

  private func discardEdits(of object: NSManagedObject) {
    updated.remove(object)
    object.flags.remove(.updated)
    object.event = nil
  }

  final func dropAllValues() {
    assertConfined()
    processPendingChanges()
    for object in registry.objects { refresh(object, mergeChanges: true) }
    processPendingChanges()
  }

  final func takeBackChanges() {
    assertConfined()
    propagateDeletions()
    isMerging = true
    for object in eventObjects { object.event = nil }
    eventObjects = []
    insertedOfLastEvent = nil
    var changes = ContextChanges()
    for object in inserted { drop(object, &changes) }
    for object in deleted { restore(object, &changes) }
    for object in updated { restoreValues(object, &changes) }
    inserted.removeAll()
    deleted.removeAll()
    updated.removeAll()
    watched = []
    isMerging = false
    undoManager?.removeAllActions()
    if !changes.isEmpty { tell(changes) }
  }

  private func drop(_ object: NSManagedObject, _ changes: inout ContextChanges) {
    object.lifecycle = .absent
    changes.deleted.append(object)
    unregister(object)
  }

  private func restore(_ object: NSManagedObject, _ changes: inout ContextChanges) {
    guard !object.flags.contains(.goneFromStore) else { return unregister(object) }
    object.lifecycle = .live
    restoreRow(object)
    changes.inserted.append(object)
  }

  private func restoreValues(_ object: NSManagedObject, _ changes: inout ContextChanges) {
    restoreRow(object)
    changes.updated.append(object)
  }

  private func restoreRow(_ object: NSManagedObject) {
    object.flags.remove(.updated)
    object.current = object.snapshot
    if object.snapshot == nil { object.flags.insert(.fault) } else { object.addTransientDefaults() }
    for store in object.members { store?.rollback() }
    object.awake(fromSnapshotEvents: .rollback)
  }

  final func forgetEverything() {
    assertConfined()
    advanceGeneration()
    let objects = registry.objects
    let identities = objects.map(\.objectID)
    for object in objects + eventObjects { forget(object) }
    inserted.removeAll()
    updated.removeAll()
    deleted.removeAll()
    watched = []
    eventObjects = []
    insertedOfLastEvent = nil
    pendingDeletions = []
    refreshedObjects = []
    retainedObjects = []
    assignedStores = [:]
    undoManager?.removeAllActions(withTarget: self)
    rootCoordinator?.announceUsage()
    for observer in liveObservers() { observer.contextDidReset(identities) }
    NotificationCenter.default.post(
      name: .NSManagedObjectContextObjectsDidChange, object: self,
      userInfo: [NSInvalidatedAllObjectsKey: identities])
  }

  private func forget(_ object: NSManagedObject) {
    object.event = nil
    object.lifecycle = .absent
    object.flags = [.fault]
    object.hold(nil)
    object.members = []
    unregister(object)
  }

  /// - Parameter pairs: Gets those that are to be announced, also when a later store throws.
  final func makePermanent(
    _ objects: [NSManagedObject], _ pairs: inout [AssignedIdentity]
  ) throws {
    assertConfined()
    guard let coordinator = rootCoordinator else { return }
    let isFollowed = !liveObservers().isEmpty || lineage.hasChildren
    var groups: [(store: any RowStore, objects: [NSManagedObject])] = []
    let isNew = objects.allSatisfy(\.packedIdentity.isTemporary)
    for group in Self.byEntity(isNew ? objects : objects.filter(\.packedIdentity.isTemporary)) {
      for (store, members) in try byStore(group, coordinator) {
        if let index = groups.firstIndex(where: { $0.store === store }) {
          groups[index].objects += members
        } else {
          groups.append((store, members))
        }
      }
    }
    for (store, members) in groups {
      let space = store.identities
      let permanent = try store.permanentIdentities(for: members)
      if isFollowed {
        pairs += zip(members, permanent).map {
          AssignedIdentity(temporary: $0.packed, permanent: $1, space: space)
        }
      }
      becomePermanent(members, permanent, space)
    }
  }

  private static func byEntity(_ objects: [NSManagedObject]) -> [[NSManagedObject]] {
    guard let first = objects.first else { return [] }
    // Most often all are of one entity.
    if objects.allSatisfy({ $0.layout === first.layout }) { return [objects] }
    return Dictionary(grouping: objects, by: \.layout.number).sorted { $0.key < $1.key }.map(
      \.value)
  }

  private func byStore(
    _ objects: [NSManagedObject], _ coordinator: NSPersistentStoreCoordinator
  ) throws -> [(any RowStore, [NSManagedObject])] {
    if assignedStores.isEmpty {
      return [(try coordinator.store(for: objects[0].layout, assigned: nil), objects)]
    }
    var groups: [(store: any RowStore, objects: [NSManagedObject])] = []
    for object in objects {
      let store = try coordinator.store(for: object.layout, assigned: assignedStores[object])
      if let index = groups.firstIndex(where: { $0.store === store }) {
        groups[index].objects.append(object)
      } else {
        groups.append((store, [object]))
      }
    }
    return groups
  }

  /// All at once: the registry is locked once.
  private func becomePermanent(
    _ objects: [NSManagedObject], _ permanent: [PackedIdentity], _ space: IdentitySpace
  ) {
    for (object, permanent) in zip(objects, permanent) {
      TemporaryObjectID.note(object.packed, became: space.identity(permanent))
    }
    registry.inBatch { batch in
      for (object, permanent) in zip(objects, permanent) {
        batch.remove(object, for: object.packed.bits)
        object.noteEntry(into: registry, permanent, in: .passUnretained(space))
        batch.insert(object, for: permanent.bits)
      }
    }
    if let usage = space.usage { for permanent in permanent { usage.begin(permanent) } }
  }
}
