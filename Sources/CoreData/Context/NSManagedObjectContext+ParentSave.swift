extension NSManagedObjectContext {
  /// Pushes the changes into the parent, as edits there: the parent's own save writes them.
  final func save(into parent: NSManagedObjectContext) throws {
    let saved = SavedObjects(context: self)
    let push = ParentPush(child: self, parent: parent)
    parent.performAndWait {
      push.insert(saved.inserted)
      push.setValues(of: saved.inserted + saved.updated)
      push.delete(saved.deleted)
      push.watch(watched)
      parent.processPendingChanges()
    }
    for object in saved.inserted + saved.updated { object.commitIntoParent() }
    finish(saved)
    announceSave(saved)
  }
}

/// Repeats a child's changes in its parent. Runs on the parent's queue while the child waits.
private struct ParentPush {
  let child: NSManagedObjectContext
  let parent: NSManagedObjectContext

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
      let twin = parent.object(with: object.objectID)
      copySlots(from: object, to: twin)
      copyMembers(from: object, to: twin)
    }
  }

  private func copySlots(from object: NSManagedObject, to twin: NSManagedObject) {
    let row = object.readableRow
    for (slot, description) in object.layout.slots.enumerated() {
      if let snapshot = object.snapshot, snapshot[slot] == row[slot] { continue }
      if case .toOne = description.kind {
        twin.setDestination(object.identity(slot).map { parent.object(with: $0) }, slot)
      } else if object.snapshot != nil || row[slot] != twin.read(slot) {
        twin.write(row[slot], slot)
      }
    }
  }

  /// Members that a to-one side stores follow from it; these are the others.
  private func copyMembers(from object: NSManagedObject, to twin: NSManagedObject) {
    for index in object.changedRelationships() {
      let relationship = object.layout.toMany[index]
      guard let store = object.storedMembers(index) else { continue }
      if let inverse = relationship.inverseRelationship, !inverse.isToMany, !relationship.isOrdered
      {
        continue
      }
      if let order = store.order {
        twin.setMembers(order.map { parent.object(with: $0.objectID) }, index)
        continue
      }
      for member in store.delta.removed {
        twin.unrelate(parent.object(with: member.objectID), index)
      }
      for member in store.delta.added {
        twin.relate(parent.object(with: member.objectID), index)
      }
    }
  }

  func watch(_ objects: Set<NSManagedObject>) {
    for object in objects { parent.watch(parent.object(with: object.objectID)) }
  }

  func delete(_ objects: [NSManagedObject]) {
    for object in objects where !object.flags.contains(.goneFromStore) {
      let twin = parent.object(with: object.objectID)
      if twin.lifecycle.isPresent { parent.delete(twin) }
    }
  }
}

extension NSManagedObject {
  /// What the parent has now is what this object was last read as.
  fileprivate func commitIntoParent() {
    guard let own = current else { return }
    let row = own.isSealed ? own : own.copy()
    if !row.isSealed { row.seal(packedIdentity, in: space, version: own.version) }
    hold(row)
  }
}
