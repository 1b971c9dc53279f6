/// Recomputes derived attributes. Triggers only follow changes, and the migration may have filled
/// source values with defaults or removed members. Unchanged attributes with the time of the last
/// change keep their values.
struct DerivedValues {
  let migration: SchemaMigration

  func compute() throws {
    for entity in migration.entities where entity.old != nil {
      for (slot, column) in zip(entity.new.layout.slots, entity.new.columns) {
        guard let column, let attribute = slot.property as? NSDerivedAttributeDescription,
          case let derivation = try Derivation(attribute, of: attribute.entity),
          !derivation.isTime || !isSame(attribute, old: entity.oldSlot(slot)?.slot.property)
        else { continue }
        try compute(derivation, column: column, entity: entity)
      }
    }
  }

  private func isSame(
    _ attribute: NSDerivedAttributeDescription, old: NSPropertyDescription?
  ) -> Bool {
    guard let old = old as? NSDerivedAttributeDescription else { return false }
    return old.derivationExpression == attribute.derivationExpression
  }

  private func compute(
    _ derivation: Derivation, column: ColumnMapping, entity: EntityMigration
  ) throws {
    let table = SQLIdentifier.quoted(entity.new.table)
    guard let value = value(derivation, of: "\(table).Z_PK") else { return }
    try migration.connection.execute(
      "UPDATE \(table) SET \(SQLIdentifier.quoted(column.name)) = \(value) "
        + "WHERE Z_ENT = \(entity.new.entityNumber)")
  }

  /// SQL for the derived value of the object with a key; nil if SQL cannot express it.
  private func value(_ derivation: Derivation, of key: String) -> String? {
    switch derivation {
    case .now: return "NSCoreDataNow()"
    case .count(let relationship):
      return members(of: relationship, key).map { "(SELECT COUNT(*) FROM (\($0)))" }
    case .sum(let relationship, let attribute):
      guard let members = members(of: relationship, key),
        let target = column(of: attribute)
      else { return nil }
      // Under an alias: the members may be in the same table as the outer query.
      return
        "(SELECT IFNULL(SUM(a.\(target.column)), 0) FROM \(target.table) a WHERE a.Z_PK IN (\(members)))"
    case .value(let path, let attribute, let function):
      guard let target = column(of: attribute) else { return nil }
      var row = key
      for relationship in path {
        guard let step = column(of: relationship) else { return nil }
        row = "(SELECT s.\(step.column) FROM \(step.table) s WHERE s.Z_PK = \(row))"
      }
      let value = "(SELECT v.\(target.column) FROM \(target.table) v WHERE v.Z_PK = \(row))"
      return function.map { "\(SQLFunction.name(of: $0))(\(value))" } ?? value
    }
  }

  private func members(of relationship: NSRelationshipDescription, _ key: String) -> String? {
    let quoted = SQLIdentifier.quoted
    switch RelationshipStorage(relationship, in: migration.new) {
    case .join(let join):
      return "SELECT \(quoted(join.memberColumn)) FROM \(quoted(join.table)) "
        + "WHERE \(quoted(join.ownerColumn)) = \(key)"
    case .column(let column, let table, ofOwners: false):
      return "SELECT m.Z_PK FROM \(quoted(table)) m WHERE m.\(quoted(column.name)) = \(key)"
    default: return nil
    }
  }

  private func column(of property: NSPropertyDescription) -> (table: String, column: String)? {
    guard let entity = migration.new[property.entity.layout],
      let slot = entity.layout.slot(of: property.name), let column = entity.columns[slot]
    else { return nil }
    return (SQLIdentifier.quoted(entity.table), SQLIdentifier.quoted(column.name))
  }
}

extension Derivation {
  fileprivate var isTime: Bool { if case .now = self { true } else { false } }
}
