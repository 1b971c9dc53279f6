/// Finds rows that lack what the new model demands: a value that is not optional any more, or is new, and has no
/// default. What is demanded of an element is demanded where its composite attribute has a value.
package struct MandatoryValues {
  private let migration: any MigrationInSQL

  package init(_ migration: any MigrationInSQL) { self.migration = migration }

  /// That some slot has a value, of those of an attribute or relationship, or of a composite attribute.
  struct Demand {
    /// A key path, of an element.
    let name: String
    let property: NSPropertyDescription
    let slots: [Int]
    /// The slots of the composite attribute that it is an element of: one of them has a value where this is demanded.
    var companions: [Int]?
    let entity: EntityMigration

    /// Whether a row lacks it, in SQL, by the values of slots.
    func isMissing(_ value: (Int) -> SQLFragment) -> SQLFragment {
      let all = slots.map { "(\(value($0))) IS NULL" as SQLFragment }.joined(separator: " AND ")
      guard let companions else { return all }
      let some = companions.map { "(\(value($0))) IS NOT NULL" as SQLFragment }
      return "\(all) AND (\(some.joined(separator: " OR ")))"
    }
  }

  package func check() throws { for demand in demands { try check(demand) } }

  /// What the new model demands of rows that are there already.
  var demands: [Demand] {
    migration.entities.filter { $0.old != nil && !$0.new.layout.entity.isAbstract }.flatMap {
      plainDemands($0) + CompositeDemands(entity: $0).demands
    }
  }

  private func plainDemands(_ entity: EntityMigration) -> [Demand] {
    entity.new.layout.slots.enumerated().compactMap { index, slot in
      guard let column = entity.new.columns[index], !slot.property.isOptional,
        slot.composite == nil, !column.isDerived, isNew(slot, entity)
      else { return nil }
      return Demand(name: slot.name, property: slot.property, slots: [index], entity: entity)
    }
  }

  /// What was mandatory before has been checked when it was saved.
  private func isNew(_ slot: EntityLayout.Slot, _ entity: EntityMigration) -> Bool {
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
