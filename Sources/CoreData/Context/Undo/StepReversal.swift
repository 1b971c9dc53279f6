/// Takes one recorded step back: objects go and come, values, members and orders are as they were before.
///
/// A value that is no longer the one that the step has left is somebody else's by now: it stays, and is
/// among `skipped`.
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
    // By the values before anything goes back: to put back one end of a relationship changes the other one.
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
      for index in change.orders.keys { restoreOrder(change, index, from: orders[index]) }
    }
  }

  /// The members of ordered relationships before the step is taken back, of an object that is there.
  private func currentOrders(_ change: UndoStep.Change) -> [Int: [NSManagedObject]] {
    if change.orders.isEmpty || !change.object.lifecycle.isPresent { return [:] }
    return Dictionary(
      uniqueKeysWithValues: change.orders.keys.map { ($0, change.object.memberObjects($0)) })
  }

  private mutating func skip(_ object: NSManagedObject, _ key: String?) {
    skipped.append(SkippedChange(objectID: object.objectID, key: key))
  }

  // MARK: - Objects

  /// Another context may have brought back what was deleted here: an object whose row is there again
  /// is not to be inserted a second time. One read for all of them; if it fails, so does the next
  /// save, which says why.
  private func adoptRowsThatAreBack(_ objects: [NSManagedObject]) {
    let saved = objects.filter { !$0.packedIdentity.isTemporary }
    guard !saved.isEmpty, context.parent == nil,
      let rows = try? context.source?.rows(of: saved.map(\.objectID)), !rows.isEmpty
    else { return }
    let byIdentity = Dictionary(uniqueKeysWithValues: saved.map { ($0.packedIdentity, $0) })
    for row in rows {
      guard let object = byIdentity[row.packed] else { continue }
      context.register(object, row.packed, row.space)
      object.hold(row)
      object.lifecycle = .live
    }
  }

  /// An edit of an object that is gone by now, deleted by another context, has nothing to act on. An object that
  /// would go stays if somebody else has changed it since.
  private mutating func canGoBack(_ change: UndoStep.Change) -> Bool {
    let object = change.object
    // The members of one that is gone follow from others, which say themselves what they skip.
    if !object.lifecycle.isPresent, followsFromOthers(change) { return false }
    if change.before.isPresent {
      if object.lifecycle.isPresent || !change.after.isPresent { return true }
    } else {
      if !object.lifecycle.isPresent { return false }
      if !isChangedElsewhere(change) { return true }
    }
    skip(object, nil)
    return false
  }

  /// Objects that the step would take away, and that stay because another context has changed them: with what they are
  /// related to, by either end.
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

  /// All of them first, then their memberships: an owner may come back with its members.
  private func bringBack(_ objects: [NSManagedObject]) {
    for object in objects {
      object.forgetDepartedMembers()
      context.revive(object)
    }
    for object in objects {
      forEachOwner(of: object) { owner, index in owner.addMember(object, index) }
      object.awake(fromSnapshotEvents: .undoDeletion)
    }
  }

  private func takeAway(_ object: NSManagedObject) {
    guard object.lifecycle.isPresent else { return }
    forEachOwner(of: object) { owner, index in owner.removeMember(object, index) }
    context.markDeleted(object)
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

  /// Others that lead to an object which goes lead nowhere then. What the step itself has related has come apart by
  /// its own record; somebody else may have related more, or changed what stays as it is for that.
  private func leaveCompanions(
    _ object: NSManagedObject, besides leaving: Set<NSManagedObject>
  ) {
    for relation in object.layout.relations where !relation.isLoose {
      switch (relation.place, relation.inverse) {
      case (.toMany(let index), .toMany(let other)?):
        for companion in object.memberObjects(index)
        where companion.lifecycle.isPresent && companion.readMembers(other).contains(object) {
          companion.removeMember(object, other)
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
      companion.setDestination(nil, slot)
    }
  }

  // MARK: - Values

  /// All values of an object that was gone.
  private mutating func restoreRow(_ change: UndoStep.Change) {
    guard let row = change.row else { return }
    let object = change.object
    let old = (0..<row.count).map { slot in
      (slot: slot, value: object.valueInPlace(of: row[slot], slot, since: change.number))
    }
    restore(old.filter { object.read($0.slot) != $0.value }, of: object)
  }

  /// The values that the step has changed.
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
        skip(object, object.layout.propertyName(ofSlot: part.slot))
      }
    }
    return values
  }

  /// Values that nobody else can have changed, though they are not equal to what they were: transient ones, and those
  /// of classes that may know no equality.
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
          skip(object, object.layout.slots[slot].name)
          continue
        }
        object.setDestination(end, slot)
      } else {
        object.write(value, slot)
      }
      isRestored = true
    }
    if isRestored { object.awake(fromSnapshotEvents: .undoUpdate) }
  }

  /// What a to-one value leads to; nil where that is there no more.
  private func end(_ value: Value) -> NSManagedObject?? {
    guard case .identity(let id) = value else { return .some(nil) }
    let object = context.object(with: id)
    return context.isThere(object) ? .some(object) : nil
  }

  // MARK: - Members

  /// Members that a to-one side stores have come back with its value; these are the others. Each side
  /// has its own record.
  private mutating func restoreMembers(
    _ change: UndoStep.Change, besides kept: Set<NSManagedObject>
  ) {
    let object = change.object
    for (index, delta) in change.memberChanges {
      let relation = object.layout.relation(toMany: index)
      if relation.isLoose {
        restoreLooseMembers(object, index, delta)
        continue
      }
      if case .slot = relation.inverse { continue }
      // What was taken out here may not be in the store any more: to put it back is an edit then.
      let store = object.readMembers(index)
      for member in delta.added.map(context.current)
      where store.contains(member) && !kept.contains(member) {
        // An object that the step has deleted is read anew: a member that it shows then, and that was not added here,
        // is another context's.
        if change.after.isPresent || store.delta.added.contains(member) {
          object.removeMember(member, index)
        }
      }
      for member in delta.removed.map(context.current) where !store.contains(member) {
        if context.isThere(member) {
          object.addMember(member, index)
        } else if object.lifecycle.isPresent {
          skip(object, object.layout.toMany[index].name)
        }
      }
    }
  }

  /// Some of them may have come back with the other side.
  private func restoreLooseMembers(_ object: NSManagedObject, _ index: Int, _ delta: MemberDelta) {
    let place = EntityLayout.Place.toMany(index)
    for member in delta.added { object.inverseLost(context.current(member), place) }
    for member in delta.removed.map(context.current) where member.lifecycle.isPresent {
      object.inverseGained(member, place)
    }
  }

  /// Members that are there by now, in the order that they had.
  ///
  /// - Parameter now: The members before the step was taken back; nil of an object that was gone: its members were
  ///   nobody else's.
  private mutating func restoreOrder(
    _ change: UndoStep.Change, _ index: Int, from now: [NSManagedObject]?
  ) {
    let object = change.object
    guard let recorded = change.orders[index], object.lifecycle.isPresent else { return }
    let before = recorded.before.map(context.current)
    var order = before
    if let now {
      let after = recorded.after.map(context.current)
      let merged = MemberOrder(base: after, mine: before, theirs: now, yields: true)
      order = merged.members
      if merged.isConflict { skip(object, object.layout.toMany[index].name) }
    }
    let members = object.memberObjects(index)
    let present = Set(members)
    let known = Set(order)
    object.setMembers(
      order.filter(present.contains) + members.filter { !known.contains($0) }, index)
  }
}
