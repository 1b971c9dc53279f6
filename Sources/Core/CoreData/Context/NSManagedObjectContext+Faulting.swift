// What objects need when they read their rows and members.
extension NSManagedObjectContext {
  /// The newest row of an object: the cached row if one is alive, else the store's; nil if the
  /// object is gone. Throws the store's error.
  final func newestRow(of object: NSManagedObject) throws -> Row? {
    if stalenessInterval < 0, let cached = sharedRow(of: object) { return cached }
    guard canRead(object.packedIdentity) else { return nil }
    if let plainCoordinator { return try plainCoordinator.row(of: object) }
    return try source?.row(of: object.objectID)
  }

  /// The cached row, alive because some context or caller holds it; nil if there is none or it may
  /// not be used.
  final func sharedRow(of object: NSManagedObject) -> Row? {
    guard readsSharedRows, endedRows.isEmpty || !endedRows.contains(object.packedIdentity) else {
      return nil
    }
    return object.cachedRow
  }

  final func storedMembers(
    of object: NSManagedObject, _ relationship: NSRelationshipDescription
  ) -> [NSManagedObjectID] {
    guard object.lifecycle != .inserted, canRead(object.packedIdentity) else { return [] }
    assertConfined()
    do {
      let members = try source?.members(of: relationship, owner: object.objectID) ?? []
      try readAlong(members, of: object, relationship: relationship)
      return members
    } catch {
      handleInaccessibleFault(object, property: relationship, error: error)
      return []
    }
  }

  /// Larger sets of members are rarely looked at as a whole.
  private static let mostReadAlong = 10_000

  /// Reads the rows of members together: otherwise each would be read by itself, in a round trip to
  /// the server. The rows live as long as the owner.
  private func readAlong(
    _ members: [NSManagedObjectID], of object: NSManagedObject,
    relationship: NSRelationshipDescription
  ) throws {
    guard 1...Self.mostReadAlong ~= members.count, readsSharedRows,
      object.space?.store is any ServerStore
    else { return }
    let missing = members.filter { $0.cachedRow == nil }
    let known = members.compactMap(\.cachedRow)
    let read = missing.isEmpty ? [] : try source?.rows(of: missing) ?? []
    object.madeRelations.memberRows[ObjectIdentifier(relationship)] = known + read
  }

  /// False for an unsaved object of a root context. An object that the parent has not saved has a
  /// temporary ID in its children too, and is read from the parent; stores know no temporary IDs.
  private func canRead(_ identity: PackedIdentity) -> Bool {
    parent != nil || !identity.isTemporary
  }

  /// Reads the rows of many faults with one query.
  package final func fillFaults(_ objects: [NSManagedObject]) throws {
    let empty = objects.filter { $0.isFault && $0.current == nil && canRead($0.packedIdentity) }
    for object in empty {
      if let row = sharedRow(of: object) { object.adopt(row) }
    }
    let missing = empty.filter { $0.current == nil }
    guard !missing.isEmpty, let source else { return }
    for row in try source.rows(of: missing.map(\.objectID)) {
      registry.object(row.packed)?.adopt(row)
    }
  }

  /// True if an object is present, and is no fault whose row is gone.
  final func isThere(_ object: NSManagedObject) -> Bool {
    guard object.lifecycle == .live, object.isFault, object.current == nil else {
      return object.lifecycle.isPresent
    }
    // If the read fails, so will the next access to the object, which reports the error.
    do { try fillFaults([object]) } catch { return true }
    return object.current != nil
  }

  /// The objects that are present and no faults whose rows are gone; rows are read together.
  package final func present(_ objects: [NSManagedObject]) -> [NSManagedObject] {
    let present = objects.filter { $0.lifecycle.isPresent }
    // If the read fails, so will the next access to an object, which reports the error.
    do { try fillFaults(present) } catch { return present }
    return present.filter { $0.lifecycle != .live || !$0.isFault || $0.current != nil }
  }

  /// Handles a fault whose row is gone or cannot be read: the object counts as deleted here, its
  /// values are nil, and no save writes it. A store's error goes to standard error, since a
  /// property cannot throw, and the next save throws it: what was computed from nil, and edits of
  /// the object, must not count as saved. Traps if edits would be lost.
  final func handleInaccessibleFault(
    _ object: NSManagedObject, property: NSPropertyDescription? = nil,
    error: (any Error)? = nil
  ) {
    let cause = error.map { "the store failed with \($0)" } ?? "its row is not in the store."
    let text = "could not fulfill a fault for '\(object.objectID)': \(cause)"
    let mayBeDropped = error == nil || !object.hasChanges
    guard mayBeDropped,
      shouldHandleInaccessibleFault(object, for: object.objectID, triggeredByProperty: property)
    else { fatalError("CoreData \(text)") }
    if let error {
      Console.error(text)
      unreadFailure = unreadFailure ?? (object.objectID, error)
    }
    telling([object]) {
      object.current = Row.empty(object.objectID)
      object.snapshot = nil
      object.flags.insert(.goneFromStore)
      markDeleted(object)
    }
  }

  /// Removes members that others have added and that are deleted here, but for those whose delete
  /// rules, at the end of the event, will take them off.
  final func leaveOutDeleted(_ store: ToManyMembers, index: Int, of owner: NSManagedObject) {
    if deleted.isEmpty || !owner.lifecycle.isPresent { return }
    for id in store.stored ?? [] {
      guard let member = registry.object(id.resolved.packed), member.lifecycle == .deleted,
        store.contains(member), !willLeave(member, index: index, of: owner)
      else { continue }
      store.remove(member)
      partings[member.packedIdentity, default: []].append(.member(of: owner, index))
      // So that a rollback restores the member.
      if owner.lifecycle == .live { noteUpdated(owner) }
    }
  }

  private func willLeave(_ member: NSManagedObject, index: Int, of owner: NSManagedObject) -> Bool {
    guard propagatesDeletesAtEndOfEvent, !isProcessing, !member.event.isOver,
      member.event.wasPresent == true, !member.flags.contains(.goneFromStore),
      case .slot(let slot)? = owner.layout.relation(toMany: index).inverse
    else { return false }
    return member.pointsTo(owner, slot: slot)
  }
}
