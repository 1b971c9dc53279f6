import CoreData

/// Copies a store in a SQLite file over one on a server.
///
///     file           a private copy, as of one moment
///     destination    one transaction: DROP the old tables, CREATE, COPY … FROM STDIN of every
///                    entity, members, indexes, sequences
///
/// Keys, UUID and metadata are copied; row versions start again. Of the history only the
/// transaction count is copied; see ``FormerStore``. Any failure leaves the destination unchanged.
struct FileToServer {
  let source: URL
  let destination: ServerAddress
  let timeout: TimeInterval?
  let sourceTimeout: TimeInterval?

  /// The number of rows in memory at one time.
  private static let size = 2_048

  func run() throws {
    guard FileManager.default.fileExists(atPath: source.path) else { return }
    try DraftStore.with { url in
      try NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
        .replacePersistentStore(
          at: url, withPersistentStoreFrom: source,
          sourceOptions: sourceTimeout.map { [NSPersistentStoreTimeoutOption: $0] },
          type: .sqlite)
      let model = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url)
      var metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
        type: .sqlite, at: url)
      let isFollowed = try StoreHistoryCount.exists(inFileAt: url)
      let draft = try DraftStore(url, model: model, copyOf: metadata)
      metadata[NSStoreTypeKey] = nil
      do {
        try write(draft, metadata: metadata, isFollowed: isFollowed)
        try draft.close()
      } catch let error as PostgreSQLError {
        throw error.cocoaError(destination, doing: .save)
      }
    }
  }

  private func write(_ draft: DraftStore, metadata: [String: Any], isFollowed: Bool) throws {
    let connection = try PostgreSQLConnection(destination, limits: TimeLimits(timeout).ofLongWork)
    try connection.transaction {
      do {
        try connection.execute(StoreTables.lock)
        try StoreTables.makeSchema(connection)
        let former = try FormerStore(connection)
        if former != nil { try StoreTables.drop(connection) }
        let schema = try makeTables(draft, connection: connection)
        for layout in draft.layouts {
          try copyRows(layout, draft: draft, schema: schema, connection: connection)
        }
        for layout in draft.layouts {
          try copyMembers(layout, draft: draft, schema: schema, connection: connection)
        }
        for table in schema.tables {
          // Building an index at the end is faster than updating it for each row.
          for statement in table.indexes { try connection.execute(statement) }
          try setSequence(table, draft: draft, connection: connection)
        }
        try StoreTables.insert(metadata, connection: connection)
        try connection.query(StoreTables.update(draft.model))
        let last = isFollowed ? draft.lastTransaction : 0
        try connection.query(
          FormerStore.count(last, of: draft.rows.identities.storeUUID, after: former))
        if isFollowed || former?.hasHistory == true { try HistoryTables.make(connection) }
        try former?.tell(connection)
      } catch {
        connection.abandonCopying()
        throw error
      }
    }
  }

  private func makeTables(
    _ draft: DraftStore, connection: PostgreSQLConnection
  ) throws -> StoreSchema {
    let numbers = Dictionary(
      draft.layouts.map { ($0.number, $0.number) }, uniquingKeysWith: { first, _ in first })
    var builder = SchemaBuilder(layouts: draft.layouts, numbers: numbers)
    let schema = try builder.build()
    for statement in StoreTables.statements
      + schema.tables.flatMap(\.creation) + schema.joinTables.flatMap(\.creation)
    {
      try connection.execute(statement)
    }
    for layout in draft.layouts {
      try connection.query(StoreTables.insertion(ofEntity: layout, number: layout.number))
    }
    for object in schema.objects {
      try connection.query(StoreTables.insertion(ofObject: object.kind, object.name))
    }
    return schema
  }

  private func keys(
    _ layout: EntityLayout, draft: DraftStore
  ) throws -> ContiguousArray<PackedIdentity> {
    var plan = FetchPlan(layout: layout)
    plan.includesSubentities = false
    return try draft.rows.identities(plan)
  }

  private func copyRows(
    _ layout: EntityLayout, draft: DraftStore, schema: StoreSchema,
    connection: PostgreSQLConnection
  ) throws {
    let found = try keys(layout, draft: draft)
    if found.isEmpty { return }
    // With derived values, since their inputs are equal.
    let new = try NewRows(layout, schema: schema, isCopy: true)
    let stream = try CopyStream(connection, table: new.entity.table, columns: new.columns)
    for start in stride(from: 0, to: found.count, by: Self.size) {
      let part = found[start...].prefix(Self.size)
      for row in try draft.rows.rows(of: part.map(draft.rows.identities.identity)) {
        try stream.append(row, key: row.packed.key, of: new)
      }
    }
    try stream.end()
  }

  private func copyMembers(
    _ layout: EntityLayout, draft: DraftStore, schema: StoreSchema,
    connection: PostgreSQLConnection
  ) throws {
    let relationships = layout.toMany.filter(\.speaks)
    if relationships.isEmpty { return }
    let found = try keys(layout, draft: draft)
    for relationship in relationships {
      for start in stride(from: 0, to: found.count, by: Self.size) {
        let part = Array(found[start...].prefix(Self.size))
        let changes = StoreChanges(
          members: try draft.rows.members(of: relationship, owners: part), of: relationship,
          owners: part.map(draft.rows.identities.identity))
        var writer = ChangeWriter(schema, notes: nil) { try NewRows($0, schema: schema) }
        try writer.write(changes)
        let statements = (writer.steps + writer.lastSteps).map(\.statement)
        if !statements.isEmpty { _ = try connection.results(of: statements) }
      }
    }
  }

  private func setSequence(
    _ table: StoreSchema.Table, draft: DraftStore, connection: PostgreSQLConnection
  ) throws {
    // The draft is private, so this is the first key that was never assigned.
    let next = try draft.rows.reserveKeys(1, for: table.root)
    try connection.query(
      "SELECT setval($1::text::regclass, $2, false)",
      parameters: [.text(SchemaNames.quoted(table.sequence)), .integer(next)])
  }
}

extension StoreChanges {
  /// Adds members to objects that have none yet.
  init(
    members: [[NSManagedObjectID]], of relationship: NSRelationshipDescription,
    owners: [NSManagedObjectID]
  ) {
    self.init()
    self.members = zip(owners, members).filter { !$1.isEmpty }.map { owner, members in
      MemberChange(
        relationship: relationship, owner: owner, added: members, removed: [],
        order: relationship.isOrdered ? members : nil)
    }
  }
}
