/// The objects of a store that is held in memory whole: rows by entity tree and key, and the
/// members of relationships.
///
///     trees      root number → key → row (sealed)
///     referrers  to-one relationship, key of its destination → keys of the objects that have it
///     links      to-many relationship, owner → members, where no slot holds them: many-to-many, or
///                without a stored inverse; and from each member back to its owners
///     holders    member → the ends without an inverse, which no link of its own leads back to
///     orders     ordered relationship, owner → members in their order
///
/// A value: a fetch works on a copy, as of the moment when it began.
///
/// Sendable: the rows are sealed, everything else is a value.
package struct MemoryContents: @unchecked Sendable {
  /// A relationship of one object.
  struct End: Hashable {
    let relationship: ObjectIdentifier
    let object: PackedIdentity

    init(_ relationship: NSRelationshipDescription, object: NSManagedObjectID) {
      self.relationship = ObjectIdentifier(relationship)
      self.object = object.packed
    }
  }

  private(set) var trees: [Int: [Int64: Row]] = [:]
  private var referrers: [End: Set<NSManagedObjectID>] = [:]
  private var links: [End: Set<NSManagedObjectID>] = [:]
  private var holders: [PackedIdentity: Set<End>] = [:]
  private var orders: [End: [NSManagedObjectID]] = [:]
  private var lastKeys: [Int: Int64] = [:]

  func row(of identity: NSManagedObjectID) -> Row? {
    trees[identity.layout.rootNumber]?[identity.packed.key]
  }

  /// The rows of an entity, with or without those of its subentities, by key.
  func rows(of layout: EntityLayout, includesSubentities: Bool) -> [Row] {
    let numbers = includesSubentities ? layout.entity.numbersOfTree : [layout.number]
    let rows = (trees[layout.rootNumber] ?? [:]).values.filter {
      numbers.contains($0.layout.number)
    }
    return rows.sorted { $0.packed.key < $1.packed.key }
  }

  func members(
    of relationship: NSRelationshipDescription, owner: NSManagedObjectID
  ) -> [NSManagedObjectID] {
    let members = unorderedMembers(of: relationship, owner: owner)
    guard relationship.isOrdered, let order = orders[End(relationship, object: owner)] else {
      return members.sorted { $0.packed.key < $1.packed.key }
    }
    let known = Set(order)
    let others = members.subtracting(known).sorted { $0.packed.key < $1.packed.key }
    return order.filter(members.contains) + others
  }

  private func unorderedMembers(
    of relationship: NSRelationshipDescription, owner: NSManagedObjectID
  ) -> Set<NSManagedObjectID> {
    if relationship.isTransient { return [] }
    if let inverse = relationship.storedInverse, !inverse.isToMany {
      return referrers[End(inverse, object: owner)] ?? []
    }
    return links[End(relationship, object: owner)] ?? []
  }

  mutating func reserveKeys(_ count: Int, root: Int) -> Int64 {
    let first = lastKeys[root, default: 0] + 1
    lastKeys[root] = first + Int64(count) - 1
    return first
  }

  /// The last key that was reserved.
  func lastKey(root: Int) -> Int64 { lastKeys[root, default: 0] }

  mutating func setLastKey(_ key: Int64, root: Int) { lastKeys[root] = key }

  mutating func keepKeys(of other: MemoryContents) {
    lastKeys.merge(other.lastKeys) { max($0, $1) }
  }

  mutating func setOrder(
    _ members: [NSManagedObjectID], of relationship: NSRelationshipDescription,
    owner: NSManagedObjectID
  ) {
    orders[End(relationship, object: owner)] = members
  }

  // MARK: - Saving

  /// The updated, deleted and watched rows whose stored version is not the one that was read.
  func conflicts(_ changes: StoreChanges) -> [SaveConflicts.Conflict] {
    changes.snapshots.compactMap { snapshot in
      let stored = row(of: snapshot.identity)
      guard stored?.version != snapshot.version else { return nil }
      return SaveConflicts.Conflict(
        identity: snapshot.identity, stored: stored, isOfSharedRow: !snapshot.isShared)
    }
  }

  /// Applies changes, which must have no conflicts.
  mutating func apply(_ changes: StoreChanges) {
    for row in changes.inserted { put(row, version: changes.version(ofInserted: row)) }
    for update in changes.updated { put(update.row, version: update.snapshot.version + 1) }
    for change in changes.members { apply(change) }
    for deletion in changes.deleted { remove(deletion.identity) }
  }

  /// Stores a sealed copy of a row: the context seals its own row when the save has succeeded.
  private mutating func put(_ row: Row, version: Int64) {
    let stored = row.copy()
    for slot in row.layout.transientSlots { stored[slot] = .null }
    stored.seal(identity: row.identity, version: version)
    put(stored)
  }

  /// Adds a sealed row; it replaces the object's former row.
  mutating func put(_ stored: Row) {
    stored.space?.admit(stored)
    let identity = stored.identity
    forgetReferences(of: self.row(of: identity))
    trees[identity.layout.rootNumber, default: [:]][identity.packed.key] = stored
    for (relationship, target) in references(of: stored) {
      referrers[End(relationship, object: target), default: []].insert(identity)
    }
  }

  mutating func remove(_ identity: NSManagedObjectID) {
    forgetReferences(of: row(of: identity))
    trees[identity.layout.rootNumber]?[identity.packed.key] = nil
    for relationship in identity.layout.toMany {
      for member in links[End(relationship, object: identity)] ?? [] {
        unlink(relationship, owner: identity, member: member)
      }
      orders[End(relationship, object: identity)] = nil
    }
    for end in holders.removeValue(forKey: identity.packed) ?? [] { links[end]?.remove(identity) }
    for slot in identity.layout.transientSlots {
      guard let relationship = identity.layout.slots[slot].property as? NSRelationshipDescription
      else { continue }
      for owner in links[End(relationship, object: identity)] ?? [] {
        unlink(relationship, owner: identity, member: owner)
      }
    }
  }

  private mutating func forgetReferences(of row: Row?) {
    guard let row else { return }
    for (relationship, target) in references(of: row) {
      referrers[End(relationship, object: target)]?.remove(row.identity)
    }
  }

  private func references(
    of row: Row
  ) -> [(relationship: NSRelationshipDescription, target: NSManagedObjectID)] {
    row.layout.slots.enumerated().compactMap { index, slot in
      guard case .identity(let target) = row[index],
        let relationship = slot.property as? NSRelationshipDescription
      else { return nil }
      return (relationship, target)
    }
  }

  private mutating func apply(_ change: StoreChanges.MemberChange) {
    if change.relationship.storedInverse?.isToMany ?? true {
      for member in change.removed {
        unlink(change.relationship, owner: change.owner, member: member)
      }
      for member in change.added { link(change.relationship, owner: change.owner, member: member) }
    }
    if let order = change.order { orders[End(change.relationship, object: change.owner)] = order }
  }

  /// Links an owner and a member in both directions; a change may come for either side or for both.
  mutating func link(
    _ relationship: NSRelationshipDescription, owner: NSManagedObjectID,
    member: NSManagedObjectID
  ) {
    guard let inverse = relationship.inverseRelationship else {
      let end = End(relationship, object: owner)
      links[end, default: []].insert(member)
      holders[member.packed, default: []].insert(end)
      return
    }
    // The inverse is transient and to-one, its slot not stored: a member keeps only its new owner.
    if !inverse.isToMany {
      for former in links[End(inverse, object: member)] ?? [] {
        unlink(relationship, owner: former, member: member)
      }
    }
    links[End(relationship, object: owner), default: []].insert(member)
    links[End(inverse, object: member), default: []].insert(owner)
  }

  private mutating func unlink(
    _ relationship: NSRelationshipDescription, owner: NSManagedObjectID,
    member: NSManagedObjectID
  ) {
    links[End(relationship, object: owner)]?.remove(member)
    guard let inverse = relationship.inverseRelationship else {
      holders[member.packed]?.remove(End(relationship, object: owner))
      return
    }
    links[End(inverse, object: member)]?.remove(owner)
  }
}

extension NSEntityDescription {
  /// The numbers of the entity and of all its subentities.
  fileprivate var numbersOfTree: Set<Int> {
    subentities.reduce(into: [layout.number]) { $0.formUnion($1.numbersOfTree) }
  }
}
