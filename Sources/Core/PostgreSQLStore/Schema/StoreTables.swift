import CoreData

/// Bookkeeping tables.
///
///     _coredata_store      one row: format, UUID, metadata (a binary property list), number of the
///                          last transaction of the history, model (a keyed archive, deflated)
///     _coredata_entities   the numbers of the entities, as in the column `_entity`
///     _coredata_savers     see TransactionMark
///     _coredata_objects    the tables and sequences of the store, which are dropped with it
enum StoreTables {
  static let format: Int64 = 1

  /// The maximum size in bytes of metadata and of the model.
  private static let limit = 16 << 20

  static let statements = [
    "CREATE TABLE \(SchemaNames.store) (format integer NOT NULL, uuid text NOT NULL, "
      + "metadata bytea NOT NULL, last_transaction bigint NOT NULL DEFAULT 0, model bytea)",
    "CREATE TABLE \(SchemaNames.entities) (number integer PRIMARY KEY, name text NOT NULL)",
    "CREATE TABLE \(SchemaNames.objects) (kind text NOT NULL, name text NOT NULL)",
    TransactionMark.creation,
  ]

  /// Lock under which one process creates or changes tables. The others wait and then find the
  /// result.
  static let lock = "SELECT pg_advisory_xact_lock(4846713)"

  static func exist(_ connection: PostgreSQLConnection) throws -> Bool {
    try StorePlace(connection).has(SchemaNames.store, connection: connection)
  }

  static func makeSchema(_ connection: PostgreSQLConnection) throws {
    try StorePlace(connection).make(connection)
  }

  /// Drops everything that belongs to the store. Call it in a transaction.
  static func drop(_ connection: PostgreSQLConnection) throws {
    let result = try connection.query("SELECT kind, name FROM \(SchemaNames.objects)")
    for line in 0..<result.count {
      let kind = result.text(line, column: 0) == "SEQUENCE" ? "SEQUENCE" : "TABLE"
      let name = SchemaNames.quoted(result.text(line, column: 1))
      try connection.execute("DROP \(kind) IF EXISTS \(name) CASCADE")
    }
    for table in [
      TransactionMark.table, SchemaNames.objects, SchemaNames.entities, SchemaNames.store,
    ] {
      try connection.execute("DROP TABLE \(table)")
    }
  }

  /// Returns whether the store records its history.
  static func haveHistory(_ connection: PostgreSQLConnection) throws -> Bool {
    try StorePlace(connection).has(HistoryTables.transactions, connection: connection)
  }

  static func metadata(_ connection: PostgreSQLConnection) throws -> [String: Any] {
    let result = try connection.query("SELECT format, uuid, metadata FROM \(SchemaNames.store)")
    guard result.count == 1 else { throw damaged("it has \(result.count) rows") }
    guard result.integer(0, column: 0) == format else {
      throw damaged("it is of the format \(result.integer(0, column: 0)), of a later version")
    }
    let data = result.data(0, column: 2)
    guard data.count <= limit,
      var metadata = try? PropertyListSerialization.propertyList(from: data, format: nil)
        as? [String: Any]
    else { throw damaged("its property list cannot be read") }
    metadata[NSStoreUUIDKey] = result.text(0, column: 1)
    metadata[NSStoreTypeKey] = NSPersistentStore.StoreType.postgreSQL.rawValue
    return metadata
  }

  /// The statement that replaces the store's metadata. Throws for values that a property list
  /// cannot have.
  static func update(_ metadata: [String: Any]) throws -> PostgreSQLConnection.Statement {
    .init(
      sql: "UPDATE \(SchemaNames.store) SET uuid = $1, metadata = $2",
      parameters: try parameters(metadata))
  }

  static func insert(_ metadata: [String: Any], connection: PostgreSQLConnection) throws {
    try connection.query(
      "INSERT INTO \(SchemaNames.store) (format, uuid, metadata) VALUES (\(format), $1, $2)",
      parameters: try parameters(metadata))
  }

  private static func parameters(_ metadata: [String: Any]) throws -> [PostgreSQLParameter] {
    var list = metadata
    let uuid = list.removeValue(forKey: NSStoreUUIDKey) as? String ?? ""
    guard PropertyListSerialization.propertyList(list, isValidFor: .binary) else {
      throw CoreDataError.make(
        .persistentStoreSave,
        reason: "The store's metadata must be a property list: strings, numbers, dates, data, and "
          + "arrays and dictionaries of them.")
    }
    let data = try PropertyListSerialization.data(
      fromPropertyList: list, format: .binary, options: 0)
    return [.text(uuid), .data(data)]
  }

  static func insertion(
    ofEntity layout: EntityLayout, number: Int
  ) -> PostgreSQLConnection.Statement {
    .init(
      sql: "INSERT INTO \(SchemaNames.entities) (number, name) VALUES ($1, $2)",
      parameters: [.integer(Int64(number)), .text(layout.entity.name ?? "")])
  }

  static func insertion(
    ofObject kind: String, _ name: String
  ) -> PostgreSQLConnection.Statement {
    .init(
      sql: "INSERT INTO \(SchemaNames.objects) (kind, name) VALUES ($1, $2)",
      parameters: [.text(kind), .text(name)])
  }

  // MARK: - Model

  /// The statement that replaces the model in the store.
  static func update(_ model: NSManagedObjectModel) throws -> PostgreSQLConnection.Statement {
    .init(
      sql: "UPDATE \(SchemaNames.store) SET model = $1",
      parameters: [.data(try ModelCache.content(of: model))])
  }

  /// The model in the store; nil if there is none.
  static func model(
    _ connection: PostgreSQLConnection, at url: URL
  ) throws -> NSManagedObjectModel? {
    let result = try connection.query("SELECT model FROM \(SchemaNames.store)")
    guard result.count == 1, !result.isNull(0, column: 0) else { return nil }
    let data = result.data(0, column: 0)
    guard data.count <= limit else { throw damaged("its model is of \(data.count) bytes") }
    return try ModelCache.model(from: data, file: url.absoluteString)
  }

  // MARK: - Entities

  /// The numbers of the entities, by name.
  static func numbers(_ connection: PostgreSQLConnection) throws -> [String: Int] {
    let result = try connection.query("SELECT number, name FROM \(SchemaNames.entities)")
    return Dictionary(
      (0..<result.count).map { (result.text($0, column: 1), Int(result.integer($0, column: 0))) },
      uniquingKeysWith: { first, _ in first })
  }

  private static func damaged(_ what: String) -> NSError {
    CoreDataError.make(
      .fileReadCorruptFile,
      reason: "The store's metadata (\(SchemaNames.store)) are damaged: \(what).")
  }
}
