extension NSManagedObjectContext {
  /// Runs `body`, which may rebase edited objects onto newer rows or change their values otherwise,
  /// then corrects the other ends of the objects' to-one relationships: the members of a to-many
  /// relationship are again the objects that point to its owner.
  final func keepingInverses<Result>(
    of objects: [NSManagedObject], _ body: () throws -> Result
  ) rethrows -> Result {
    let images = objects.compactMap(ToOneImage.init)
    if images.isEmpty { return try body() }
    let result = try body()
    withoutEvents {
      for image in images where image.object.lifecycle.isPresent { mend(image) }
    }
    return result
  }

  /// Removes an object that others have deleted from the relationships that unsaved edits have
  /// given it.
  final func leaveUnsavedRelationships(_ object: NSManagedObject) {
    withoutEvents {
      for relation in object.layout.relations {
        guard let inverse = relation.inverse else { continue }
        switch relation.place {
        case .slot(let slot) where object.isEdited(slot):
          object.destination(slot)?.inverseLost(object, inverse: inverse)
        case .toMany(let index):
          guard let joined = object.storedMembers(index)?.delta.added else { continue }
          for member in Array(joined) where member.lifecycle.isPresent {
            // One that stays although its row is gone has not been put here: if both come back, so
            // does their relationship.
            if case .slot(let slot) = inverse, !member.isEdited(slot) { continue }
            member.inverseLost(object, inverse: inverse)
          }
        default: continue
        }
      }
    }
  }

  /// Keeps an object, which stays for an edit although its row is gone, a member of the
  /// relationships that its to-one values point to.
  final func stayRelated(_ object: NSManagedObject) {
    object.letMembersBeReadAgain()
    withoutEvents {
      for relation in object.layout.relations where !relation.isLoose {
        guard case .slot(let slot) = relation.place, let owner = object.destination(slot),
          owner.lifecycle.isPresent
        else { continue }
        let end = OtherEnd(owner: owner, object: object, isStored: false, isMember: true)
        switch relation.inverse {
        case .toMany(let index): correctMembers(end, index: index)
        case .slot(let slot): correctValue(end, slot: slot)
        default: continue
        }
      }
    }
  }

  /// Clears a to-one value of a row by another writer that refers to an object deleted here, as if
  /// it had been set before the deletion.
  final func leaveDeleted(_ row: Row) {
    for slot in row.format.pointee.references.map(Int.init) {
      guard let end = end(row[slot]), end.lifecycle == .deleted else { continue }
      let object = object(for: row)
      guard object.lifecycle.isPresent, case .toOne = object.layout.slots[slot].kind else {
        continue
      }
      object.fireFault()
      guard object.current?[slot] == row[slot] else { continue }
      object.editableRow[slot] = .null
      partings[end.packedIdentity, default: []].append(.value(of: object, slot))
      deletionStep(of: end)?.extend(byLossOf: row[slot], in: slot, of: object)
      if object.lifecycle == .live { noteUpdated(object) }
    }
  }

  /// Restores the relationships that others have made to an object, after its deletion is undone.
  final func meetAgain(_ object: NSManagedObject) {
    for parting in partings.removeValue(forKey: object.packedIdentity) ?? [] {
      switch parting {
      case .member(let owner, let index):
        guard owner.lifecycle.isPresent, let store = owner.storedMembers(index) else { continue }
        store.add(object)
      case .value(let owner, let slot):
        guard owner.lifecycle.isPresent, let read = owner.snapshot?[slot],
          end(read) === object, owner.current?[slot] == .null
        else { continue }
        owner.editableRow[slot] = read
      }
    }
  }

  /// Runs `body` without recording its changes for undo: they follow from changes by others.
  private func withoutEvents(_ body: () -> Void) {
    let wasMerging = isMerging
    isMerging = true
    body()
    isMerging = wasMerging
  }

