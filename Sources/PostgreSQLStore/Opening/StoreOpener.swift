import CoreData

/// Opens a store, or makes it.
struct StoreOpener {
  let address: ServerAddress
  let pool: ConnectionPool
  let model: NSManagedObjectModel
  let configuration: String
  let layouts: [EntityLayout]
  let options: StoreOptions

  /// The metadata, and whether the server takes no changes.
  func open() throws -> (metadata: [String: Any], isReadOnly: Bool) {
    try pool.with { connection in
      let isStandby = connection.parameter("in_hot_standby") == "on"
      let isReadOnly = isStandby || options.isReadOnly
      if try !StoreTables.exist(connection) {
        if isReadOnly {
          throw CoreDataError.make(
            .persistentStoreOpen,
            reason: "There is no store at \(address.url.absoluteString), and it cannot be made: "
              + (isStandby ? "the server is a standby." : "it is to be opened for reading alone."))
        }
        try create(connection)
      }
      let isUntracked = try !prepareHistory(connection, isReadOnly: isReadOnly)
      return (try StoreTables.metadata(connection), isReadOnly || isUntracked)
    }
  }

  /// False for a store that was followed and is not any more: who follows it would miss what is written.
  private func prepareHistory(
    _ connection: PostgreSQLConnection, isReadOnly: Bool
  ) throws -> Bool {
    if try StoreTables.haveHistory(connection) {
      if !options.tracksHistory { reportUntrackedHistory() }
      return options.tracksHistory
    }
    guard options.tracksHistory, !isReadOnly else { return true }
    try connection.transaction {
      try connection.execute(Self.lock)
      if try StoreTables.haveHistory(connection) { return }
      for statement in HistoryTables.statements { try connection.execute(statement) }
      for name in [HistoryTables.transactions, HistoryTables.changes] {
        try note("TABLE", name, connection)
      }
    }
    return true
  }

  private func reportUntrackedHistory() {
    let text =
      "CoreData: error:  Store opened without NSPersistentHistoryTrackingKey but previously had been opened "
      + "with NSPersistentHistoryTrackingKey - Forcing into Read Only mode store at "
      + "'\(address.url.absoluteString)'\n"
    FileHandle.standardError.write(Data(text.utf8))
  }

  /// One process makes tables; the others wait and find them.
  private static let lock = "SELECT pg_advisory_xact_lock(4846713)"

  private func note(_ kind: String, _ name: String, _ connection: PostgreSQLConnection) throws {
    try connection.query(
      "INSERT INTO \(SchemaNames.objects) (kind, name) VALUES ($1, $2)", [.text(kind), .text(name)])
  }

  private func create(_ connection: PostgreSQLConnection) throws {
    try connection.transaction {
      try connection.execute(Self.lock)
      try makeSchema(connection)
      if try StoreTables.exist(connection) { return }
      let schema = try schema(
        numbers: Dictionary(
          layouts.map { ($0.number, $0.number) }, uniquingKeysWith: { first, _ in first }))
      for statement in StoreTables.statements + schema.statements {
        try connection.execute(statement)
      }
      for layout in layouts {
        try connection.query(
          "INSERT INTO \(SchemaNames.entities) (number, name) VALUES ($1, $2)",
          [.integer(Int64(layout.number)), .text(layout.entity.name ?? "")])
      }
      for object in schema.objects { try note(object.kind, object.name, connection) }
      let isWhole = configuration == NSManagedObjectModel.defaultConfigurationName
      try StoreTables.insert(
        StoreMetadata.new(
          type: NSPersistentStore.StoreType.postgreSQL.rawValue, model: model,
          configuration: isWhole ? nil : configuration), connection)
    }
  }

  /// The first schema of the search path, where the session's is none that exists.
  private func makeSchema(_ connection: PostgreSQLConnection) throws {
    let result = try connection.query(
      "SELECT current_schema() IS NULL, split_part(current_setting('search_path'), ',', 1)")
    guard result.integer(0, 0) != 0 else { return }
    let name = result.text(0, 1).trimmingCharacters(in: .whitespaces)
    try connection.execute("CREATE SCHEMA IF NOT EXISTS \(name)")
  }

  /// What the store has, once its model is known to be this one.
  func contents(_ identities: IdentitySpace) throws -> StoreContents {
    let names = try pool.with { try StoreTables.numbers($0) }
    let numbers = Dictionary(
      layouts.compactMap { layout in
        names[layout.entity.name ?? ""].map { (layout.number, $0) }
      }, uniquingKeysWith: { first, _ in first })
    return StoreContents(address, pool, try schema(numbers: numbers), identities, options)
  }

  private func schema(numbers: [Int: Int]) throws -> StoreSchema {
    var builder = SchemaBuilder(layouts: layouts, numbers: numbers)
    return try builder.build()
  }
}
