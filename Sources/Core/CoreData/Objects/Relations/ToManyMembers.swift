/// The members of an object's to-many relationship: the stored ones and their changes.
///
///     members = (stored − delta.removed) ∪ delta.added
///
/// A member can be added or removed while `stored` is a fault, so that adding an object to an owner
/// of a million members reads none of them. Owned by its object, and confined to the context's
/// queue. For an ordered relationship, `order` holds all members after the first edit.
final class ToManyMembers {
  /// The store's members, in its order; nil while they have not been read.
  private(set) var stored: [NSManagedObjectID]?
  @exclusivity(unchecked)
  private(set) var delta = MemberDelta()
  var order: [NSManagedObject]?
  /// Members that were added here and that the store turned out to have already: somebody else's.
  private(set) var foundStored: Set<NSManagedObject>?
  // Made for the first membership test.
  private var storedSet: KnownMembers?

  private struct KnownMembers {
    let identities: Set<PackedIdentity>
    /// The count of successions for which the set is valid, if it has temporary IDs; otherwise nil.
    let successions: UInt64?
  }

  var isFault: Bool { stored == nil }

  /// Sets the store's members. Changes that the store already contains are dropped.
  func fill(_ identities: [NSManagedObjectID]) {
    stored = identities
    storedSet = nil
    guard !delta.isEmpty else { return }
    let known = knownMembers
    let found = delta.added.filter { known.contains($0.resolvedIdentity) }
    if !found.isEmpty { foundStored = (foundStored ?? []).union(found) }
    delta.added = delta.added.filter { !known.contains($0.resolvedIdentity) }
    delta.removed = delta.removed.filter { known.contains($0.resolvedIdentity) }
  }

  /// Drops the store's members; changes, including an order, are kept.
  func turnIntoFault() {
    stored = nil
    storedSet = nil
  }

  func add(_ object: NSManagedObject) {
    foundStored?.remove(object)
    if delta.removed.remove(object) != nil { return }
    if stored != nil, isStored(object) { return }
    delta.added.insert(object)
  }

  func remove(_ object: NSManagedObject) {
    foundStored?.remove(object)
    if delta.added.remove(object) != nil { return }
    delta.removed.insert(object)
  }

  func contains(_ object: NSManagedObject) -> Bool {
    if delta.added.contains(object) { return true }
    if delta.removed.contains(object) { return false }
    return isStored(object)
  }

  /// Whether the store's members have been read and include this one; nil if they have not been
  /// read.
  func hasRead(_ member: PackedIdentity) -> Bool? {
    stored == nil ? nil : knownMembers.contains(member)
  }

  private func isStored(_ object: NSManagedObject) -> Bool {
    knownMembers.contains(object.resolvedIdentity)
  }

  /// Corrects a member after its own row has changed: whether the store counts it as a member, and
  /// whether it is one.
  func correct(_ object: NSManagedObject, isStored isStoredMember: Bool, isMember: Bool) {
    delta.added.remove(object)
    delta.removed.remove(object)
    if isMember != isStoredMember {
      if isMember { delta.added.insert(object) } else { delta.removed.insert(object) }
    }
    if stored != nil, isStored(object) != isStoredMember { turnIntoFault() }
    guard let index = order?.firstIndex(where: { $0 === object }) else {
      if isMember { order?.append(object) }
      return
    }
    if !isMember { order?.remove(at: index) }
  }

  /// Whether any of these objects is a member, or was added or removed here.
  func hasAny(of objects: Set<PackedIdentity>) -> Bool {
    stored?.contains { objects.contains($0.resolved.packed) } ?? false
      || delta.added.contains { objects.contains($0.resolvedIdentity) }
      || delta.removed.contains { objects.contains($0.resolvedIdentity) }
  }

  /// Forgets objects whose rows are gone.
  func leaveOut(_ gone: Set<PackedIdentity>) {
    func stays(_ object: NSManagedObject) -> Bool { !gone.contains(object.resolvedIdentity) }
    stored = stored?.filter { !gone.contains($0.resolved.packed) }
    storedSet = nil
    delta.added = delta.added.filter(stays)
    delta.removed = delta.removed.filter(stays)
    foundStored = foundStored?.filter(stays)
    order = order?.filter(stays)
  }

  /// The number of members; requires `stored`.
  var count: Int { (stored?.count ?? 0) + delta.added.count - delta.removed.count }

  /// Makes the changes the stored members, after they were written or together with the owner's
  /// row.
  func commit() {
    if var members = stored, !delta.isEmpty || order != nil {
      if let order {
        members = order.map(\.objectID)
      } else {
        let gone = Set(delta.removed.map(\.resolvedIdentity))
        if !gone.isEmpty { members.removeAll { gone.contains($0.resolved.packed) } }
        members += delta.added.map(\.objectID)
      }
      stored = members
      storedSet = nil
    }
    delta = MemberDelta()
    order = nil
  }

  func rollback() {
    foundStored = nil
    delta = MemberDelta()
    order = nil
  }

  /// Removes all members, after the owner's row has been deleted from the store.
  func clear() {
    stored = []
    storedSet = nil
    foundStored = nil
    delta = MemberDelta()
    order = nil
  }

  private var knownMembers: Set<PackedIdentity> {
    let now = TemporaryObjectID.successions
    if let storedSet, (storedSet.successions ?? now) == now { return storedSet.identities }
    let members = (stored ?? []).map(\.resolved)
    let known = KnownMembers(
      identities: Set(members.lazy.map(\.packed)),
      successions: members.contains(where: \.isTemporaryID) ? now : nil)
    storedSet = known
    return known.identities
  }
}
