/// Finds rows that lack what the new model demands: a value that is not optional any more, or is new, and has no
/// default.
struct MandatoryValues {
  let migration: SchemaMigration

  func check() throws {
    for entity in migration.entities where entity.old != nil && !entity.new.layout.entity.isAbstract
    {
      for (slot, column) in zip(entity.new.layout.slots, entity.new.columns) {
        guard let column, !slot.property.isOptional, slot.composite == nil,
          !column.isDerived, isNew(slot, entity)
        else { continue }
        try check(slot, column, entity)
      }
    }
  }

  /// What was mandatory before has been checked when it was saved.
  private func isNew(_ slot: EntityLayout.Slot, _ entity: EntityMigration) -> Bool {
    if slot.property is NSRelationshipDescription { return true }
    guard let old = entity.oldSlot(slot) else { return slot.defaultValue.isNull }
    return old.slot.property.isOptional && slot.defaultValue.isNull
  }

  private func check(
    _ slot: EntityLayout.Slot, _ column: ColumnMapping, _ entity: EntityMigration
  ) throws {
    let found = try migration.connection.integer(
      "SELECT EXISTS (SELECT 1 FROM \(SQLIdentifier.quoted(entity.new.table)) WHERE Z_ENT = "
        + "\(entity.new.entityNumber) AND \(SQLIdentifier.quoted(column.name)) IS NULL)")
    guard found == 1 else { return }
    let kind = slot.property is NSRelationshipDescription ? "relationship" : "attribute"
    let name = entity.new.layout.entity.name ?? ""
    throw CoreDataError.make(
      .migration,
      reason: "Cannot migrate store in-place: Validation error missing \(kind) values on mandatory "
        + "destination \(kind) “\(slot.name)” of the entity “\(name)”. Give it a default, make it optional, or "
        + "use a mapping model.",
      userInfo: ["entity": name, kind: slot.name])
  }
}
