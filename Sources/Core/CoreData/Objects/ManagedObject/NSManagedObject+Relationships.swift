extension NSManagedObject {
  // MARK: - To-one

  /// Sets a to-one relationship and updates its inverse.
  final func setDestination(_ destination: NSManagedObject?, slot: Int) {
    guard let relation = layout.relation(ofSlot: slot) else { return write(.null, slot: slot) }
    if let destination { checkCanRelate(to: destination, by: relation) }
    let old = self.destination(slot)
    if flags.contains(.observed) {
      return changing(.slot(slot)) { replace(old, by: destination, slot: slot, relation: relation) }
    }
    replace(old, by: destination, slot: slot, relation: relation)
  }

  private func replace(
    _ old: NSManagedObject?, by new: NSManagedObject?, slot: Int, relation: Relation
  ) {
    if old === new { return noteEdit() }
    writeDestination(new, slot: slot)
    guard let inverse = relation.inverse else { return }
    old?.inverseLost(self, inverse: inverse)
    new?.inverseGained(self, inverse: inverse)
  }

  final func writeDestination(_ destination: NSManagedObject?, slot: Int) {
    write(destination.map { .identity($0.objectID) } ?? .null, slot: slot)
  }

  /// Updates this side after `object` has stopped pointing here.
  final func inverseLost(_ object: NSManagedObject, inverse: EntityLayout.Place) {
    guard !lifecycle.isDeleted else { return }
    switch inverse {
    case .toMany(let index):
      if !layout.relation(toMany: index).isLoose || readMembers(index).contains(object) {
        removeMember(object, index: index)
      }
    case .slot(let slot):
      if pointsTo(object, slot: slot) { writeDestination(nil, slot: slot) }
    default: break
    }
  }

  final func pointsTo(_ object: NSManagedObject, slot: Int) -> Bool {
    identity(slot) === object.objectID.resolved
  }

  /// Updates this side after `object` has started pointing here.
  final func inverseGained(_ object: NSManagedObject, inverse: EntityLayout.Place) {
    switch inverse {
    case .toMany(let index):
      if !layout.relation(toMany: index).isLoose || !readMembers(index).contains(object) {
        addMember(object, index: index)
      }
    case .slot(let slot):
      guard let previous = destination(slot), previous !== object else {
        return writeDestination(object, slot: slot)
      }
      writeDestination(object, slot: slot)
      guard let relation = layout.relation(ofSlot: slot), let back = relation.inverse else {
        return
      }
      if relation.isLoose {
        previous.inverseLost(self, inverse: back)
      } else if case .slot(let back) = back {
        previous.writeDestination(nil, slot: back)
      }
    default: break
    }
  }

  // MARK: - To-many

  /// The members of a relationship, made if there are none.
  final func memberStore(_ index: Int) -> ToManyMembers {
    if let existing = storedMembers(index) { return existing }
    if members.isEmpty { members = Array(repeating: nil, count: layout.toMany.count) }
    let made = ToManyMembers()
    if lifecycle == .inserted || lifecycle == .absent || layout.relation(toMany: index).isTransient
    {
      made.fill([])
    }
    members[index] = made
    return made
  }

  /// The members of a relationship, if there are any.
  final func storedMembers(_ index: Int) -> ToManyMembers? {
    // Sound: this object keeps `relations` alive, and the access does not replace it.
    relations.map(Unmanaged.passUnretained)?._withUnsafeGuaranteedRef { relations in
      relations.members.isEmpty ? nil : relations.members[index]
    }
  }

  /// Adds a member to this side only, as a tracked edit.
  final func addMember(_ object: NSManagedObject, index: Int) {
    if flags.contains(.observed) {
      return joining([object], index: index) { addUnobservedMember(object, index: index) }
    }
    addUnobservedMember(object, index: index)
  }

  private func addUnobservedMember(_ object: NSManagedObject, index: Int) {
    noteEdit()
    noteMemberChange(index) { $0.add(object) }
    if layout.relation(toMany: index).isOrdered {
      noteOrder(index)
      var order = memberObjects(index)
      if !order.contains(where: { $0 === object }) { order.append(object) }
      memberStore(index).order = order
    }
    memberStore(index).add(object)
  }

  /// Removes a member from this side only, as a tracked edit.
  final func removeMember(_ object: NSManagedObject, index: Int) {
    if flags.contains(.observed) {
      return leaving([object], index: index) { removeUnobservedMember(object, index: index) }
    }
    removeUnobservedMember(object, index: index)
  }

  private func removeUnobservedMember(_ object: NSManagedObject, index: Int) {
    noteEdit()
    noteMemberChange(index) { $0.remove(object) }
    if layout.relation(toMany: index).isOrdered {
      noteOrder(index)
      var order = memberObjects(index)
      order.removeAll { $0 === object }
      memberStore(index).order = order
    }
    memberStore(index).remove(object)
  }

  /// Adds a member and updates the inverse.
  final func relate(_ object: NSManagedObject, index: Int) {
    let relation = layout.relation(toMany: index)
    checkCanRelate(to: object, by: relation)
    if relation.isLoose {
      guard !readMembers(index).contains(object) else { return noteEdit() }
      addMember(object, index: index)
      if let inverse = relation.inverse { object.inverseGained(self, inverse: inverse) }
      return
    }
    switch relation.inverse {
    case nil: addMember(object, index: index)
    case .slot(let slot): object.setDestination(self, slot: slot)
    case .toMany(let back):
      guard !readMembers(index).contains(object) else { return noteEdit() }
      addMember(object, index: index)
      if object !== self || back != index { object.addMember(self, index: back) }
    default: break
    }
  }

  /// Removes a member and updates the inverse.
  final func unrelate(_ object: NSManagedObject, index: Int) {
    let relation = layout.relation(toMany: index)
    if relation.isLoose {
      guard readMembers(index).contains(object) else { return }
      removeMember(object, index: index)
      if let inverse = relation.inverse { object.inverseLost(self, inverse: inverse) }
      return
    }
    switch relation.inverse {
    case nil: removeMember(object, index: index)
    case .slot(let slot):
      if object.identity(slot) === objectID.resolved { object.setDestination(nil, slot: slot) }
    case .toMany(let back):
      guard readMembers(index).contains(object) else { return }
      removeMember(object, index: index)
      if object !== self || back != index { object.removeMember(self, index: back) }
    default: break
    }
  }

  /// Replaces the members, and updates the inverses of added and removed members.
  final func setMembers(_ objects: [NSManagedObject], index: Int) {
    if flags.contains(.observed) {
      return changing(.toMany(index)) { setUnobservedMembers(objects, index: index) }
    }
    setUnobservedMembers(objects, index: index)
  }

  /// Replaces the members after an edit of their order, which observers get as insertion, removal
  /// or replacement.
  final func editMembers(_ objects: [NSManagedObject], index: Int) {
    if flags.contains(.observed) {
      return changing(
        .toMany(index),
        change: { PropertyChange(from: memberObjects(index), to: objects.withoutRepetitions) },
        body: { setUnobservedMembers(objects, index: index) })
    }
    setUnobservedMembers(objects, index: index)
  }

  private func setUnobservedMembers(_ objects: [NSManagedObject], index: Int) {
    let wanted = Set(objects)
    for old in memberObjects(index) where !wanted.contains(old) { unrelate(old, index: index) }
    let store = readMembers(index)
    for object in objects where !store.contains(object) { relate(object, index: index) }
    if layout.relation(toMany: index).isOrdered {
      noteEdit()
      noteOrder(index)
      memberStore(index).order =
        wanted.count == objects.count ? objects : objects.withoutRepetitions
    }
  }

  /// Records, for undo, that a deletion removes its object from every relationship. The members
  /// remain readable until the save. Members whose to-one side is stored come back with that side,
  /// but without their order.
  final func noteDeparture(_ relation: Relation, members: [NSManagedObject]) {
    guard case .toMany(let index) = relation.place, !members.isEmpty else { return }
    noteEdit()
    if relation.isOrdered { noteOrder(index) }
    if case .slot = relation.inverse, !relation.isLoose { return }
    noteMemberChange(index) { delta in members.forEach { delta.remove($0) } }
  }

  /// Removes the members, which remained readable after the object's deletion. An undo restores the
  /// object without them: it knows the previous members itself.
  final func forgetDepartedMembers() {
    for (index, relation) in layout.toManyRelations.enumerated() where relation.endsWithDeletion {
      guard let store = storedMembers(index) else { continue }
      for member in memberObjects(index) { store.remove(member) }
      if store.order != nil { store.order = [] }
    }
  }

  /// Marks the stored members as unread, since they may be outdated; changes are kept.
  final func letMembersBeReadAgain() {
    for (index, store) in members.enumerated() where !layout.relation(toMany: index).isTransient {
      store?.turnIntoFault()
    }
  }

  /// Reverts changes of members. Transient relationships become empty, as transient attributes lose
  /// their values.
  final func rollBackMembers() {
    for (index, store) in members.enumerated() {
      if layout.relation(toMany: index).isTransient { store?.clear() } else { store?.rollback() }
    }
  }

  private func noteMemberChange(_ index: Int, change: (inout MemberDelta) -> Void) {
    guard let event = ownEvent else { return }
    change(&event.memberChanges[index, default: MemberDelta()])
  }

  /// Records the order of members before the event changes it, with those that the event deletes.
  private func noteOrder(_ index: Int) {
    guard let event = ownEvent, event.orders[index] == nil else { return }
    let store = memberStore(index)
    if store.isFault {
      fillMembers(store, index: index) { event.orders[index] = $0 }
    } else {
      event.orders[index] = memberObjects(index)
    }
  }

  private func checkCanRelate(to destination: NSManagedObject, by relation: Relation) {
    if registry !== destination.registry {
      fatalError(
        "Illegal attempt to establish a relationship '\(relation.relationship.name)' between objects "
          + "in different contexts (source = \(self), destination = \(destination))")
    }
    guard !relation.accepts(destination), let expected = relation.relationship.destinationEntity,
      !destination.entity.isKindOf(entity: expected)
    else { return }
    fatalError(
      "Unacceptable type of value for \(relation.isToMany ? "to-many" : "to-one") relationship: "
        + "property = \"\(relation.relationship.name)\"; desired entity = \(expected.name ?? ""); "
        + "given entity = \(destination.entity.name ?? "")")
  }
}
