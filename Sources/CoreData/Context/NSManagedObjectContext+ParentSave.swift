extension NSManagedObjectContext {
  /// Pushes the changes into the parent, as edits there: the parent's own save writes them.
  ///
  /// An edited object that the parent has no more (it was deleted there, rolled back or reset) is a conflict, as
  /// one whose row is gone is to a context that saves into a store.
  final func save(into parent: NSManagedObjectContext) throws {
    var resolver = ConflictResolver(context: self)
    while true {
      do {
        let saved = try parent.confinement.performAndWait { try push(into: parent) }
        telling(saved.deleted + dropped.objects) {
          for object in saved.inserted + saved.updated { object.commitIntoParent() }
          finish(saved)
        }
        return announceSave(saved)
      } catch {
        try resolver.resolve(error)
      }
    }
  }

  /// Runs on the parent's queue while this context waits.
  private func push(into parent: NSManagedObjectContext) throws -> SavedObjects {
    takeOverPermanentIDs()
    parent.takeOverPermanentIDs()
    let saved = SavedObjects(context: self)
    let push = ParentPush(child: self, parent: parent)
    let twins = try push.check(saved)
    withExtendedLifetime(twins) {
      push.insert(saved.inserted)
      push.setValues(of: saved.inserted + saved.updated)
      push.delete(saved.deleted)
      push.watch(watched)
    }
    parent.processPendingChanges()
    return saved
  }
}

/// Repeats a child's changes in its parent. Runs on the parent's queue while the child waits.
private struct ParentPush {
  let child: NSManagedObjectContext
  let parent: NSManagedObjectContext

  /// The parent's object that stands for one of the child's; nil when the parent has it no more.
  private func twin(of object: NSManagedObject) -> NSManagedObject? {
    if let known = parent.registry.object(object.packedIdentity) { return known }
    return parent.found(object.objectID)
  }

  /// The parent's objects that are edited, their rows read at once. Throws ``SaveConflicts``; nothing has been
  /// pushed then.
  func check(_ saved: SavedObjects) throws -> [NSManagedObject?] {
    let edited = saved.updated.filter(\.hasPersistentChangedValues)
    let twins = edited.map(twin)
    try parent.fillFaults(twins.compactMap(\.self))
    var gone = zip(edited, twins).filter { !Self.isThere($1) }.map(\.0)
    gone += try missingReferences(of: saved)
    if gone.isEmpty { return twins }
    throw SaveConflicts(
      conflicts: gone.map {
        SaveConflicts.Conflict(identity: $0.objectID, stored: nil, isOfSharedRow: true)
      })
  }

  private static func isThere(_ twin: NSManagedObject?) -> Bool {
    guard let twin, twin.lifecycle.isPresent else { return false }
    return twin.lifecycle == .inserted || !twin.isFault || twin.current != nil
  }

  /// Objects that were saved into the parent, that only the parent could save, and that it has let go of. What
  /// refers to them would lose its values in silence.
  private func missingReferences(of saved: SavedObjects) throws -> [NSManagedObject] {
    var candidates = Set<NSManagedObject>()
    for object in saved.inserted + saved.updated {
      for destination in object.changedDestinations
      where destination.lifecycle == .live && destination.packedIdentity.isTemporary {
        candidates.insert(destination)
      }
    }
    let destinations = Array(candidates).inOrder.filter { !saved.updated.contains($0) }
    let twins = destinations.map(twin)
    try parent.fillFaults(twins.compactMap(\.self))
    return zip(destinations, twins).filter { !Self.isThere($1) }.map(\.0)
  }

  func insert(_ objects: [NSManagedObject]) {
    for object in objects {
      let twin = broughtBack(object) ?? makeTwin(of: object)
      if let store = child.assignedStores[object] { parent.assignedStores[twin] = store }
    }
  }

  private func makeTwin(of object: NSManagedObject) -> NSManagedObject {
    let twin = object.layout.objectClass.make(object.layout.entity, nil)
    parent.register(twin, object.packedIdentity, object.space)
    twin.current = Row.defaults(of: twin)
    parent.willEdit(twin)
    twin.lifecycle = .inserted
    parent.inserted.insert(twin)
    return twin
  }

  /// The child has undone a deletion that the parent has not saved yet: the parent's object is there still.
  private func broughtBack(_ object: NSManagedObject) -> NSManagedObject? {
    guard let twin = parent.registry.object(object.packedIdentity) else { return nil }
    parent.willEdit(twin)
    if !twin.lifecycle.isPresent {
      parent.revive(twin)
      // Its members are those that the child tells.
      for index in twin.layout.toMany.indices { twin.setMembers([], index) }
    }
    return twin
  }

  func setValues(of objects: [NSManagedObject]) {
    for object in objects {
      guard let twin = twin(of: object) else { continue }
      copySlots(from: object, to: twin)
      copyMembers(from: object, to: twin)
    }
  }

  private func copySlots(from object: NSManagedObject, to twin: NSManagedObject) {
    let row = object.readableRow
    for (slot, description) in object.layout.slots.enumerated() {
      if let snapshot = object.snapshot, snapshot[slot] == row[slot] { continue }
      if case .toOne = description.kind {
        twin.setDestination(object.destination(slot).flatMap(self.twin), slot)
      } else if object.snapshot != nil || row[slot] != twin.read(slot) {
        twin.write(row[slot], slot)
      }
    }
  }

  /// Members that a to-one side stores follow from it; these are the others. Transient ones take the place of those
  /// that the parent has, of which the child knows nothing.
  private func copyMembers(from object: NSManagedObject, to twin: NSManagedObject) {
    for index in object.editedRelationships() {
      let relation = object.layout.relation(toMany: index)
      guard let store = object.storedMembers(index) else { continue }
      if relation.isTransient {
        twin.setMembers(object.memberObjects(index).compactMap(self.twin), index)
        continue
      }
      if case .slot = relation.inverse, !relation.isOrdered, !relation.isLoose { continue }
      if let order = store.order {
        twin.setMembers(order.compactMap(self.twin), index)
        continue
      }
      for member in store.delta.removed.compactMap(self.twin) { twin.unrelate(member, index) }
      for member in store.delta.added.compactMap(self.twin) { twin.relate(member, index) }
    }
  }

  func watch(_ objects: Set<NSManagedObject>) {
    for twin in objects.compactMap(twin) { parent.watch(twin) }
  }

  func delete(_ objects: [NSManagedObject]) {
    for object in objects where !object.flags.contains(.goneFromStore) {
      guard let twin = twin(of: object), twin.lifecycle.isPresent else { continue }
      parent.delete(twin)
    }
  }
}

extension NSManagedObject {
  /// What relationships that have changed lead to.
  fileprivate var changedDestinations: [NSManagedObject] {
    var destinations: [NSManagedObject] = []
    if let current, current !== snapshot {
      for slot in layout.format.pointee.references.map(Int.init)
      where layout.slots[slot].kind == .toOne {
        if snapshot?[slot] == current[slot] { continue }
        if let destination = destination(slot) { destinations.append(destination) }
      }
    }
    for index in editedRelationships() {
      guard let store = storedMembers(index) else { continue }
      destinations += store.order ?? Array(store.delta.added)
    }
    return destinations
  }

  /// What the parent has now is what this object was last read as.
  fileprivate func commitIntoParent() {
    guard let own = current else { return }
    let row = own.isSealed ? own : own.copy()
    if !row.isSealed { row.seal(packedIdentity, in: space, version: own.version) }
    hold(row)
  }
}
