/// The members of one object's to-many relationship: what the store has, and what has changed.
///
///     members = (stored − delta.removed) ∪ delta.added
///
/// A member can join or leave while `stored` is still a fault, so that relating an object to an
/// owner of a million members reads none of them. Owned by its object; the context's queue guards
/// it. For an ordered relationship `order` holds all members once an edit has been made.
final class ToManyMembers {
  /// The store's members, in its order; nil while they have not been read.
  private(set) var stored: [NSManagedObjectID]?
  @exclusivity(unchecked)
  private(set) var delta = MemberDelta()
  var order: [NSManagedObject]?
  // Made when a membership is asked for the first time.
  private var storedSet: KnownMembers?

  private struct KnownMembers {
    let identities: Set<PackedIdentity>
    /// With temporary IDs among them, what holds until one more ID becomes permanent; else nil.
    let successions: UInt64?
  }

  var isFault: Bool { stored == nil }

  /// What the store says. Changes that it already knows are changes no more.
  func fill(_ identities: [NSManagedObjectID]) {
    stored = identities
    storedSet = nil
    guard !delta.isEmpty else { return }
    let known = knownMembers
    delta.added = delta.added.filter { !known.contains($0.resolvedIdentity) }
    delta.removed = delta.removed.filter { known.contains($0.resolvedIdentity) }
  }

  /// Forgets what the store said; changes stay, an order among them.
  func turnIntoFault() {
    stored = nil
    storedSet = nil
  }

  func add(_ object: NSManagedObject) {
    if delta.removed.remove(object) != nil { return }
    if stored != nil, isStored(object) { return }
    delta.added.insert(object)
  }

  func remove(_ object: NSManagedObject) {
    if delta.added.remove(object) != nil { return }
    delta.removed.insert(object)
  }

  func contains(_ object: NSManagedObject) -> Bool {
    if delta.added.contains(object) { return true }
    if delta.removed.contains(object) { return false }
    return isStored(object)
  }

  /// Whether the store's members have been read and this one was among them; nil where they have not.
  func hasRead(_ member: PackedIdentity) -> Bool? {
    stored == nil ? nil : knownMembers.contains(member)
  }

  private func isStored(_ object: NSManagedObject) -> Bool {
    knownMembers.contains(object.resolvedIdentity)
  }

  /// The object's own row says something else by now: whether the store counts it as a member, and whether it is one.
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

  /// The number of members; `stored` must be there.
  var count: Int { (stored?.count ?? 0) + delta.added.count - delta.removed.count }

  /// The changes have been written, or are to be forgotten with the owner's row.
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
    delta = MemberDelta()
    order = nil
  }

  /// The owner's row has gone from the store, and with it every stored membership.
  func clear() {
    stored = []
    storedSet = nil
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
