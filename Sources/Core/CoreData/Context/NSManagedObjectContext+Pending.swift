extension NSManagedObjectContext {
  final func processEvent() {
    assertConfined()
    guard !isProcessing, hasEventChanges else { return }
    let repeated = repeatedDeletions
    repeatedDeletions = []
    if hasEventChanges {
      processEvent {
        if propagatesDeletesAtEndOfEvent { propagateDeletions() }
      } record: {
        registerUndo($0)
      }
    }
    if !repeated.isEmpty { repeatDeletions(repeated) }
  }

  /// - Parameters:
  ///   - complete: makes the changes that follow from those of the event.
  ///   - record: is given the event's changes for undo.
  private func processEvent(
    number: Int? = nil, complete: () -> Void, record: (UndoStep) -> Void
  ) {
    isProcessing = true
    complete()
    let objects = eventObjects
    let (changes, step) = takeEvent(number: number ?? undoStepCount)
    record(step)
    isProcessing = false
    if !changes.isEmpty { tell(changes) }
    objects.forEachUncounted { if $0.event.isOver { $0.event = .none } }
  }

  /// Applies the delete rules of deleted objects again, to members that others have added since.
  ///
  /// What follows from that belongs to the deletion: its undo brings it back, and it is no step of
  /// its own where the deletion is none.
  private func repeatDeletions(_ objects: [NSManagedObject]) {
    for object in objects where object.lifecycle.isDeleted {
      let recorded = deletionStep(of: object)
      processEvent(number: recorded?.number) {
        pendingDeletions.append(object)
        propagateDeletions()
      } record: {
        recorded?.extend(by: $0)
      }
    }
  }

  /// Applies the delete rules of every newly deleted object, those deleted by cascades included.
  final func propagateDeletions() {
    while !pendingDeletions.isEmpty {
      let batch = pendingDeletions
      pendingDeletions = []
      let memberless = batch.count > 1 ? readMembersAtOnce(of: batch) : [false]
      var position = 0
      batch.forEachUncounted { object in
        defer { position += 1 }
        guard object.lifecycle.isDeleted else { return }
        applyDeleteRules(of: object, hasMembers: !memberless[position])
      }
    }
  }

  /// Reads the members of many deleted objects with one query per relationship instead of one per
  /// object. A failure is ignored: it recurs when members are read one by one.
  ///
  /// Returns, for each object, true if it has no members that a delete rule applies to. Nothing is
  /// allocated per object to record that.
  private func readMembersAtOnce(of objects: [NSManagedObject]) -> [Bool] {
    var memberless = Array(repeating: false, count: objects.count)
    var unread: [Int] = []
    unread.reserveCapacity(objects.count)
    var position = 0
    objects.forEachUncounted { object in
      defer { position += 1 }
      if object.relations == nil, object.lifecycle == .deleted, !object.packedIdentity.isTemporary {
        unread.append(position)
      }
    }
    for group in Dictionary(grouping: unread, by: { ObjectIdentifier(objects[$0].layout) }).values
    where group.count > 1 {
      readMembersAtOnce(ofAlike: group, among: objects, &memberless)
    }
    return memberless
  }

  private func readMembersAtOnce(
    ofAlike positions: [Int], among objects: [NSManagedObject], _ memberless: inout [Bool]
  ) {
    let relations = objects[positions[0]].layout.toManyRelations.enumerated()
      .filter { $0.element.deleteRule != .noActionDeleteRule && !$0.element.isTransient }
    let owners = positions.map { objects[$0].packedIdentity }
    guard let source, !relations.isEmpty,
      let lists = try? relations.map({
        try source.members(of: $0.element.relationship, owners: owners)
      })
    else { return }
    for (index, position) in positions.enumerated() {
      // In a child context the members are filled in: the parent compares them with its own.
      if parent == nil, lists.allSatisfy({ $0[index].isEmpty }) {
        memberless[position] = true
      } else {
        for (relation, list) in zip(relations, lists) {
          objects[position].memberStore(relation.offset).fill(list[index])
        }
      }
    }
  }

  private func applyDeleteRules(of object: NSManagedObject, hasMembers: Bool) {
    for relation in object.layout.relations {
      switch relation.place {
      case .slot(let slot):
        guard let destination = object.destination(slot) else { continue }
        apply(relation, of: object, to: destination)
      case .toMany(let index) where hasMembers && relation.deleteRule != .noActionDeleteRule:
        let members = object.memberObjects(index)
        if members.isEmpty { continue }
        if relation.deleteRule == .cascadeDeleteRule { readAtOnce(members) }
        for member in members { apply(relation, of: object, to: member) }
        if undoManager != nil, relation.endsWithDeletion {
          object.noteDeparture(relation, members: members)
        }
      default: continue
      }
    }
  }

  private func apply(
    _ relation: Relation, of object: NSManagedObject, to destination: NSManagedObject
  ) {
    guard relation.endsWithDeletion, destination.lifecycle.isPresent else { return }
    if relation.deleteRule == .cascadeDeleteRule { delete(destination) }
    // A surviving object at the other end no longer points to the deleted object.
    if let inverse = relation.inverse, destination.lifecycle.isPresent {
      // A destination that was read before another writer made it point here would keep pointing to
      // the deleted object: the save must detect that, so the destination is watched.
      if case .slot(let slot) = inverse, !destination.pointsTo(object, slot: slot) {
        watch(destination)
      }
      destination.inverseLost(object, inverse: inverse)
    }
  }

  /// Reads the rows of many objects with one query. A failure is ignored: it recurs, with its
  /// error, when an object is read by itself.
  private func readAtOnce(_ objects: [NSManagedObject]) {
    do { try fillFaults(objects) } catch { return }
  }

  // MARK: - Changes of the event

  private func takeEvent(number: Int) -> (ContextChanges, UndoStep) {
    var changes = ContextChanges()
    var step = UndoStep()
    let objects = eventObjects
    eventObjects = []
    if undoManager != nil { readAtOnce(objects.filter(\.lifecycle.isDeleted)) }
    if undoManager == nil, objects.areBirths {
      changes.inserted = objects
      objects.forEachUncounted { $0.noteTold() }
    } else {
      objects.forEachUncounted { object in
        guard let wasPresent = object.event.wasPresent else { return }
        object.noteTold()
        classify(object, wasPresent: wasPresent, into: &changes)
        if undoManager != nil, let event = object.event.record {
          step.changes.append(.init(object: object, event: event, number: number))
        }
      }
    }
    changes.refreshed = refreshedOnly(changes)
    changes.invalidated = Array(invalidatedObjects)
    refreshedObjects = []
    invalidatedObjects = []
    return (changes, step)
  }

  private func refreshedOnly(_ changes: ContextChanges) -> [NSManagedObject] {
    if refreshedObjects.isEmpty { return [] }
    return Array(refreshedObjects.subtracting(changes.deleted).subtracting(changes.inserted))
  }

  private func classify(
    _ object: NSManagedObject, wasPresent: Bool, into changes: inout ContextChanges
  ) {
    switch (wasPresent, object.lifecycle.isPresent) {
    case (false, true): changes.inserted.append(object)
    case (true, false): changes.deleted.append(object)
    case (true, true): changes.updated.append(object)
    case (false, false): if object.lifecycle == .dropped { changes.passing.append(object) }
    }
  }

  final func tell(_ changes: ContextChanges) {
    for observer in liveObservers() { observer.contextDidProcess(changes) }
    let sets = EventSets(changes, in: self)
    lastEvent = sets.reusable
    NotificationCenter.default.post(
      name: .NSManagedObjectContextObjectsDidChange, object: self,
      userInfo: changes.userInfo(sets))
  }
}

extension [NSManagedObject] {
  /// True if all objects are new and still present, as during an import: then no object needs to be
  /// classified by itself.
  fileprivate var areBirths: Bool {
    allSatisfyUncounted { if case .birth = $0.event { $0.lifecycle.isPresent } else { false } }
  }
}
