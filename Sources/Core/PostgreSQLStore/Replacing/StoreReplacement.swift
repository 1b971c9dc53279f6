import CoreData

/// Copies a store over another one, on the same server or on another, table by table.
///
///     source         one snapshot: model, entity numbers, COPY … TO STDOUT of every table
///     destination    one transaction: DROP the old tables, CREATE, COPY … FROM STDIN, indexes,
///                    sequences
///
/// Keys, versions, UUID, metadata and history are copied. Any failure leaves the destination
/// unchanged. A program that has the destination open loses its tables: stop it first.
struct StoreReplacement {
  let source: ServerAddress
  let destination: ServerAddress
  let timeout: TimeInterval?
  let sourceTimeout: TimeInterval?

  func run() throws {
    let from = try reporting(source, action: .open) {
      try PostgreSQLConnection(source, limits: TimeLimits(sourceTimeout).ofLongWork)
    }
    let into = try reporting(destination, action: .open) {
      try PostgreSQLConnection(destination, limits: TimeLimits(timeout).ofLongWork)
    }
    try reporting(destination, action: .save) {
      guard try StoreTables.exist(from), try !isSame(from, into) else { return }
      try from.snapshot {
        try into.transaction {
          try into.execute(StoreTables.lock)
          try replace(from, into: into)
        }
      }
    }
  }

  private func reporting<Result>(
    _ address: ServerAddress, action: PostgreSQLError.Action, body: () throws -> Result
  ) throws -> Result {
    do { return try body() } catch let error as PostgreSQLError {
      throw error.cocoaError(address, doing: action)
    }
  }

  /// Returns whether both addresses lead to one store, which would then wait for its own lock.
  private func isSame(_ one: PostgreSQLConnection, _ other: PostgreSQLConnection) throws -> Bool {
    let places = try [one, other].map { connection in
      let server = try connection.query(
        "SELECT concat(pg_postmaster_start_time(), ' ', inet_server_port(), ' ', "
          + "current_database())"
      ).text(0, column: 0)
      return "\(server) \(try StorePlace(connection).schema)"
    }
    return places[0] == places[1]
  }

  private func replace(_ from: PostgreSQLConnection, into: PostgreSQLConnection) throws {
    guard let model = try StoreTables.model(from, at: source.url) else {
      throw CoreDataError.make(
        .persistentStoreOpen,
        reason: "The store at \(source.url.absoluteString) does not keep its model.")
    }
    try StoreTables.makeSchema(into)
    let former = try FormerStore(into)
    if former != nil { try StoreTables.drop(into) }
    let names = try StoreTables.numbers(from)
    let layouts = model.entityLayouts()
    let numbers = Dictionary(
      layouts.compactMap { layout in
        names[layout.entity.name ?? ""].map { (layout.number, $0) }
      }, uniquingKeysWith: { first, _ in first })
    var builder = SchemaBuilder(layouts: layouts, numbers: numbers)
    let schema = try builder.build()
    for statement in StoreTables.statements { try into.execute(statement) }
    for name in [SchemaNames.store, SchemaNames.entities, SchemaNames.objects] {
      try copy(name, from: from, into: into)
    }
    if try StoreTables.haveHistory(from) {
      try copyHistory(from, into: into)
    } else if former?.hasHistory == true {
      try HistoryTables.make(into)
    }
    try former?.supersede(into)
    for table in schema.tables {
      for statement in table.creation { try into.execute(statement) }
      try copy(table.name, from: from, into: into)
      // Building an index at the end is faster than updating it for each row.
      for statement in table.indexes { try into.execute(statement) }
      try setSequence(SchemaNames.quoted(table.sequence), from: from, into: into)
    }
    for join in schema.joinTables {
      for statement in join.creation { try into.execute(statement) }
      try copy(join.name, from: from, into: into)
    }
  }

  private func copyHistory(_ from: PostgreSQLConnection, into: PostgreSQLConnection) throws {
    for statement in HistoryTables.statements { try into.execute(statement) }
    for name in [HistoryTables.transactions, HistoryTables.changes] {
      try copy(name, from: from, into: into)
    }
    try into.query(
      "SELECT setval(pg_get_serial_sequence($1, 'number'), "
        + "(SELECT COALESCE(max(number), 0) + 1 FROM \(HistoryTables.changes)), false)",
      parameters: [.text(HistoryTables.changes)])
  }

  /// Copies the columns by name, because a migrated table has them in another order.
  private func copy(
    _ table: String, from: PostgreSQLConnection, into: PostgreSQLConnection
  ) throws {
    let quoted = SchemaNames.quoted(table)
    let found = try into.query(
      "SELECT attname::text FROM pg_attribute WHERE attrelid = to_regclass($1) AND attnum > 0 "
        + "AND NOT attisdropped ORDER BY attnum", parameters: [.text(quoted)])
    let columns = (0..<found.count).map { found.text($0, column: 0) }
    let names = columns.map(SchemaNames.quoted).joined(separator: ", ")
    let stream = try CopyStream(into, table: table, columns: columns, isReady: true)
    try from.copying("COPY \(quoted) (\(names)) TO STDOUT (FORMAT binary)") {
      try stream.send($0)
    }
    try stream.endSending()
  }

  private func setSequence(
    _ name: String, from: PostgreSQLConnection, into: PostgreSQLConnection
  ) throws {
    let last = try from.query("SELECT last_value, is_called FROM \(name)")
    try into.query(
      "SELECT setval($1::text::regclass, $2, $3)",
      parameters: [
        .text(name), .integer(last.integer(0, column: 0)),
        .boolean(last.integer(0, column: 1) != 0),
      ])
  }
}