  private func mend(_ image: ToOneImage) {
    let object = image.object
    for old in image.values {
      let read = object.storeRow?[old.slot] ?? .null
      let now = object.current?[old.slot] ?? .null
      if image.wasPresent, read == old.read, now == old.now { continue }
      let owners = ends([old.read, old.now], after: [read, now])
      let (stored, present) = (end(read), end(now))
      for owner in owners where owner.lifecycle.isPresent {
        let end = OtherEnd(
          owner: owner, object: object, isStored: owner === stored, isMember: owner === present)
        switch old.inverse {
        case .toMany(let index): correctMembers(end, index: index)
        case .slot(let slot): correctValue(end, slot: slot)
        default: continue
        }
      }
    }
  }

  private func end(_ value: Value) -> NSManagedObject? {
    guard case .identity(let id) = value else { return nil }
    return registry.object(id.resolved.packed)
  }

  /// The registered objects among the values, each once. If the store and an edit disagree, both of
  /// their objects are included; the store's is made if need be.
  private func ends(_ before: [Value], after: [Value]) -> [NSManagedObject] {
    var ends: [NSManagedObject] = []
    if after[0] != after[1], case .identity(let id) = after[0] {
      ends.append(object(with: id.resolved))
    }
    for end in (before + after).compactMap(end) where !ends.contains(where: { $0 === end }) {
      ends.append(end)
    }
    return ends
  }

  private func correctMembers(_ end: OtherEnd, index: Int) {
    let (isStored, isMember) = (end.isStored, end.isMember)
    if isStored == isMember {
      let store = end.owner.storedMembers(index)
      store?.correct(end.object, isStored: isStored, isMember: isMember)
    } else {
      let store = end.owner.memberStore(index)
      store.correct(end.object, isStored: isStored, isMember: isMember)
      if end.owner.lifecycle == .live { noteUpdated(end.owner) }
    }
  }

  private func correctValue(_ end: OtherEnd, slot: Int) {
    let owner = end.owner
    // An owner whose row was not read yet will have the store's value.
    let isUnread = owner.isFault && owner.current == nil
    if isUnread, end.isStored == end.isMember { return }
    let pointsHere = owner.identity(slot) === end.object.objectID.resolved
    if pointsHere == end.isMember { return }
    if end.isMember, end.isStored, !owner.hasPersistentChangedValues {
      return owner.turnIntoFault()
    }
    owner.editableRow[slot] = end.isMember ? .identity(end.object.objectID) : .null
    if owner.lifecycle == .live { noteUpdated(owner) }
  }
}

/// A relationship that others have made to an object that is deleted here.
enum Parting {
  case member(of: NSManagedObject, Int)
  case value(of: NSManagedObject, Int)
}

/// An object that a to-one relationship points to, or has pointed to.
private struct OtherEnd {
  let owner: NSManagedObject
  let object: NSManagedObject
  /// True if the object points to the owner by the store's row, and by its current value.
  let isStored, isMember: Bool
}

/// The to-one values of an object before they are changed by anything but an edit.
private struct ToOneImage {
  let object: NSManagedObject
  let wasPresent: Bool
  let values: [(slot: Int, inverse: EntityLayout.Place, read: Value, now: Value)]

  /// nil for an object without to-one relationships that have an inverse.
  init?(_ object: NSManagedObject) {
    guard let read = object.storeRow, let now = object.current else { return nil }
    self.object = object
    wasPresent = object.lifecycle.isPresent
    values = object.layout.relations.compactMap { relation in
      guard case .slot(let slot) = relation.place, let inverse = relation.inverse,
        !relation.isLoose
      else { return nil }
      return (slot, inverse, read[slot], now[slot])
    }
    if values.isEmpty { return nil }
  }
}

extension NSManagedObject {
  /// The newest row of the object that the context knows. For an object edited by a child that is
  /// not the snapshot, which is the older row that the child has read.
  fileprivate var storeRow: Row? { registry?.context?.newerRows[packedIdentity] ?? snapshot }

  fileprivate func isEdited(_ slot: Int) -> Bool {
    guard let current else { return false }
    return snapshot.map { $0[slot] != current[slot] } ?? true
  }
}
