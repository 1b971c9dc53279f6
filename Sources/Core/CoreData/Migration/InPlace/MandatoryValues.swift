/// Finds rows without a value that the new model requires: one that has become mandatory or is new,
/// without a default. A value of an element is required only if its composite attribute has a
/// value.
package struct MandatoryValues {
  private let migration: any MigrationInSQL

  package init(_ migration: any MigrationInSQL) { self.migration = migration }

  /// A requirement: one of the slots of an attribute, relationship or composite attribute has a
  /// value.
  struct Demand {
    /// The name of the property; for an element, its key path.
    let name: String
    let property: NSPropertyDescription
    let slots: [Int]
    /// For an element, the slots of its composite attribute: the value is required if one of them
    /// has a value. Nil for other properties.
    var companions: [Int]?
    let entity: EntityMigration

    /// The SQL condition for rows that violate the requirement, given SQL for the values of slots.
    func isMissing(_ value: (Int) -> SQLFragment) -> SQLFragment {
      let all = slots.map { "(\(value($0))) IS NULL" as SQLFragment }.joined(separator: " AND ")
      guard let companions else { return all }
      let some = companions.map { "(\(value($0))) IS NOT NULL" as SQLFragment }
      return "\(all) AND (\(some.joined(separator: " OR ")))"
    }
  }

  package func check() throws { for demand in demands { try check(demand) } }

  /// The new requirements for existing rows.
  var demands: [Demand] {
    migration.entities.filter { $0.old != nil && !$0.new.layout.entity.isAbstract }.flatMap {
      plainDemands($0) + CompositeDemands(entity: $0).demands
    }
  }

  private func plainDemands(_ entity: EntityMigration) -> [Demand] {
    entity.new.layout.slots.enumerated().compactMap { index, slot in
      guard let column = entity.new.columns[index], !slot.property.isOptional,
        slot.composite == nil, !column.isDerived, isNew(slot, entity: entity)
      else { return nil }
      return Demand(name: slot.name, property: slot.property, slots: [index], entity: entity)
    }
  }

  /// Returns whether the requirement is new. An old one was checked when the object was saved.
  private func isNew(_ slot: EntityLayout.Slot, entity: EntityMigration) -> Bool {
    if slot.property is NSRelationshipDescription { return true }
    guard let old = entity.oldSlot(slot) else { return slot.defaultValue.isNull }
    return old.slot.property.isOptional && slot.defaultValue.isNull
  }

  private func check(_ demand: Demand) throws {
    let entity = demand.entity.new
    let quoted = migration.dialect.quoted
    let isMissing = demand.isMissing {
      SQLFragment(text: entity.columns[$0].map { quoted($0.name) } ?? "NULL")
    }
    let isFound = try migration.finds(
      """
      SELECT 1 FROM \(raw: quoted(entity.table)) WHERE \(raw: migration.entityColumn) = \
      \(raw: "\(entity.entityNumber)") AND \(isMissing) LIMIT 1
      """)
    guard isFound else { return }
    throw CoreDataError.make(
      .migration,
      reason:
        "Cannot migrate store in-place: Validation error \(demand.reason). Give it a default, "
        + "make it optional, or use a mapping model.",
      userInfo: ["entity": entity.layout.entity.name ?? "", demand.kind: demand.name])
  }
}

extension MandatoryValues.Demand {
  fileprivate var kind: String {
    property is NSRelationshipDescription ? "relationship" : "attribute"
  }

  var reason: String {
    "missing \(kind) values on mandatory destination \(kind) “\(name)” of the entity "
      + "“\(entity.new.layout.entity.name ?? "")”"
  }
}
