import CoreData

// Checks that rows have the values without which a save would refuse their objects.
extension StoreCheck {
  /// - Parameter condition: a further condition on the row, for elements of composite attributes.
  mutating func checkPresence(
    of name: String, _ column: ColumnMapping, entity: EntityMapping,
    where condition: String? = nil
  ) throws {
    // Rows of superentities and of entities beside this one do not have the property.
    let own = entity.sharesTable ? "t.Z_ENT IN (\(Self.list(entity.kindNumbers)))" : nil
    let conditions = [Self.isNil(column), condition, own].compactMap(\.self)
    try noteRows(
      .values, place: "\(entity.table).\(column.name)",
      problem: "no value of “\(name)”, which the model asks for",
      from: entity.table, where: conditions.joined(separator: " AND "))
  }

  /// Checks that a composite attribute with any value has those of its mandatory elements.
  ///
  /// One without any is not checked: so SwiftData keeps a structure whose properties are all nil.
  mutating func checkElements(
    of composite: EntityLayout.Composite, _ entity: EntityMapping
  ) throws {
    let isEmpty = composite.slots.compactMap { entity.columns[$0].map(Self.isNil) }
      .joined(separator: " AND ")
    for (_, place) in composite.elements {
      guard case .slot(let index) = place, let column = entity.columns[index] else { continue }
      let slot = entity.layout.slots[index]
      if slot.isMandatory {
        try checkPresence(of: slot.name, column, entity: entity, where: "NOT (\(isEmpty))")
      }
    }
  }

  private static func isNil(_ column: ColumnMapping) -> String {
    "t.\(StoreInspector.quoted(column.name)) IS NULL"
  }
}
