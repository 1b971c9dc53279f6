extension ParentPush {
  /// Compares the child's changes and deletions with the parent's objects and throws
  /// ``SaveConflicts`` for values that the child has not seen; nothing was pushed then.
  ///
  /// The comparison is by values: the parent may have released its object and read a newer row, or
  /// have merged one, or have edits of its own or of another child. Values of the child's own last
  /// save count as seen.
  ///
  /// - Returns: the compared objects of the parent, to be retained until the end of the push, so
  ///   that they stay unchanged.
  func check(_ saved: SavedObjects) throws -> [NSManagedObject?] {
    let edited = saved.updated.filter(\.hasPersistentChangedValues)
    let deleted = saved.deleted.filter {
      $0.snapshotReference != nil && !$0.flags.contains(.goneFromStore)
    }
    let watched = child.watched.filter { $0.lifecycle == .live && !$0.hasPersistentChangedValues }
    let reliedUpon = Array(watched).inOrder
    let (twins, victims, others) = (
      edited.map(twin), deleted.map(twin), reliedUpon.map(twin)
    )
    try parent.fillFaults((twins + victims + others).compactMap(\.self))
    var conflicts: [SaveConflicts.Conflict] = []
    for (object, twin) in zip(edited, twins) {
      if let twin, twin.isThere {
        if isOvertaken(object, twin: twin) { conflicts.append(conflict(object, twin: twin)) }
      } else {
        conflicts.append(conflict(object, twin: nil))
      }
    }
    // An object that the parent no longer has need not be deleted.
    for case (let object, let twin?) in zip(deleted, victims) where twin.isThere {
      if isChangedSinceRead(object, twin: twin) { conflicts.append(conflict(object, twin: twin)) }
    }
    for (object, twin) in zip(reliedUpon, others) where !isAsRead(object, twin: twin) {
      conflicts.append(conflict(object, twin: twin.flatMap { $0.isThere ? $0 : nil }))
    }
    conflicts += try missingReferences(of: saved).map { conflict($0, twin: nil) }
    if !conflicts.isEmpty { throw SaveConflicts(conflicts: conflicts) }
    return twins + victims + others
  }

  private func isAsRead(_ object: NSManagedObject, twin: NSManagedObject?) -> Bool {
    guard let read = object.snapshot, let twin, twin.isThere else { return twin?.isThere == true }
    return twin.shows(read, in: object.layout.storedSlots)
  }

  private func conflict(
    _ object: NSManagedObject, twin: NSManagedObject?
  ) -> SaveConflicts.Conflict {
    SaveConflicts.Conflict(
      identity: object.objectID, stored: twin?.rowForChildren, isOfSharedRow: true)
  }

  /// Objects that were saved into the parent, that only the parent could save, and that the parent
  /// no longer has. References to them would silently be lost.
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
    return zip(destinations, twins).filter { $1?.isThere != true }.map(\.0)
  }

  /// True if the child's edit was made on other values than the parent has. If only members have
  /// changed, only the to-one values are compared: members added by others stay, but a new position
  /// in a tree may close a circle.
  private func isOvertaken(_ object: NSManagedObject, twin: NSManagedObject) -> Bool {
    guard let read = object.snapshot else { return false }
    let layout = object.layout
    let isWritten = object.changedSlots().isEmpty == false
    let slots =
      isWritten ? layout.storedSlots : layout.storedSlots.filter { layout.slots[$0].kind == .toOne }
    return !twin.shows(read, in: slots) || hasLostOrder(object, twin: twin)
  }

  private func hasLostOrder(_ object: NSManagedObject, twin: NSManagedObject) -> Bool {
    if object.relations == nil || settled.contains(object) { return false }
    return object.changedRelationships().contains { index in
      object.storedMembers(index)?.order != nil
        && memberOrder(of: object, index, twin: twin).isConflict
    }
  }

  /// The members of an ordered relationship that the child has changed, merged with the parent's.
  func memberOrder(
    of object: NSManagedObject, _ index: Int, twin: NSManagedObject
  ) -> MemberOrder<NSManagedObject> {
    let store = object.storedMembers(index)
    let theirs = twin.memberObjects(index)
    return MemberOrder(
      base: store?.stored?.compactMap(parent.found) ?? theirs,
      mine: store?.order?.compactMap(self.twin) ?? theirs, theirs: theirs)
  }

  /// True if the child would delete values that it has not seen, or members that its delete rules
  /// were not applied to.
  private func isChangedSinceRead(_ object: NSManagedObject, twin: NSManagedObject) -> Bool {
    guard let read = object.snapshot else { return false }
    if !twin.shows(read, in: object.layout.storedSlots) { return true }
    if settled.contains(object) { return false }
    if read === twin.current, twin.changedRelationships().isEmpty { return false }
    return object.layout.toMany.indices.contains { index in
      guard let known = object.storedMembers(index), let stored = known.stored else { return false }
      let seen = Set(stored.map(\.resolved.packed))
        .union(known.delta.added.map(\.resolvedIdentity))
      return twin.memberObjects(index).contains { member in
        member.lifecycle.isPresent
          && (!seen.contains(member.resolvedIdentity)
            || isLeftBehind(member, of: object, index: index))
      }
    }
  }

  /// True for a member of a deleted object that has become one in the parent only: the child has
  /// read its old value, so that the deletion has not changed it.
  private func isLeftBehind(
    _ member: NSManagedObject, of object: NSManagedObject, index: Int
  ) -> Bool {
    guard case .slot(let slot) = object.layout.relation(toMany: index).inverse,
      let own = child.registry.object(member.packedIdentity), own.lifecycle == .live,
      let read = own.snapshot, let now = own.current, !now.differs(from: read, in: slot)
    else { return false }
    return own.destination(slot) !== object
  }
}

