// Triggers keep derived attributes. What is known of Apple's is the number of members of a one-to-many
// relationship:
//
//     Z_DA_<members' table>_<Entity>_<attribute>_PARAMETER_INSERT, …_UPDATE_INCREMENT,
//     …_UPDATE_DECREMENT, …_DELETE      when a member comes, changes its owner, goes
//     Z_DA_<table>_<Entity>_<attribute>_SOURCE_INSERT      when the owner comes after its members
extension SQLSchemaBuilder {
  func triggers(of table: SQLSchema.Table, members: [Entity]) throws -> [String] {
    try members.flatMap { entity in
      try entity.attributes.compactMap { $0 as? NSDerivedAttributeDescription }.flatMap {
        try triggers(of: $0, entity, table: table.name)
      }
    }
  }

  private func triggers(
    of attribute: NSDerivedAttributeDescription, _ entity: Entity, table: String
  ) throws -> [String] {
    guard let key = attribute.countedKey,
      let relationship = entity.description.relationshipsByName[key],
      relationship.isToMany, !relationship.isManyToMany,
      let inverse = relationship.inverseRelationship,
      let foreignKey = columns[ObjectIdentifier(inverse)]?.name,
      let column = columns[ObjectIdentifier(attribute)]?.name,
      let members = number(of: inverse.entity),
      let root = entities.first(where: { $0.number == members })?.rootNumber
    else {
      throw unsupported(
        "The derived attribute “\(attribute.name)” (only relationship.@count is)", of: entity)
    }
    let count = CountTriggers(
      table: table, column: column, members: tableName(rootNumber: root), foreignKey: foreignKey,
      entity: entity.description.name ?? "", attribute: attribute.name)
    return count.statements
  }
}

/// The five triggers of one count.
private struct CountTriggers {
  let table: String
  let column: String
  let members: String
  let foreignKey: String
  let entity: String
  let attribute: String

  var statements: [String] {
    [
      parameter(
        "INSERT", "AFTER INSERT", row: "NEW", set: "IFNULL(\(column), 0) + 1"),
      parameter(
        "UPDATE_INCREMENT", "AFTER UPDATE OF \(foreignKey)", row: "NEW", set: "\(column) + 1"),
      parameter(
        "UPDATE_DECREMENT", "AFTER UPDATE OF \(foreignKey)", row: "OLD", set: "\(column) - 1"),
      parameter("DELETE", "AFTER DELETE", row: "OLD", set: "\(column) - 1"),
      source,
    ]
  }

  private func parameter(
    _ name: String, _ event: String, row: String, set value: String
  ) -> String {
    let owner = "\(row).\(foreignKey)"
    return "CREATE TRIGGER Z_DA_\(members)_\(entity)_\(attribute)_PARAMETER_\(name) "
      + "\(event) ON \(members) FOR EACH ROW WHEN (\(owner) NOT NULL) BEGIN "
      + "UPDATE \(table) SET \(column) = \(value) WHERE Z_PK = \(owner); "
      + "\(notice("NSCoreDataDATriggerUpdatedAffectedObjectValue", owner)) END"
  }

  private var source: String {
    let count =
      "(SELECT IFNULL(COUNT(\(foreignKey)), 0) FROM \(members) WHERE \(foreignKey) = NEW.Z_PK)"
    return "CREATE TRIGGER Z_DA_\(table)_\(entity)_\(attribute)_SOURCE_INSERT "
      + "AFTER INSERT ON \(table) FOR EACH ROW BEGIN "
      + "UPDATE \(table) SET \(column) = \(count) WHERE Z_PK = NEW.Z_PK; "
      + "\(notice("NSCoreDataDATriggerInsertUpdatedAffectedObjectValue", "NEW.Z_PK")) END"
  }

  private func notice(_ function: String, _ key: String) -> String {
    "SELECT \(function)('\(table)', Z_ENT, Z_PK, '\(attribute)', \(column)) "
      + "FROM \(table) WHERE Z_PK = \(key);"
  }
}

extension NSDerivedAttributeDescription {
  /// The relationship whose members are counted, for `children.@count` and `count:(children)`.
  fileprivate var countedKey: String? {
    switch derivationExpression?.content {
    case .keyPath(let path, of: nil) where path.hasSuffix(".@count"):
      return String(path.dropLast(".@count".count))
    case .function("count:", let arguments) where arguments.count == 1:
      guard case .keyPath(let path, of: nil) = arguments[0].content else { return nil }
      return path
    default: return nil
    }
  }
}
