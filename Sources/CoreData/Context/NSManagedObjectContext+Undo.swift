extension NSManagedObjectContext {
  /// Hands one event's changes to the undo manager, as one action.
  final func registerUndo(_ step: UndoStep) {
    guard !step.changes.isEmpty, let undoManager, undoManager.isUndoRegistrationEnabled else {
      return
    }
    let changes = step.changes.filter {
      $0.image.lifecycle.isPresent || $0.object.lifecycle.isPresent
    }
    guard !changes.isEmpty else { return }
    // A manager without automatic groups and without an open one gets a group of one event: a change
    // must not be lost to undo, nor stop the program.
    let needsGroup = undoManager.groupingLevel == 0 && !undoManager.groupsByEvent
    if needsGroup { undoManager.beginUndoGrouping() }
    undoManager.registerUndo(withTarget: self) { $0.goBack(to: changes) }
    if needsGroup { undoManager.endUndoGrouping() }
  }

  /// Gives every object the lifecycle, values and members that it had.
  ///
  /// What this changes is itself an event, recorded by the undo manager as the way forward again.
  private func goBack(to recorded: [UndoStep.Change]) {
    processPendingChanges()
    let changes = recorded.map(current).filter(canGoBack)
    telling(changes.map(\.object)) { goBack(alongside: changes) }
    processPendingChanges()
  }

  private func goBack(alongside changes: [UndoStep.Change]) {
    adoptRowsThatAreBack(changes.map(\.object).filter { $0.lifecycle == .absent })
    for change in changes { willEdit(change.object) }
    bringBack(changes.filter { $0.image.lifecycle.isPresent }.map(\.object))
    for change in changes where change.image.lifecycle.isPresent { restoreValues(change) }
    for change in changes { restoreMembers(change) }
    for change in changes where !change.image.lifecycle.isPresent { takeAway(change.object) }
    for change in changes where change.image.lifecycle.isPresent { restoreOrders(change) }
  }

  private func current(_ change: UndoStep.Change) -> UndoStep.Change {
    UndoStep.Change(
      object: current(change.object), image: change.image, lifecycleAfter: change.lifecycleAfter,
      memberChanges: change.memberChanges, orders: change.orders)
  }

  /// The object that stands for a recorded one now: what was deleted here may have come back from
  /// another context as another instance.
  private func current(_ object: NSManagedObject) -> NSManagedObject {
    if object.registry === registry { return object }
    return registry.object(object.packedIdentity) ?? object
  }

  /// Another context may have brought back what was deleted here: an object whose row is there again
  /// is not to be inserted a second time. One read for all of them; if it fails, so does the next
  /// save, which says why.
  private func adoptRowsThatAreBack(_ objects: [NSManagedObject]) {
    let saved = objects.filter { !$0.packedIdentity.isTemporary }
    guard !saved.isEmpty, parent == nil,
      let rows = try? source?.rows(of: saved.map(\.objectID)), !rows.isEmpty
    else { return }
    let byIdentity = Dictionary(uniqueKeysWithValues: saved.map { ($0.packedIdentity, $0) })
    for row in rows {
      guard let object = byIdentity[row.packed] else { continue }
      register(object, row.packed, row.space)
      object.hold(row)
      object.lifecycle = .live
    }
  }

  /// An edit of an object that is gone by now, deleted by another context, has nothing to act on.
  private func canGoBack(_ change: UndoStep.Change) -> Bool {
    change.object.lifecycle.isPresent || !change.lifecycleAfter.isPresent
  }

  /// All of them first, then their memberships: an owner may come back with its members.
  private func bringBack(_ objects: [NSManagedObject]) {
    let gone = objects.filter { !$0.lifecycle.isPresent }
    for object in gone {
      object.forgetDepartedMembers()
      revive(object)
    }
    for object in gone {
      forEachOwner(of: object) { owner, index in owner.addMember(object, index) }
      object.awake(fromSnapshotEvents: .undoDeletion)
    }
  }

  private func takeAway(_ object: NSManagedObject) {
    guard object.lifecycle.isPresent else { return }
    forEachOwner(of: object) { owner, index in owner.removeMember(object, index) }
    markDeleted(object)
    object.awake(fromSnapshotEvents: .undoInsertion)
  }

  /// The to-many relationships that an object is in by way of its own to-one slots. Where one side is transient, it may
  /// not be in one: what has been changed there is in the record of the owner.
  private func forEachOwner(
    of object: NSManagedObject, _ body: (NSManagedObject, Int) -> Void
  ) {
    for (slot, description) in object.layout.slots.enumerated() {
      guard let relationship = description.property as? NSRelationshipDescription,
        let inverse = relationship.inverseRelationship, inverse.isToMany,
        let owner = object.destination(slot), owner.lifecycle.isPresent,
        case .toMany(let index) = owner.layout.place(of: inverse.name),
        !owner.layout.relation(toMany: index).isLoose
      else { continue }
      body(owner, index)
    }
  }

  private func restoreValues(_ change: UndoStep.Change) {
    guard let old = change.image.row else { return }
    let object = change.object
    let now = object.readableRow
    let differing = (0..<old.count).filter { old[$0] != now[$0] }
    for slot in differing {
      if case .toOne = object.layout.slots[slot].kind {
        object.setDestination(object.registered(old[slot]), slot)
      } else {
        object.write(old[slot], slot)
      }
    }
    if !differing.isEmpty { object.awake(fromSnapshotEvents: .undoUpdate) }
  }

  /// Members that a to-one side stores have come back with its value; these are the others. Each side
  /// has its own record.
  private func restoreMembers(_ change: UndoStep.Change) {
    for (index, delta) in change.memberChanges {
      let relation = change.object.layout.relation(toMany: index)
      if relation.isLoose {
        restoreLooseMembers(change.object, index, delta)
        continue
      }
      if case .slot = relation.inverse { continue }
      // What was taken out here may not be in the store any more: to put it back is an edit then.
      _ = change.object.readMembers(index)
      for member in delta.added { change.object.removeMember(current(member), index) }
      for member in delta.removed.map(current) where member.lifecycle.isPresent {
        change.object.addMember(member, index)
      }
    }
  }

  /// Some of them may have come back with the other side.
  private func restoreLooseMembers(_ object: NSManagedObject, _ index: Int, _ delta: MemberDelta) {
    let place = EntityLayout.Place.toMany(index)
    for member in delta.added { object.inverseLost(current(member), place) }
    for member in delta.removed.map(current) where member.lifecycle.isPresent {
      object.inverseGained(member, place)
    }
  }
}

extension NSManagedObjectContext {
  /// Members that are there by now, in the order that they had; the others after them.
  private func restoreOrders(_ change: UndoStep.Change) {
    for (index, recorded) in change.orders {
      let order = recorded.map(current)
      let present = Set(change.object.memberObjects(index))
      let known = Set(order)
      let others = change.object.memberObjects(index).filter { !known.contains($0) }
      change.object.setMembers(order.filter(present.contains) + others, index)
    }
  }
}

extension NSManagedObject {
  /// The object of a to-one value.
  fileprivate func registered(_ value: Value) -> NSManagedObject? {
    guard case .identity(let id) = value else { return nil }
    return registry?.context?.object(with: id)
  }
}
