/// What becomes of the objects of one entity: where they were and where they will be.
struct EntityMigration {
  let new: EntityMapping
  /// Nil for a new entity, and for one that the store did not have.
  let old: EntityMapping?
  /// What the properties of the new entity were, inherited ones included, by their new names.
  let properties: [String: NSPropertyDescription]

  init(_ new: EntityMapping, match: ModelMatch, old mapping: SQLMapping) {
    self.new = new
    let entity = new.layout.entity
    old = match.source(of: entity).flatMap { mapping[$0.layout] }
    properties =
      old == nil
      ? [:]
      : Dictionary(
        match.properties(of: entity).map { ($0.destination.name, $0.source) },
        uniquingKeysWith: { first, _ in first })
  }

  /// Where the value of a slot was; nil for what is new.
  func oldSlot(_ slot: EntityLayout.Slot) -> (slot: EntityLayout.Slot, column: ColumnMapping)? {
    // An element of a composite attribute goes by its own name.
    let key = slot.name.prefix { $0 != "." }
    guard let old, let property = properties[String(key)],
      let index = old.layout.slot(of: property.name + slot.name.dropFirst(key.count)),
      let column = old.columns[index]
    else { return nil }
    return (old.layout.slots[index], column)
  }
}
