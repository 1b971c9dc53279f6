/// A relationship with the properties that edits and deletions need, looked up once: querying the
/// model takes a weak reference, a cast and a look-up by name each time.
///
/// Made when the layouts of a model are joined (see ``ModelLayouts``). Immutable; shared by all
/// threads.
package struct Relation {
  // Unretained: kept alive by its entity, which its layout keeps alive.
  private let unmanaged: Unmanaged<NSRelationshipDescription>
  /// The place of the relationship in its own objects.
  let place: EntityLayout.Place
  let deleteRule: NSDeleteRule
  let isToMany: Bool
  let isOrdered: Bool
  /// Whether no store keeps the relationship.
  let isTransient: Bool
  /// Whether one of the two sides is transient. A transient side is empty after its object was a
  /// fault, whatever the other side contains: neither side implies the other.
  let isLoose: Bool
  /// Whether the deletion of an object at the other end changes nothing of this one: there is no
  /// inverse, or its delete rule is to take no action.
  let ignoresDeletions: Bool
  /// The place of the inverse in the objects at the other end; nil without an inverse.
  let inverse: EntityLayout.Place?
  /// The layouts allowed at the other end: those of the destination and its subentities. Never
  /// freed, like layouts, so that copying a relation counts no references.
  private let destinations: UnsafeBufferPointer<ObjectIdentifier>

  var relationship: NSRelationshipDescription { unmanaged.takeUnretainedValue() }

  /// - Parameter layouts: the layouts of all entities of the model.
  init(
    _ relationship: NSRelationshipDescription, place: EntityLayout.Place,
    layouts: [ObjectIdentifier: EntityLayout]
  ) {
    unmanaged = .passUnretained(relationship)
    self.place = place
    deleteRule = relationship.deleteRule
    isToMany = relationship.isToMany
    isOrdered = relationship.isOrdered
    isTransient = relationship.isTransient
    isLoose = relationship.isTransient || relationship.inverseRelationship?.isTransient ?? false
    let back = relationship.inverseRelationship?.deleteRule ?? .noActionDeleteRule
    ignoresDeletions = back == .noActionDeleteRule
    let destination = relationship.destinationEntity
    inverse = relationship.inverseRelationship.flatMap { inverse in
      destination.flatMap { layouts[ObjectIdentifier($0)] }?.place(of: inverse.name)
    }
    let accepted = layouts.values.filter { layout in
      destination.map { layout.entity.isKindOf(entity: $0) } ?? true
    }.map { ObjectIdentifier($0) }
    let memory = UnsafeMutableBufferPointer<ObjectIdentifier>.allocate(capacity: accepted.count)
    _ = memory.initialize(from: accepted)
    destinations = UnsafeBufferPointer(memory)
  }

  /// Whether a deletion removes an object from this relationship.
  var endsWithDeletion: Bool {
    deleteRule == .nullifyDeleteRule || deleteRule == .cascadeDeleteRule
  }

  /// Whether objects of an entity are allowed at the other end.
  func accepts(_ layout: EntityLayout) -> Bool { destinations.contains(ObjectIdentifier(layout)) }
}

extension EntityLayout {
  /// The relation of a to-one slot; nil for an attribute's slot.
  func relation(ofSlot slot: Int) -> Relation? { slotRelations[slot] }

  func relation(toMany index: Int) -> Relation { toManyRelations[index] }
}
