// Fetches of dictionaries, and the members of many objects at once.
extension SQLiteStore {
  func table(_ plan: TablePlan) throws -> [[Any?]] {
    var table: [[Any?]] = []
    try step(plan) { columns, statement in
      table.append(columns.map { $0.value(statement) })
      return true
    }
    return table
  }

  /// Steps over the results of a plan until `body` returns false.
  func step(
    _ plan: TablePlan, body: ([TableColumnDecoder], SQLiteStatement) throws -> Bool
  ) throws {
    let contents = try contents
    let entity = try contents.entity(plan.rows.layout)
    let query = try SQLTableQuery(plan, entity: entity, store: queryContext(contents))
    let selection = contents.selection(of: entity, includesSubentities: true)
    let rows = decoder(contents, selection: selection)
    let columns = query.readings.map {
      TableColumnDecoder($0, contents: contents, entity: entity, rows: rows)
    }
    try contents.reporting(.read) {
      try contents.database.read { connection in
        try connection.withStatement(query.sql) { statement in
          statement.bind(query.values)
          while try statement.step(), try body(columns, statement) {}
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
    let sql = try contents.membersQuery(relationship, members: mapping)
    let limits = try contents.ownersQuery(relationship, members: mapping)
    func find(
      _ owners: [PackedIdentity], _ connection: SQLiteConnection
    ) throws -> [Int64: [NSManagedObjectID]] {
      if owners.isEmpty { return [:] }
      return try connection.withStatement(sql) { statement in
        statement.bind(owners.jsonKeys, at: 1)
        return try members(statement, mapping: mapping, contents: contents)
      }
    }
    let found = try contents.reporting(.read) {
      try contents.database.read { connection in
        if owners.count <= Self.few { return try find(owners, connection) }
        return try connection.readTransaction {
          try find(owners.within(limits, connection: connection), connection)
        }
      }
    }
    if found.isEmpty { return Array(repeating: [], count: owners.count) }
    return owners.map { found[$0.key] ?? [] }
  }

  /// The number of owners up to which all are looked up, without narrowing them by `within` first.
  private static let few = 32

  /// The members by their owner's key, which is the third column.
  private func members(
    _ statement: SQLiteStatement, mapping: EntityMapping, contents: StoreContents
  ) throws -> [Int64: [NSManagedObjectID]] {
    var found: [Int64: [NSManagedObjectID]] = [:]
    while try statement.step() {
      let identity = try memberIdentity(statement, members: mapping, contents: contents)
      found[statement.integer(2), default: []].append(identity)
    }
    return found
  }
}

extension [PackedIdentity] {
  /// The keys as a JSON array: one parameter for any number of objects.
  fileprivate var jsonKeys: String { "[\(map { String($0.key) }.joined(separator: ","))]" }

  /// The owners between the lowest and the highest one that has members, as the query `sql` finds
  /// them. Leaves of a tree are mostly made after the objects that contain them, so that their keys
  /// lie above all owners.
  fileprivate func within(_ sql: String, connection: SQLiteConnection) throws -> Self {
    guard let lowest = map(\.key).min(), let highest = map(\.key).max() else { return self }
    return try connection.withStatement(sql) { statement in
      statement.bind(lowest, at: 1)
      statement.bind(highest, at: 2)
      guard try statement.step(), !statement.isNull(0) else { return [] }
      let range = statement.integer(0)...Swift.max(statement.integer(0), statement.integer(1))
      return filter { range.contains($0.key) }
    }
  }
}

extension StoreContents {
  /// A query of `Z_ENT`, `Z_PK` and the owner's key, for owners whose keys are a JSON array.
  func membersQuery(
    _ relationship: NSRelationshipDescription, members: EntityMapping
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

  /// A query of the lowest and the highest owner with members between two keys: two searches of an
  /// index.
  fileprivate func ownersQuery(
    _ relationship: NSRelationshipDescription, members: EntityMapping
  ) throws -> String {
    let quoted = SQLIdentifier.quoted
    let (table, column) =
      if let join = mapping.join(of: relationship) {
        (quoted(join.table), quoted(join.ownerColumn))
      } else {
        (quoted(members.table), quoted(try foreignKey(of: relationship).name))
      }
    let limits = ["MIN", "MAX"].map {
      "(SELECT \($0)(\(column)) FROM \(table) WHERE \(column) BETWEEN ?1 AND ?2)"
    }
    return "SELECT \(limits.joined(separator: ", "))"
  }
}