extension NSManagedObject {
  /// For an object of the parent whose row was read: true if it exists.
  fileprivate var isThere: Bool {
    lifecycle.isPresent && (lifecycle == .inserted || !isFault || current != nil)
  }

  /// True if this object of the parent has the values that a child has read, in these slots.
  /// Derived attributes are not compared: they follow from others.
  fileprivate func shows(_ read: Row, in slots: [Int]) -> Bool {
    guard let now = current else { return false }
    if now === read { return true }
    // A store may return a value in another form than it was given: equal versions mean equal rows.
    let isOfOneVersion =
      snapshot.map { !$0.isUnsaved && !read.isUnsaved && $0.version == read.version } ?? false
    let reference = isOfOneVersion ? snapshot ?? read : read
    if reference === now { return true }
    return slots.allSatisfy { slot in
      !now.differs(from: reference, in: slot)
        || layout.slots[slot].property is NSDerivedAttributeDescription
        || isOneInstant(now[slot], other: reference[slot], slot: slot)
    }
  }

  /// True for dates that differ by a microsecond at most, the precision of servers.
  private func isOneInstant(_ one: Value, other: Value, slot: Int) -> Bool {
    guard case .attribute(.dateAttributeType) = layout.slots[slot].kind,
      case .real(let one) = one, case .real(let other) = other
    else { return false }
    return abs(one - other) <= 1e-6
  }

  /// The row that children read: this object's row, or a sealed copy of its unsaved values, without
  /// the transient ones.
  final var rowForChildren: Row {
    let row = readableRow
    // A row from before the parent's save may still have the temporary ID.
    if row.isSealed, row.packed == packedIdentity, layout.transientSlots.isEmpty { return row }
    let copy = row.copy()
    for slot in layout.transientSlots { copy[slot] = .null }
    if isSaved(row) {
      copy.seal(packedIdentity, in: space, version: row.version)
    } else {
      copy.sealUnsaved(packedIdentity, in: space)
    }
    return copy
  }

  private func isSaved(_ row: Row) -> Bool {
    if row.isSealed { return !row.isUnsaved }
    guard let snapshot, !snapshot.isUnsaved else { return false }
    return changedSlots().isEmpty
  }

  /// The objects that changed relationships lead to.
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
}
