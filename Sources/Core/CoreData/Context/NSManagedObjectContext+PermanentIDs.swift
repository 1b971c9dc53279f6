extension NSManagedObjectContext {
  /// Assigns permanent IDs to objects before the save. An object that also exists in contexts above
  /// gets its ID in the highest of them, which is the one that saves it.
  final func obtainIdentities(of objects: [NSManagedObject]) throws {
    try checkConfined()
    var pairs: [AssignedIdentity] = []
    defer { announcePermanentIDs(pairs) }
    if let stranger = objects.first(where: { $0.registry !== registry }) {
      throw CoreDataError.make(
        .coreData,
        reason: "\(stranger.objectID) is not in this context: ask the object's own context for its "
          + "permanent ID.")
    }
    if let parent { try obtainIdentities(of: objects, from: parent) }
    try makePermanent(objects, pairs: &pairs)
  }

  private func obtainIdentities(
    of objects: [NSManagedObject], from parent: NSManagedObjectContext
  ) throws {
    try parent.confinement.performAndWait {
      takeOverPermanentIDs()
      parent.takeOverPermanentIDs()
      let twins = try objects.compactMap { object -> NSManagedObject? in
        guard object.packedIdentity.isTemporary else { return nil }
        let twin = parent.object(for: object.packedIdentity)
        // The parent no longer has the object, so no save would store it under the ID.
        if twin == nil, object.lifecycle == .live { throw CoreDataError.missingInParent(object) }
        return twin
      }
      if !twins.isEmpty { try parent.obtainIdentities(of: twins) }
    }
    takeOverPermanentIDs()
  }

  /// Assigns to unsaved objects the permanent IDs of their stores.
  ///
  /// - Parameter pairs: receives the assigned IDs that must be announced, also if a later store
  ///   throws.
  final func makePermanent(
    _ objects: [NSManagedObject], pairs: inout [AssignedIdentity]
  ) throws {
    assertConfined()
    guard let coordinator = rootCoordinator else { return }
    let isFollowed = !liveObservers().isEmpty || lineage.hasChildren
    var groups: [(store: any RowStore, objects: [NSManagedObject])] = []
    let isNew = objects.allSatisfyUncounted { $0.packedIdentity.isTemporary }
    for group in Self.byEntity(isNew ? objects : objects.filter(\.packedIdentity.isTemporary)) {
      for (store, members) in try byStore(group, coordinator: coordinator) {
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
        let new = zip(members, permanent).map {
          AssignedIdentity(temporary: $0.packed, permanent: $1, space: space)
        }
        // Posted before any other code can learn of the IDs in another way.
        lineage.post(new)
        pairs += new
      }
      becomePermanent(members, permanent: permanent, space: space)
    }
  }

  private static func byEntity(_ objects: [NSManagedObject]) -> [[NSManagedObject]] {
    guard let first = objects.first else { return [] }
    // Most often all objects are of one entity.
    if objects.allSatisfyUncounted({ $0.layout === first.layout }) { return [objects] }
    return Dictionary(grouping: objects, by: \.layout.number).sorted { $0.key < $1.key }.map(
      \.value)
  }

  private func byStore(
    _ objects: [NSManagedObject], coordinator: NSPersistentStoreCoordinator
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

  /// Registers the objects under their permanent IDs in batches, which lock the registry once for
  /// all of them.
  private func becomePermanent(
    _ objects: [NSManagedObject], permanent: [PackedIdentity], space: IdentitySpace
  ) {
    var next = permanent.makeIterator()
    objects.forEachUncounted { object in
      guard let permanent = next.next() else { return }
      TemporaryObjectID.note(object.packed, became: space.identity(permanent))
    }
    next = permanent.makeIterator()
    registry.inBatch { batch in
      objects.forEachUncounted { object in
        guard let permanent = next.next() else { return }
        batch.remove(object, for: object.packed.bits)
        object.noteEntry(into: registry, permanent, in: .passUnretained(space))
        batch.insert(object, for: permanent.bits)
      }
    }
    if let usage = space.usage { for permanent in permanent { usage.begin(permanent) } }
  }

  /// Registers objects under the permanent IDs that a context above has assigned to them.
  final func takeOverPermanentIDs() {
    let pairs = lineage.takeMail()
    guard !pairs.isEmpty else { return }
    for pair in pairs {
      // The temporary ID may have been requested since it became permanent.
      TemporaryObjectID.note(pair.temporary, became: pair.objectID)
      guard let object = registry.object(pair.temporary) else { continue }
      register(object, packed: pair.permanent, space: pair.space)
    }
    tellObservers(pairs)
  }

  /// Notifies the observers of this context and the contexts below it of permanent IDs.
  final func announcePermanentIDs(_ pairs: [AssignedIdentity]) {
    if pairs.isEmpty { return }
    tellObservers(pairs)
    lineage.wake()
  }

  private func tellObservers(_ pairs: [AssignedIdentity]) {
    for observer in liveObservers() { observer.contextDidAssignPermanentIDs(pairs) }
  }
}

extension CoreDataError {
  fileprivate static func missingInParent(_ object: NSManagedObject) -> NSError {
    make(
      .managedObjectReferentialIntegrity,
      reason: "\(object.objectID) was saved into the parent context, which has it no more: it was "
        + "deleted there, rolled back or reset before the parent's own save.",
      userInfo: [NSAffectedObjectsErrorKey: [object.objectID]])
  }
}
