/// The reversal of one recorded step: removes and restores objects, values, members and orders.
///
/// A value that is no longer the one that the step has left was changed by others: it stays, and is
/// added to `skipped`.
struct StepReversal {
  let context: NSManagedObjectContext
  private(set) var skipped: [SkippedChange] = []

  init(context: NSManagedObjectContext) { self.context = context }

  mutating func run(_ recorded: [UndoStep.Change]) {
    adoptRowsThatAreBack(recorded.map(\.object).filter { $0.lifecycle == .absent })
    let changes = recorded.filter { canGoBack($0) }
    let kept = keptWhole(recorded)
    let orders = changes.map(currentOrders)
    let leaving = changes.filter { !$0.before.isPresent }.map(\.object)
    let staying = changes.filter(\.before.isPresent)
    let coming = staying.map(\.object).filter { !$0.lifecycle.isPresent }
    // Computed before anything is restored: restoring one end of a relationship changes the other.
    let values = Dictionary(
      staying.filter(\.object.lifecycle.isPresent).map { ($0.object, slotsToRestore($0)) },
      uniquingKeysWith: +)
    for object in leaving + coming { context.willEdit(object) }
    bringBack(coming)
    let new = Set(coming.filter { $0.lifecycle == .inserted })
    for change in staying {
      if new.contains(change.object) {
        restoreRow(change)
      } else {
        restore(values[change.object] ?? slotsToRestore(change), of: change.object)
      }
    }
    let alone = Set(leaving)
    for object in leaving where object.lifecycle.isPresent {
      leaveCompanions(object, besides: alone)
    }
    for change in changes { restoreMembers(change, besides: kept) }
    for object in leaving { takeAway(object) }
    for (change, orders) in zip(changes, orders) where change.before.isPresent {
      for index in change.orders.keys { restoreOrder(change, index: index, from: orders[index]) }
    }
  }

  /// The current members of the ordered relationships of a change whose object is present.
  private func currentOrders(_ change: UndoStep.Change) -> [Int: [NSManagedObject]] {
    if change.orders.isEmpty || !change.object.lifecycle.isPresent { return [:] }
    return Dictionary(
      uniqueKeysWithValues: change.orders.keys.map { ($0, change.object.memberObjects($0)) })
  }

  private mutating func skip(_ object: NSManagedObject, key: String?) {
    skipped.append(SkippedChange(objectID: object.objectID, key: key))
  }

  // MARK: - Objects

  /// Adopts the rows of objects that another context has brought back, so that they are not
  /// inserted a second time. One read for all objects; if it fails, so does the next save, which
  /// reports the error.
  private func adoptRowsThatAreBack(_ objects: [NSManagedObject]) {
    let saved = objects.filter { !$0.packedIdentity.isTemporary }
    guard !saved.isEmpty, context.parent == nil,
      let rows = try? context.source?.rows(of: saved.map(\.objectID)), !rows.isEmpty
    else { return }
    let byIdentity = Dictionary(uniqueKeysWithValues: saved.map { ($0.packedIdentity, $0) })
    for row in rows {
      guard let object = byIdentity[row.packed] else { continue }
      context.register(object, packed: row.packed, space: row.space)
      object.hold(row)
      object.lifecycle = .live
    }
  }

  /// True if a change can be reversed. An edit of an object that was deleted by another context
  /// cannot; an insertion cannot if others have changed the object since.
  private mutating func canGoBack(_ change: UndoStep.Change) -> Bool {
    let object = change.object
    // The members of an object that is gone follow from to-one values of other objects; the changes
    // of those report what they skip.
    if !object.lifecycle.isPresent, followsFromOthers(change) { return false }
    if change.before.isPresent {
      if object.lifecycle.isPresent || !change.after.isPresent { return true }
    } else {
      if !object.lifecycle.isPresent { return false }
      // A fault whose row others have deleted has no values: a redo would insert it without any.
      if context.isThere(object), !isChangedElsewhere(change) { return true }
    }
    skip(object, key: nil)
    return false
  }

