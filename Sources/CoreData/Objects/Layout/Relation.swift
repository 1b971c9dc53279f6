/// A relationship with what edits and deletions need to know of it, found once: asking the model means a weak
/// reference, a cast and a look-up by name each time, for each object.
///
/// Made when the layouts of a model are joined (see ``ModelLayouts``); immutable, and shared by every thread, from
/// then on.
package struct Relation {
  // Kept alive by its entity, which its layout keeps.
  private let unmanaged: Unmanaged<NSRelationshipDescription>
  /// Where its own objects have it.
  let place: EntityLayout.Place
  let deleteRule: NSDeleteRule
  let isToMany: Bool
  let isOrdered: Bool
  /// Whether no store has it.
  let isTransient: Bool
  /// Whether one of the two sides is transient. Such a side is empty once its object was a fault, whatever the other
  /// one has; so neither says what the other has.
  let isLoose: Bool
  /// Where the objects at the other end have the inverse; nil when there is none.
  let inverse: EntityLayout.Place?
  /// What objects may be at the other end: those of the destination and its subentities. Lives for ever, as layouts do:
  /// so nothing is to be counted where a relation is handed on.
  private let destinations: UnsafeBufferPointer<ObjectIdentifier>

  var relationship: NSRelationshipDescription { unmanaged.takeUnretainedValue() }

  /// - Parameter layouts: Those of all entities of the model.
  init(
    _ relationship: NSRelationshipDescription, _ place: EntityLayout.Place,
    _ layouts: [ObjectIdentifier: EntityLayout]
  ) {
    unmanaged = .passUnretained(relationship)
    self.place = place
    deleteRule = relationship.deleteRule
    isToMany = relationship.isToMany
    isOrdered = relationship.isOrdered
    isTransient = relationship.isTransient
    isLoose = relationship.isTransient || relationship.inverseRelationship?.isTransient ?? false
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

  /// Whether a deletion takes an object out of this relationship.
  var endsWithDeletion: Bool {
    deleteRule == .nullifyDeleteRule || deleteRule == .cascadeDeleteRule
  }

  func accepts(_ object: NSManagedObject) -> Bool { accepts(object.layout) }

  /// Whether objects of an entity may be at the other end.
  func accepts(_ layout: EntityLayout) -> Bool { destinations.contains(ObjectIdentifier(layout)) }
}

extension EntityLayout {
  /// The relation of a to-one slot; nil for an attribute's.
  func relation(ofSlot slot: Int) -> Relation? { slotRelations[slot] }

  func relation(toMany index: Int) -> Relation { toManyRelations[index] }
}
