import CoreData

/// Copies a store on a server over one in a SQLite file.
///
///     source         one snapshot: rows of every entity, members of relationships
///     draft          a private file, saved part by part
///     destination    replaced by the draft, atomically
///
/// Keys, UUID and metadata are copied; row versions start again, and of the history only the
/// transaction count is copied. Any failure leaves the destination unchanged.
struct ServerToFile {
  let source: ServerAddress
  let destination: URL
  let timeout: TimeInterval?
  let sourceTimeout: TimeInterval?

  /// The number of owners whose members are read at once.
  private static let size = 2_048

  func run() throws {
    do {
      let connection = try PostgreSQLConnection(
        source, limits: TimeLimits(sourceTimeout).ofLongWork)
      guard try StoreTables.exist(connection) else { return }
      try DraftStore.with { url in
        try connection.snapshot { try fill(url, connection: connection) }
        try NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
          .replacePersistentStore(
            at: destination,
            destinationOptions: timeout.map { [NSPersistentStoreTimeoutOption: $0] },
            withPersistentStoreFrom: url, type: .sqlite)
      }
    } catch let error as PostgreSQLError {
      throw error.cocoaError(source, doing: .read)
    }
  }

  private func fill(_ url: URL, connection: PostgreSQLConnection) throws {
    guard let model = try StoreTables.model(connection, at: source.url) else {
      throw CoreDataError.make(
        .persistentStoreOpen,
        reason: "The store at \(source.url.absoluteString) does not keep its model.")
    }
    let metadata = try StoreTables.metadata(connection)
    let draft = try DraftStore(url, model: model, copyOf: metadata)
    let contents = try contents(draft, connection: connection)
    for table in contents.schema.tables {
      try reserveKeys(table, draft: draft, connection: connection)
    }
    var keys: [[PackedIdentity]] = []
    for layout in draft.layouts {
      keys.append(try copyRows(layout, draft: draft, contents: contents, connection: connection))
    }
    for (layout, keys) in zip(draft.layouts, keys) {
      for relationship in layout.toMany where relationship.speaks {
        try copyMembers(
          relationship, keys: keys, draft: draft, contents: contents, connection: connection)
      }
    }
    try draft.close()
    try write(metadata, url: url)
    guard try StoreTables.haveHistory(connection) else { return }
    // Reopening the draft creates the history tables.
    try DraftStore(url, model: model, copyOf: metadata).close()
    try StoreHistoryCount.set(try number(after: metadata, connection), inFileAt: url)
  }

  /// The transaction count of the new store; see ``FormerStore``.
  private func number(
    after metadata: [String: Any], _ connection: PostgreSQLConnection
  ) throws -> Int64 {
    let last = try connection.query("SELECT last_transaction FROM \(SchemaNames.store)")
      .integer(0, column: 0)
    // `try?`: a destination that is no store has no history either.
    let former = try? NSPersistentStoreCoordinator.metadataForPersistentStore(
      type: .sqlite, at: destination)
    guard former?[NSStoreUUIDKey] as? String == metadata[NSStoreUUIDKey] as? String else {
      return last
    }
    return max(last, try StoreHistoryCount.number(inFileAt: destination)) + 1
  }

  /// The source as open store contents, with the identities of the draft.
  private func contents(
    _ draft: DraftStore, connection: PostgreSQLConnection
  ) throws -> StoreContents {
    let names = try StoreTables.numbers(connection)
    let numbers = Dictionary(
      draft.layouts.compactMap { layout in
        names[layout.entity.name ?? ""].map { (layout.number, $0) }
      }, uniquingKeysWith: { first, _ in first })
    var builder = SchemaBuilder(layouts: draft.layouts, numbers: numbers)
    return StoreContents(
      source, pool: ConnectionPool(source, limit: 2, timeout: sourceTimeout), replicas: nil,
      schema: try builder.build(),
      identities: draft.rows.identities, options: StoreOptions(nil))
  }

  /// Reserves all keys that were assigned, so that they are not assigned again.
  private func reserveKeys(
    _ table: StoreSchema.Table, draft: DraftStore, connection: PostgreSQLConnection
  ) throws {
    let sequence = try connection.query(
      "SELECT last_value, is_called FROM \(SchemaNames.quoted(table.sequence))")
    let isCalled = sequence.integer(0, column: 1) != 0
    let last = sequence.integer(0, column: 0) + (isCalled ? KeyBlocks.length - 1 : -1)
    if last > 0 { _ = try draft.rows.reserveKeys(Int(last), for: table.root) }
  }

  private func copyRows(
    _ layout: EntityLayout, draft: DraftStore, contents: StoreContents,
    connection: PostgreSQLConnection
  ) throws -> [PackedIdentity] {
    let entity = try contents.schema.entity(layout)
    let selection = contents.selection(of: entity)
    let decoder = contents.decoder(selection)
    let kind = entity.kindCondition(includesSubentities: false, dialect: .postgreSQL)
    var keys: [PackedIdentity] = []
    try connection.batches(of: selection.sql + (kind.map { " WHERE \($0)" } ?? ""), []) {
      var changes = StoreChanges()
      for row in try decoder.rows($0) {
        let copy = Row.empty(row.identity)
        for slot in 0..<row.count { copy[slot] = row[slot].loaded }
        changes.inserted.append(copy)
        keys.append(row.packed)
      }
      try draft.rows.save(changes)
    }
    return keys
  }

  private func copyMembers(
    _ relationship: NSRelationshipDescription, keys: [PackedIdentity], draft: DraftStore,
    contents: StoreContents, connection: PostgreSQLConnection
  ) throws {
    let query = try MemberQuery(relationship, schema: contents.schema)
    for start in stride(from: 0, to: keys.count, by: Self.size) {
      let part = keys[start...].prefix(Self.size)
      let found = try query.members(part.map(\.key), contents: contents, connection: connection)
      try draft.rows.save(
        StoreChanges(
          members: part.map { found[$0.key] ?? [] }, of: relationship,
          owners: part.map(draft.rows.identities.identity)))
    }
  }

  /// Copies the metadata; keeps those that only the file has, and its type.
  private func write(_ metadata: [String: Any], url: URL) throws {
    var own = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
    let type = own[NSStoreTypeKey]
    own.merge(metadata) { $1 }
    own[NSStoreTypeKey] = type
    try NSPersistentStoreCoordinator.setMetadata(own, type: .sqlite, at: url)
  }
}
