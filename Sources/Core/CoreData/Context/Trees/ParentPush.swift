/// Repeats a child's changes in its parent. Runs on the parent's queue while the child waits.
struct ParentPush {
  let child: NSManagedObjectContext
  let parent: NSManagedObjectContext
  /// Objects of the child whose conflicts the merge policy has resolved in this save.
  let settled: Set<NSManagedObject>

  /// The parent's object for an object of the child; nil if the parent no longer has it.
  func twin(of object: NSManagedObject) -> NSManagedObject? {
    if let known = parent.registry.object(object.packedIdentity) { return known }
    return parent.found(object.objectID)
  }

  /// The parent's object for an object of the child; nil also if the parent has deleted it, since
  /// no relationship may lead to it.
  private func presentTwin(of object: NSManagedObject) -> NSManagedObject? {
    twin(of: object).flatMap { $0.lifecycle == .deleted ? nil : $0 }
  }

  func insert(_ objects: [NSManagedObject]) {
    for object in objects {
      let twin = broughtBack(object) ?? makeTwin(of: object)
      if let store = child.assignedStores[object] { parent.assignedStores[twin] = store }
      if twin.lifecycle == .inserted, let returning = child.returning[object.packedIdentity] {
        parent.returning[twin.packedIdentity] = returning
      }
    }
  }

  private func makeTwin(of object: NSManagedObject) -> NSManagedObject {
    let twin = object.layout.objectClass.make(object.layout.entity)
    parent.register(twin, packed: object.packedIdentity, space: object.space)
    twin.current = Row.defaults(of: twin)
    parent.willEdit(twin)
    twin.lifecycle = .inserted
    parent.inserted.insert(twin)
    return twin
  }

  /// The parent's object, if the child has undone a deletion that the parent has not saved yet.
  private func broughtBack(_ object: NSManagedObject) -> NSManagedObject? {
    guard let twin = parent.registry.object(object.packedIdentity) else { return nil }
    parent.willEdit(twin)
    if !twin.lifecycle.isPresent {
      parent.revive(twin)
      // Its members are those of the child's object, and it is no longer one of its owners'
      // members: the child's values make it one again.
      for index in twin.layout.toMany.indices { twin.setMembers([], index: index) }
      for (slot, description) in twin.layout.slots.enumerated() {
        if case .toOne = description.kind { twin.write(.null, slot: slot) }
      }
    }
    return twin
  }

  func setValues(of objects: [NSManagedObject]) {
    for object in objects {
      let isEdited = object.hasPersistentChangedValues
      // A value that was edited and reset is no edit, and the object may be gone.
      guard isEdited || object.lifecycle == .inserted || hasTransientEdits(object),
        let twin = twin(of: object), twin.lifecycle.isPresent
      else { continue }
      // Without edits of stored values, no other check finds that the object is gone.
      guard isEdited || parent.isThere(twin) else { continue }
      copySlots(from: object, to: twin)
      copyMembers(from: object, to: twin)
      if twin.lifecycle == .live { twin.flags.insert(.editedByChild) }
    }
  }

  private func hasTransientEdits(_ object: NSManagedObject) -> Bool {
    let (row, snapshot) = (object.readableRow, object.snapshot)
    return object.layout.transientSlots.contains { slot in
      // The defaults of transient attributes are set without an edit.
      let before = snapshot.map { $0[slot] } ?? .null
      return row[slot] != before && row[slot] != object.layout.defaults[slot]
    }
      || object.editedRelationships().contains { object.layout.relation(toMany: $0).isTransient }
  }

  private func copySlots(from object: NSManagedObject, to twin: NSManagedObject) {
    let row = object.readableRow
    for (slot, description) in object.layout.slots.enumerated() {
      if let snapshot = object.snapshot, snapshot[slot] == row[slot] { continue }
      if case .toOne = description.kind {
        twin.setDestination(object.destination(slot).flatMap(presentTwin), slot: slot)
      } else if object.snapshot != nil || row[slot] != twin.read(slot) {
        twin.write(row[slot], slot: slot)
      }
    }
  }

  /// Copies the members that no to-one side stores; the others follow from the to-one values.
  /// Transient members replace those of the parent, which the child does not know.
  private func copyMembers(from object: NSManagedObject, to twin: NSManagedObject) {
    for index in object.editedRelationships() {
      let relation = object.layout.relation(toMany: index)
      guard let store = object.storedMembers(index) else { continue }
      if relation.isTransient {
        twin.setMembers(object.memberObjects(index).compactMap(self.twin), index: index)
        continue
      }
      if case .slot = relation.inverse, !relation.isOrdered, !relation.isLoose { continue }
      if store.order != nil {
        twin.setMembers(memberOrder(of: object, index, twin: twin).members, index: index)
        continue
      }
      for member in store.delta.removed.compactMap(self.twin) {
        twin.unrelate(member, index: index)
      }
      for member in store.delta.added.compactMap(self.twin) {
        if member.lifecycle == .deleted {
          parent.partings[member.packedIdentity, default: []].append(.member(of: twin, index))
        } else {
          twin.relate(member, index: index)
        }
      }
    }
  }

  func watch(_ objects: Set<NSManagedObject>) {
    for twin in objects.compactMap(twin) { parent.watch(twin) }
  }

  func delete(_ objects: [NSManagedObject]) {
    let twins = objects.filter { !$0.flags.contains(.goneFromStore) }.compactMap(twin)
    // What the parent no longer has is not deleted again: the undo of that would be an object
    // without values.
    for twin in parent.present(twins) where twin.lifecycle.isPresent {
      parent.delete(twin)
      // The deletion is checked against the row that the child has read.
      if twin.snapshotReference != nil { twin.flags.insert(.editedByChild) }
    }
  }
}
