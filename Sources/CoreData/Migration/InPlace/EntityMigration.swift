/// What becomes of the objects of one entity: where they were and where they will be.
package struct EntityMigration {
  package let new: EntityMapping
  /// Nil for a new entity, and for one that the store did not have.
  package let old: EntityMapping?
  /// What the properties of the new entity were, inherited ones included, by their new names.
  package let properties: [String: NSPropertyDescription]

  package init(_ new: EntityMapping, match: ModelMatch, old mapping: SQLMapping) {
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

  /// The columns that its rows may have values in, in capitals.
  package var oldColumns: Set<String> {
    let columns = (old?.columns ?? []).compactMap(\.self)
    let names = columns.flatMap { [$0.name, $0.entityColumn, $0.orderColumn] }
    return Set(names.compactMap { $0?.uppercased() })
  }

  /// Where the value of a slot was; nil for what is new.
  package func oldSlot(_ slot: EntityLayout.Slot) -> (
    slot: EntityLayout.Slot, column: ColumnMapping
  )? {
    guard let old, let path = oldPath(slot.name), let index = old.layout.slot(of: path),
      let column = old.columns[index]
    else { return nil }
    return (old.layout.slots[index], column)
  }

  /// The key path of what a property, or an element of a composite attribute, was; nil for what is new.
  func oldPath(_ path: String) -> String? {
    let names = path.split(separator: ".")
    guard let name = names.first.map(String.init), let property = properties[name],
      let destination = new.layout.entity.propertiesByName[name]
    else { return nil }
    return ModelMatch.formerPath(of: names.dropFirst(), property, destination)
  }
}