  /// Objects that the step would take away, and that stay because another context has changed them:
  /// with what they are related to, by either end.
  private func keptWhole(_ recorded: [UndoStep.Change]) -> Set<NSManagedObject> {
    Set(
      recorded.filter {
        !$0.before.isPresent && $0.object.lifecycle.isPresent && isChangedElsewhere($0)
      }.map(\.object))
  }

  private func followsFromOthers(_ change: UndoStep.Change) -> Bool {
    guard change.before.isPresent, change.after.isPresent, change.slots.isEmpty else {
      return false
    }
    return change.memberChanges.keys.allSatisfy { index in
      if case .slot = change.object.layout.relation(toMany: index).inverse { true } else { false }
    }
  }

  private func isChangedElsewhere(_ change: UndoStep.Change) -> Bool {
    (change.object.relations?.changeElsewhere ?? 0) > change.number
  }

  /// Brings objects back, all before their memberships: an owner may come back together with its
  /// members.
  private func bringBack(_ objects: [NSManagedObject]) {
    for object in objects {
      object.forgetDepartedMembers()
      context.revive(object)
    }
    for object in objects {
      forEachOwner(of: object) { owner, index in owner.addMember(object, index: index) }
      object.awake(fromSnapshotEvents: .undoDeletion)
    }
  }

  private func takeAway(_ object: NSManagedObject) {
    guard object.lifecycle.isPresent else { return }
    forEachOwner(of: object) { owner, index in owner.removeMember(object, index: index) }
    context.markDeleted(object)
    object.awake(fromSnapshotEvents: .undoInsertion)
  }

  /// Calls `body` with each to-many relationship of which the object is a member by its own to-one
  /// value. Loose relationships, with a transient side, are left out: their changes are in the
  /// owner's record.
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

  /// Removes references to an object that is about to be removed. Relationships made by the step
  /// itself are undone by its own records; others may have made more since, or have changed values
  /// that are therefore skipped.
  private func leaveCompanions(
    _ object: NSManagedObject, besides leaving: Set<NSManagedObject>
  ) {
    for relation in object.layout.relations where !relation.isLoose {
      switch (relation.place, relation.inverse) {
      case (.toMany(let index), .toMany(let other)?):
        for companion in object.memberObjects(index)
        where companion.lifecycle.isPresent && companion.readMembers(other).contains(object) {
          companion.removeMember(object, index: other)
        }
      case (.toMany(let index), .slot(let slot)?):
        for companion in object.memberObjects(index) where !leaving.contains(companion) {
          leave(object, by: slot, of: companion)
        }
      case (.slot(let own), .slot(let slot)?):
        guard let companion = object.destination(own), !leaving.contains(companion) else {
          continue
        }
        leave(object, by: slot, of: companion)
      default: continue
      }
    }
  }

  private func leave(_ object: NSManagedObject, by slot: Int, of companion: NSManagedObject) {
    if companion.lifecycle.isPresent, companion.destination(slot) === object {
      companion.setDestination(nil, slot: slot)
    }
  }

  // MARK: - Values

  /// Restores all values of an object that was gone.
  private mutating func restoreRow(_ change: UndoStep.Change) {
    guard let row = change.row else { return }
    let object = change.object
    let old = (0..<row.count).map { slot in
      (slot: slot, value: object.valueInPlace(of: row[slot], slot, since: change.number))
    }
    restore(old.filter { object.read($0.slot) != $0.value }, of: object)
    // The object still has the values that it was deleted with; others may have deleted what they
    // refer to since.
    for (slot, description) in object.layout.slots.enumerated() {
      guard case .toOne = description.kind, end(object.read(slot)) == nil else { continue }
      object.write(.null, slot: slot)
      skip(object, key: description.name)
    }
  }

  /// The values to restore of the slots that the step has changed.
  private mutating func slotsToRestore(
    _ change: UndoStep.Change
  ) -> [(slot: Int, value: Value)] {
    let object = change.object
    var values: [(slot: Int, value: Value)] = []
    for part in change.slots {
      let now = object.read(part.slot)
      let before = object.valueInPlace(of: part.before, part.slot, since: change.number)
      if now == before { continue }
      if now == part.after || isOwn(part.slot, of: change) {
        values.append((part.slot, before))
      } else {
        skip(object, key: object.layout.propertyName(ofSlot: part.slot))
      }
    }
    return values
  }

