import CoreData

// Checks of rows: their entity, and the values of their columns.
extension StoreCheck {
  private static let kinds = [
    "INTEGER": "'integer'", "FLOAT": "'real', 'integer'", "TIMESTAMP": "'real', 'integer'",
    "DECIMAL": "'real', 'integer'", "VARCHAR": "'text'", "BLOB": "'blob'",
  ]

  mutating func checkRows(of table: String, _ entities: [EntityMapping]) throws {
    let concrete = entities.filter { !$0.layout.entity.isAbstract }.map(\.entityNumber)
    try noteRows(
      .entities, place: table,
      problem: "rows of an entity that is abstract or has no objects in this table",
      from: table,
      where: "t.Z_ENT IS NULL OR t.Z_ENT NOT IN (\(Self.list(concrete)))")
    let name = StoreInspector.quoted(table)
    try noteRows(
      .versions, place: table, problem: "rows without a version (Z_OPT is nil or below 1)",
      from: table,
      where: "t.Z_OPT IS NULL OR t.Z_OPT < 1", repair: "sets it to 1",
      statements: ["UPDATE \(name) SET Z_OPT = 1 WHERE Z_OPT IS NULL OR Z_OPT < 1"])
    try noteRows(.keys, place: table, problem: "keys below 1", from: table, where: "t.Z_PK < 1")
    for row in try inspector.rows(
      "SELECT name, upper(type) FROM pragma_table_info(?)", values: [.text(table)])
    {
      guard let column = row[0] as? String, let type = row[1] as? String,
        let kinds = Self.kinds[type]
      else { continue }
      let quoted = "t.\(StoreInspector.quoted(column))"
      // NaN, as a decimal number, is stored as this text.
      let notANumber = type == "DECIMAL" ? " AND \(quoted) <> 'NaN'" : ""
      try noteRows(
        .types, place: "\(table).\(column)", problem: "values that are no \(type)", from: table,
        where: "typeof(\(quoted)) NOT IN (\(kinds), 'null')\(notANumber)")
    }
  }

  mutating func checkProperties(of entity: EntityMapping) throws {
    let layout = entity.layout
    let inherited = layout.entity.superentity?.layout.slots.count ?? 0
    for (slot, column) in zip(layout.slots, entity.columns).dropFirst(inherited) {
      guard let column else { continue }
      if entity.sharesTable { try checkOwner(of: column, entity, name: slot.name) }
      if slot.composite == nil, slot.isMandatory {
        try checkPresence(of: slot.name, column, entity: entity)
      }
      switch slot.property {
      case let relationship as NSRelationshipDescription:
        try checkReference(relationship, column: column, entity: entity)
      case let attribute as NSAttributeDescription:
        try checkValues(attribute, column: column, entity: entity)
      default: break
      }
    }
    for composite in layout.composites where composite.slots.lowerBound >= inherited {
      try checkElements(of: composite, entity)
    }
    for relationship in layout.toMany {
      if let column = mapping.foreignKeys[ObjectIdentifier(relationship)],
        let members = relationship.destinationEntity.flatMap({ mapping[$0.layout] })
      {
        try checkTarget(column, in: members.table, target: entity)
      }
    }
  }

  private mutating func checkOwner(
    of column: ColumnMapping, _ entity: EntityMapping, name: String
  ) throws {
    try noteRows(
      .values, place: "\(entity.table).\(column.name)",
      problem:
        "rows of other entities have a value of “\(name)” of \(entity.layout.entity.name ?? "")",
      from: entity.table,
      where:
        "t.\(StoreInspector.quoted(column.name)) IS NOT NULL AND t.Z_ENT NOT IN (\(Self.list(entity.kindNumbers)))"
    )
  }

  private mutating func checkValues(
    _ attribute: NSAttributeDescription, column: ColumnMapping, entity: EntityMapping
  ) throws {
    let name = "t.\(StoreInspector.quoted(column.name))"
    let (problem, condition): (String, String)
    switch attribute.attributeType {
    case .booleanAttributeType:
      (problem, condition) = ("values that are no Boolean", "\(name) NOT IN (0, 1)")
    case .integer16AttributeType:
      (problem, condition) = ("values beyond 16 bits", "\(name) NOT BETWEEN -32768 AND 32767")
    case .integer32AttributeType:
      (problem, condition) = (
        "values beyond 32 bits", "\(name) NOT BETWEEN -2147483648 AND 2147483647"
      )
    case .UUIDAttributeType:
      (problem, condition) = ("values that are no UUID of 16 bytes", "length(\(name)) <> 16")
    default: return
    }
    try noteRows(
      .values, place: "\(entity.table).\(column.name)", problem: problem, from: entity.table,
      where: condition)
  }

  // MARK: - References

