// Dictionaries, and the members of many objects at once.
extension SQLiteStore {
  func table(_ plan: TablePlan) throws -> [[Any?]] {
    let contents = try contents
    let entity = try contents.entity(plan.rows.layout)
    let query = try SQLTableQuery(plan, entity: entity, store: queryContext(contents))
    let selection = contents.selection(of: entity, includesSubentities: true)
    let rows = decoder(contents, selection)
    let columns = query.readings.map { TableColumnDecoder($0, contents, entity, rows) }
    return try contents.reporting(.read) {
      try contents.database.read { connection in
        try connection.withStatement(query.sql) { statement in
          statement.bind(query.values)
          var table: [[Any?]] = []
          while try statement.step() { table.append(columns.map { $0.value(statement) }) }
          return table
        }
      }
    }
  }

  func members(
    of relationship: NSRelationshipDescription, owners: [PackedIdentity]
  ) throws -> [[NSManagedObjectID]] {
    let contents = try contents
    guard let destination = relationship.destinationEntity?.layout, !owners.isEmpty else {
      return owners.map { _ in [] }
    }
    let mapping = try contents.entity(destination)
    let sql = try contents.membersQuery(relationship, mapping)
    let found = try contents.reporting(.read) {
      try contents.database.read { connection in
        try connection.withStatement(sql) { statement in
          statement.bind(owners.jsonKeys, at: 1)
          return try members(statement, mapping, contents)
        }
      }
    }
    return owners.map { found[$0.key] ?? [] }
  }

  /// By the owner's key, which the third column has.
  private func members(
    _ statement: SQLiteStatement, _ mapping: EntityMapping, _ contents: StoreContents
  ) throws -> [Int64: [NSManagedObjectID]] {
    var found: [Int64: [NSManagedObjectID]] = [:]
    while try statement.step() {
      let identity = try memberIdentity(statement, mapping, contents)
      found[statement.integer(2), default: []].append(identity)
    }
    return found
  }
}

extension Sequence where Element == PackedIdentity {
  /// The keys as a JSON array: one parameter for any number of objects.
  fileprivate var jsonKeys: String { "[\(map { String($0.key) }.joined(separator: ","))]" }
}

extension StoreContents {
  /// `Z_ENT`, `Z_PK` and the key of the owner, for owners whose keys are a JSON array.
  func membersQuery(
    _ relationship: NSRelationshipDescription, _ members: EntityMapping
  ) throws -> String {
    let quoted = SQLIdentifier.quoted
    let table = quoted(members.table)
    let owners = "IN (SELECT value FROM json_each(?))"
    if let join = mapping.join(of: relationship) {
      let order = (join.orderColumn.map { ["t1.\(quoted($0))"] } ?? []) + ["t0.Z_PK"]
      let owner = "t1.\(quoted(join.ownerColumn))"
      return "SELECT t0.Z_ENT, t0.Z_PK, \(owner) FROM \(quoted(join.table)) t1 JOIN \(table) t0 "
        + "ON t0.Z_PK = t1.\(quoted(join.memberColumn)) WHERE \(owner) \(owners) "
        + "ORDER BY \(order.joined(separator: ", "))"
    }
    let column = try foreignKey(of: relationship)
    let order = (column.orderColumn.map { [quoted($0)] } ?? []) + ["Z_PK"]
    return "SELECT Z_ENT, Z_PK, \(quoted(column.name)) FROM \(table) "
      + "WHERE \(quoted(column.name)) \(owners) ORDER BY \(order.joined(separator: ", "))"
  }
}

/// Reads one column of a table of results, boxed as key-value coding does.
private struct TableColumnDecoder {
  private enum Kind {
    case slot(SlotDecoder, NSAttributeType)
    case identity(EntityMapping, column: Int32)
    case value(NSAttributeType, SQLOperand.Kind, column: Int32)
  }

  private let kind: Kind
  private let rows: RowDecoder

  init(
    _ reading: SQLTableQuery.Reading, _ contents: StoreContents, _ entity: EntityMapping,
    _ rows: RowDecoder
  ) {
    self.rows = rows
    kind =
      switch reading {
      case .slot(let step, let mapping, let column, let entityColumn):
        .slot(
          SlotDecoder(
            mapping, column: column, entityColumn: entityColumn,
            codec: contents.codec(of: step.layout.slots[step.slot])), step.type)
      case .identity(let column): .identity(entity, column: column)
      case .value(let type, let kind, let column): .value(type, kind, column: column)
      }
  }

  func value(_ statement: SQLiteStatement) -> Any? {
    switch kind {
    case .slot(let decoder, let type): return decoder.value(statement, rows).boxed(type)
    case .identity(let entity, let column):
      let number = rows.entityNumber(statement.integer(column), else: entity.layout.number)
      return rows.target(statement.integer(column + 1), entityNumber: number)
        .map { rows.identities.identity($0) }
    case .value(let type, let kind, let column):
      if statement.isNull(column) { return nil }
      return type == .undefinedAttributeType
        ? natural(statement, kind, column) : typed(statement, type, column)
    }
  }

  private func typed(
    _ statement: SQLiteStatement, _ type: NSAttributeType, _ column: Int32
  ) -> Any? {
    switch type {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
      .booleanAttributeType:
      Value.integer(statement.integer(column)).boxed(type)
    case .doubleAttributeType, .floatAttributeType, .dateAttributeType:
      Value.real(statement.real(column)).boxed(type)
    case .decimalAttributeType:
      NSDecimalNumber(string: statement.text(column))
    case .binaryDataAttributeType: statement.data(column)
    default: statement.text(column)
    }
  }

  private func uuid(_ data: Data) -> UUID {
    var uuid = UUID().uuid
    withUnsafeMutableBytes(of: &uuid) { $0.copyBytes(from: data.prefix(16)) }
    return UUID(uuid: uuid)
  }

  private func natural(
    _ statement: SQLiteStatement, _ kind: SQLOperand.Kind, _ column: Int32
  ) -> Any? {
    switch kind {
    case .date: Date(timeIntervalSinceReferenceDate: statement.real(column))
    case .number where statement.isInteger(column): NSNumber(value: statement.integer(column))
    case .number: NSNumber(value: statement.real(column))
    case .decimal: NSDecimalNumber(string: statement.text(column))
    case .data: statement.data(column)
    case .uuid: statement.data(column).map(uuid)
    default: statement.text(column)
    }
  }
}
