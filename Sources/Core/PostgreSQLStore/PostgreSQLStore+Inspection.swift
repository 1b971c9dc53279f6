import CoreData

// Queries of tools.
extension PostgreSQLStore {
  func explanation(of plan: TablePlan) throws -> StatementExplanation {
    let contents = try contents
    let entity = try contents.schema.entity(plan.rows.layout)
    let whole = TableFetch(plan, contents: contents)
    let (sql, values, finishing) =
      try whole.flatMap(Self.whole)
      ?? Self.narrowed(plan, entity: entity, contents: contents, isPlain: whole != nil)
    let steps = try contents.reporting(.read) {
      try contents.reading { connection in
        let result = try connection.query(
          "EXPLAIN \(sql)", parameters: values.map { PostgreSQLParameter($0) })
        return (0..<result.count).map { result.text($0, column: 0) }
      }
    }
    return StatementExplanation(
      sql: sql, values: values, plan: steps, finishing: finishing)
  }

  /// The statement if the server makes the whole table.
  private static func whole(
    _ fetch: TableFetch
  ) -> (sql: String, values: [SQLValue], finishing: String?)? {
    fetch.whole.map { sql, values in
      (sql, values, fetch.isFinished ? nil : "distinct rows, limit and offset")
    }
  }

  /// The statement if memory makes the table from rows.
  private static func narrowed(
    _ plan: TablePlan, entity: EntityMapping, contents: StoreContents, isPlain: Bool
  ) throws -> (sql: String, values: [SQLValue], finishing: String?) {
    var rows = plan.rows
    if plan.isGrouped || plan.isDistinct { (rows.limit, rows.offset) = (0, 0) }
    let fetch = try NarrowedFetch(rows, entity: entity, store: contents.queryContext)
    let isLimited = plan.rows.limit > 0 || plan.rows.offset > 0
    let parts = [
      ("the predicate", !fetch.isFiltered), ("the order", !fetch.isOrdered),
      ("groups", !plan.groups.isEmpty), ("the columns", true), ("distinct rows", plan.isDistinct),
      ("limit and offset", isLimited && (!fetch.isOrdered || plan.isGrouped || plan.isDistinct)),
    ]
    let finishing = parts.filter(\.1).map(\.0).joined(separator: ", ")
    return (
      contents.selection(of: entity).sql + fetch.tail, fetch.values,
      finishing + (isPlain ? " (where texts have more than ASCII)" : "")
    )
  }

  func rowVersions(of layout: EntityLayout) throws -> [RowVersion] {
    let contents = try contents
    let entity = try contents.schema.entity(layout)
    let quoted = SchemaNames.quoted
    let columns = [SchemaNames.key, SchemaNames.version, SchemaNames.entity].map(quoted)
    let kinds = entity.kindCondition(includesSubentities: true, dialect: .postgreSQL)
    let sql =
      "SELECT \(columns.joined(separator: ", ")) FROM \(quoted(entity.table)) t0"
      + (kinds.map { " WHERE \($0)" } ?? "")
    let decoder = contents.decoder(contents.selection(of: entity))
    return try contents.reporting(.read) {
      // Starts again from the first row if the connection is lost.
      try contents.reading { connection in
        var found: [RowVersion] = []
        try contents.results(of: sql, [], limit: 0, connection: connection) { result in
          for line in 0..<result.count {
            guard let kind = decoder.layout(number: result.integer(line, column: 2)),
              let identity = decoder.packed(result.integer(line, column: 0), layout: kind)
            else { continue }
            found.append(RowVersion(identity: identity, version: result.integer(line, column: 1)))
          }
        }
        return found
      }
    }
  }

  func stateText() throws -> String {
    let contents = try contents
    return try contents.reporting(.read) {
      try contents.reading { connection in
        // Every transaction updates its row in this table.
        try connection.query(
          "SELECT concat(count(*), ' ', sum(save), ' ', max(time)) FROM \(TransactionMark.table)"
        ).text(0, column: 0)
      }
    }
  }

  func tables() throws -> ServerTables {
    let contents = try contents
    return try contents.reporting(.read) {
      try contents.reading { connection in
        try connection.snapshot {
          var report = ServerTables(
            server: "PostgreSQL \(connection.parameter("server_version") ?? "")",
            mapping: contents.schema.mapping)
          report.tables = try contents.schema.tables.map {
            try Self.table($0.name, connection: connection)
          }
          for join in contents.schema.joinTables {
            let name = SchemaNames.quoted(join.name)
            let count = try connection.query("SELECT count(*) FROM \(name)").integer(0, column: 0)
            report.joinTables[join.name] = Int(count)
          }
          report.history = try Self.history(connection)
          return report
        }
      }
    }
  }

  private static func table(
    _ name: String, connection: PostgreSQLConnection
  ) throws -> ServerTables.Table {
    let size = try connection.query(
      "SELECT pg_total_relation_size(to_regclass($1))",
      parameters: [.text(SchemaNames.quoted(name))])
    let indexes = try connection.query(
      "SELECT indexname::text FROM pg_indexes WHERE schemaname = current_schema() "
        + "AND tablename = $1 ORDER BY 1", parameters: [.text(name)])
    return ServerTables.Table(
      name: name, bytes: Int(size.integer(0, column: 0)),
      indexes: (0..<indexes.count).map { indexes.text($0, column: 0) })
  }

  private static func history(_ connection: PostgreSQLConnection) throws -> ServerTables.History? {
    guard try StoreTables.haveHistory(connection) else { return nil }
    let transactions = try connection.query(
      "SELECT count(*), min(time), max(time) FROM \(HistoryTables.transactions)")
    let changes = try connection.query("SELECT count(*) FROM \(HistoryTables.changes)")
    let authors = try connection.query(
      "SELECT DISTINCT author FROM \(HistoryTables.transactions) WHERE author IS NOT NULL ORDER BY 1"
    )
    func date(_ column: Int) -> Date? {
      if transactions.isNull(0, column: column) { return nil }
      return Date(
        timeIntervalSinceReferenceDate: Timestamps.seconds(transactions.integer(0, column: column)))
    }
    return ServerTables.History(
      transactions: Int(transactions.integer(0, column: 0)),
      changes: Int(changes.integer(0, column: 0)),
      first: date(1), last: date(2),
      authors: (0..<authors.count).map { authors.text($0, column: 0) })
  }
}