  private mutating func checkReference(
    _ relationship: NSRelationshipDescription, column: ColumnMapping, entity: EntityMapping
  ) throws {
    guard let target = relationship.destinationEntity.flatMap({ mapping[$0.layout] }) else {
      return
    }
    try checkTarget(column, in: entity.table, target: target)
    let name = StoreInspector.quoted(column.name)
    if let kind = column.entityColumn {
      let (kind, targets) = (StoreInspector.quoted(kind), StoreInspector.quoted(target.table))
      try noteRows(
        .kinds, place: "\(entity.table).\(column.entityColumn ?? "")",
        problem: "not the entity that the object is of",
        from: entity.table,
        where:
          "t.\(name) IS NOT NULL AND EXISTS (SELECT 1 FROM \(targets) o WHERE o.Z_PK = t.\(name) "
          + "AND o.Z_ENT IS NOT t.\(kind))",
        repair: "sets it",
        statements: [
          "UPDATE \(StoreInspector.quoted(entity.table)) SET \(kind) = (SELECT o.Z_ENT FROM \(targets) o WHERE o.Z_PK = "
            + "\(StoreInspector.quoted(entity.table)).\(name)) WHERE \(name) IS NOT NULL"
        ])
    }
    if let order = column.orderColumn {
      try checkOrder(order, of: column.name, in: entity.table)
    }
    guard let inverse = relationship.inverseRelationship, !inverse.isToMany,
      let slot = target.layout.slot(of: inverse.name), let back = target.columns[slot]
    else { return }
    try noteRows(
      .inverses, place: "\(entity.table).\(column.name)",
      problem:
        "the object that “\(relationship.name)” leads to does not lead back by “\(inverse.name)”",
      from: entity.table,
      where:
        "EXISTS (SELECT 1 FROM \(StoreInspector.quoted(target.table)) o WHERE o.Z_PK = t.\(name) AND "
        + "o.\(StoreInspector.quoted(back.name)) IS NOT t.Z_PK)")
  }

  private mutating func checkTarget(
    _ column: ColumnMapping, in table: String, target: EntityMapping
  ) throws {
    let name = StoreInspector.quoted(column.name)
    // Qualified by the outer row: the target's table may have a column of this name too.
    func missing(_ row: String) -> String {
      "\(row).\(name) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM \(StoreInspector.quoted(target.table)) o "
        + "WHERE o.Z_PK = \(row).\(name) AND o.Z_ENT IN (\(Self.list(target.kindNumbers))))"
    }
    let columns = [column.name, column.entityColumn, column.orderColumn].compactMap { $0 }
    let emptied = columns.map { "\(StoreInspector.quoted($0)) = NULL" }.joined(separator: ", ")
    let quoted = StoreInspector.quoted(table)
    try noteRows(
      .references, place: "\(table).\(column.name)",
      problem: "leads to no object of \(target.layout.entity.name ?? "")", from: table,
      where: missing("t"),
      repair: "sets it to nil",
      statements: ["UPDATE \(quoted) SET \(emptied) WHERE \(missing(quoted))"])
  }

  /// Checks that every member has a position, and that no two members share one.
  mutating func checkOrder(
    _ order: String, of owner: String, in table: String, key: String = "t.Z_PK"
  ) throws {
    let (name, owner) = (StoreInspector.quoted(order), StoreInspector.quoted(owner))
    let columns = try inspector.rows(
      "SELECT upper(name) FROM pragma_table_info(?)", values: [.text(table)]
    )
    .compactMap { $0[0] as? String }
    guard columns.contains(order.uppercased()) else {
      return note(
        .order, place: table,
        problem: "the column \(order) is missing, which keeps the order of members")
    }
    let renumber =
      "UPDATE \(StoreInspector.quoted(table)) SET \(name) = (SELECT n FROM (SELECT rowid r, 1024 * row_number() OVER "
      + "(PARTITION BY \(owner) ORDER BY \(name) IS NULL, \(name), rowid) n FROM \(StoreInspector.quoted(table)) WHERE "
      + "\(owner) IS NOT NULL) x WHERE x.r = \(StoreInspector.quoted(table)).rowid) WHERE \(owner) IS NOT NULL"
    try noteRows(
      .order, place: "\(table).\(order)", problem: "members without a place", from: table,
      where: "t.\(owner) IS NOT NULL AND t.\(name) IS NULL", key: key, repair: "numbers them anew",
      statements: [renumber])
    try noteRows(
      .order, place: "\(table).\(order)", problem: "members with the place of another one",
      from: table,
      where:
        "t.rowid IN (SELECT MAX(rowid) FROM \(StoreInspector.quoted(table)) WHERE \(owner) IS NOT NULL "
        + "AND \(name) IS NOT NULL GROUP BY \(owner), \(name) HAVING COUNT(*) > 1)", key: key,
      repair: "numbers them anew", statements: [renumber])
  }
}
