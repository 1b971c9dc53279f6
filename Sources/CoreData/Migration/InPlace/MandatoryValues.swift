/// Finds rows that lack what the new model demands: a value that is not optional any more, or is new, and has no
/// default.
struct MandatoryValues {
  let migration: SchemaMigration

  typealias Demand = (slot: EntityLayout.Slot, column: ColumnMapping, entity: EntityMigration)

  func check() throws {
    for demand in demands { try check(demand.slot, demand.column, demand.entity) }
  }

  /// What the new model demands of rows that are there already.
  var demands: [Demand] {
    migration.entities.filter { $0.old != nil && !$0.new.layout.entity.isAbstract }.flatMap {
      entity in
      zip(entity.new.layout.slots, entity.new.columns).compactMap { slot, column in
        guard let column, !slot.property.isOptional, slot.composite == nil,
          !column.isDerived, isNew(slot, entity)
        else { return nil }
        return (slot, column, entity)
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
    throw CoreDataError.make(
      .migration,
      reason:
        "Cannot migrate store in-place: Validation error \(Self.reason(slot, entity)). Give it a default, "
        + "make it optional, or use a mapping model.",
      userInfo: ["entity": entity.new.layout.entity.name ?? "", Self.kind(slot): slot.name])
  }

  private static func kind(_ slot: EntityLayout.Slot) -> String {
    slot.property is NSRelationshipDescription ? "relationship" : "attribute"
  }

  static func reason(_ slot: EntityLayout.Slot, _ entity: EntityMigration) -> String {
    "missing \(kind(slot)) values on mandatory destination \(kind(slot)) “\(slot.name)” of the entity "
      + "“\(entity.new.layout.entity.name ?? "")”"
  }
}
