/// The migration of the objects of one entity: its old and its new mapping to a table.
package struct EntityMigration {
  package let new: EntityMapping
  /// Nil for a new entity, and for one that the store did not have.
  package let old: EntityMapping?
  /// The old properties, inherited ones included, by the names of the new ones.
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

  /// The old columns in which rows of the entity may have values, in capitals.
  package var oldColumns: Set<String> {
    let columns = (old?.columns ?? []).compactMap(\.self)
    let names = columns.flatMap { [$0.name, $0.entityColumn, $0.orderColumn] }
    return Set(names.compactMap { $0?.uppercased() })
  }

  /// The old slot and column of a slot; nil for a new property.
  package func oldSlot(_ slot: EntityLayout.Slot) -> (
    slot: EntityLayout.Slot, column: ColumnMapping
  )? {
    guard let old, let path = oldPath(slot.name), let index = old.layout.slot(of: path),
      let column = old.columns[index]
    else { return nil }
    return (old.layout.slots[index], column)
  }

  /// The old key path of a property or of an element of a composite attribute; nil for a new one.
  func oldPath(_ path: String) -> String? {
    let names = path.split(separator: ".")
    guard let name = names.first.map(String.init), let property = properties[name],
      let destination = new.layout.entity.propertiesByName[name]
    else { return nil }
    return ModelMatch.formerPath(of: names.dropFirst(), property, new: destination)
  }
}