  /// True for values that others cannot have changed although they are not equal to those of the
  /// step: transient values, and values of classes without equality.
  private func isOwn(_ slot: Int, of change: UndoStep.Change) -> Bool {
    let description = change.object.layout.slots[slot]
    if !description.isStored { return true }
    return description.kind == .attribute(.transformableAttributeType)
      && !isChangedElsewhere(change)
  }

  private mutating func restore(_ values: [(slot: Int, value: Value)], of object: NSManagedObject) {
    var isRestored = false
    for (slot, value) in values {
      if case .toOne = object.layout.slots[slot].kind {
        guard let end = end(value) else {
          skip(object, key: object.layout.slots[slot].name)
          continue
        }
        object.setDestination(end, slot: slot)
      } else {
        object.write(value, slot: slot)
      }
      isRestored = true
    }
    if isRestored { object.awake(fromSnapshotEvents: .undoUpdate) }
  }

  /// The object that a to-one value refers to, `.some(nil)` for no value; nil if the object is
  /// gone.
  private func end(_ value: Value) -> NSManagedObject?? {
    guard case .identity(let id) = value else { return .some(nil) }
    let object = context.object(with: id)
    return context.isThere(object) ? .some(object) : nil
  }

  // MARK: - Members

  /// Restores members that no to-one side stores; the others have come back with the to-one values.
  /// Each side of a relationship has its own record.
  private mutating func restoreMembers(
    _ change: UndoStep.Change, besides kept: Set<NSManagedObject>
  ) {
    let object = change.object
    for (index, delta) in change.memberChanges {
      let relation = object.layout.relation(toMany: index)
      if relation.isLoose {
        restoreLooseMembers(object, index: index, delta: delta)
        continue
      }
      if case .slot = relation.inverse { continue }
      // A member that was removed here may no longer be one in the store: adding it is an edit
      // then.
      let store = object.readMembers(index)
      for member in delta.added.map(context.current)
      where store.contains(member) && !kept.contains(member) {
        // The member that the step has added is one that somebody else had added before.
        if store.foundStored?.contains(member) == true {
          skip(object, key: object.layout.toMany[index].name)
          continue
        }
        // An object that the step has deleted is read anew: a member that it shows then, and that
        // was not added here, is another context's.
        if change.after.isPresent || store.delta.added.contains(member) {
          object.removeMember(member, index: index)
        }
      }
      for member in delta.removed.map(context.current) where !store.contains(member) {
        if context.isThere(member) {
          object.addMember(member, index: index)
        } else if object.lifecycle.isPresent {
          skip(object, key: object.layout.toMany[index].name)
        }
      }
    }
  }

  /// Restores members of a relationship with a transient side; some may have come back with the
  /// other side.
  private func restoreLooseMembers(_ object: NSManagedObject, index: Int, delta: MemberDelta) {
    let place = EntityLayout.Place.toMany(index)
    for member in delta.added { object.inverseLost(context.current(member), inverse: place) }
    for member in delta.removed.map(context.current) where member.lifecycle.isPresent {
      object.inverseGained(member, inverse: place)
    }
  }

  /// Restores the order of members, for those that are present.
  ///
  /// - Parameter now: the members before the reversal; nil for an object that was gone, whose
  ///   members no other writer can have changed.
  private mutating func restoreOrder(
    _ change: UndoStep.Change, index: Int, from now: [NSManagedObject]?
  ) {
    let object = change.object
    guard let recorded = change.orders[index], object.lifecycle.isPresent else { return }
    let before = recorded.before.map(context.current)
    var order = before
    if let now {
      let after = recorded.after.map(context.current)
      let merged = MemberOrder(base: after, mine: before, theirs: now, yields: true)
      order = merged.members
      if merged.isConflict { skip(object, key: object.layout.toMany[index].name) }
    }
    let members = object.memberObjects(index)
    let present = Set(members)
    let known = Set(order)
    object.setMembers(
      order.filter(present.contains) + members.filter { !known.contains($0) }, index: index)
  }
}
