extension SQLiteStore {
  func rows(_ plan: FetchPlan) throws -> [Row] {
    let contents = try contents
    let entity = try contents.entity(plan.layout)
    let selection = contents.selection(
      of: entity, includesSubentities: plan.includesSubentities)
    if let keys = keys(plan) { return try rows(keys, selection: selection, contents: contents) }
    let query = try SQLQuery(plan, entity: entity, store: queryContext(contents))
    return try contents.reporting(.read) {
      try contents.database.read { connection in
        try connection.withStatement(selection.sql + query.tail) { statement in
          query.bind(to: statement)
          return try decoder(contents, selection: selection).rows(statement)
        }
      }
    }
  }

  func identities(_ plan: FetchPlan) throws -> ContiguousArray<PackedIdentity> {
    let contents = try contents
    let entity = try contents.entity(plan.layout)
    let query = try SQLQuery(plan, entity: entity, store: queryContext(contents))
    let readsKinds = entity.sharesTable && plan.includesSubentities && entity.kindNumbers.count > 1
    let sql =
      "SELECT \(readsKinds ? "t0.Z_PK, t0.Z_ENT" : "t0.Z_PK") "
      + "FROM \(SQLIdentifier.quoted(entity.table)) t0" + query.tail
    return try contents.reporting(.read) {
      try contents.database.read { connection in
        try connection.withStatement(sql) { statement in
          query.bind(to: statement)
          return try readsKinds
            ? packedIdentities(statement, contents: contents, entity: entity)
            : packedIdentities(statement, entity: entity)
        }
      }
    }
  }

  func count(_ plan: FetchPlan) throws -> Int {
    let contents = try contents
    let entity = try contents.entity(plan.layout)
    var plan = plan
    plan.sortDescriptors = []
    let query = try SQLQuery(plan, entity: entity, store: queryContext(contents))
    let from = " FROM \(SQLIdentifier.quoted(entity.table)) t0" + query.tail
    let sql =
      plan.limit > 0 || plan.offset > 0
      ? "SELECT COUNT(*) FROM (SELECT 1\(from))" : "SELECT COUNT(*)\(from)"
    return try contents.reporting(.read) {
      try contents.database.read { connection in
        try connection.withStatement(sql) { statement in
          query.bind(to: statement)
          return try statement.step() ? Int(statement.integer(0)) : 0
        }
      }
    }
  }

  func row(of identity: NSManagedObjectID) throws -> Row? {
    try row(identity.packed.key, of: identity.layout)
  }

  func row(_ key: Int64, of layout: EntityLayout) throws -> Row? {
    let contents = try contents
    return try contents.reporting(.read) {
      try contents.database.read { connection in
        try rowReader(connection, layout: layout, contents: contents).row(key)
      }
    }
  }

  private func rowReader(
    _ connection: SQLiteConnection, layout: EntityLayout, contents: StoreContents
  ) throws -> RowByKeyReader {
    if let kept = connection.rowReader, kept.isFree(for: layout) { return kept }
    // An identity may name the relationship's destination entity while the row is of a subentity.
    let selection = contents.selection(
      of: try contents.entity(layout), includesSubentities: true)
    let made = RowByKeyReader(
      layout,
      statement: try connection.prepare(selection.sqlByKey.text),
      decoder: decoder(contents, selection: selection))
    // Not kept for a database in memory, whose connection several stores may share.
    if !connection.file.isEmpty { connection.rowReader = made }
    return made
  }

  /// Reads by key, a page at a time, as of one moment.
  func rows(of identities: [NSManagedObjectID]) throws -> [Row] {
    guard !identities.isEmpty else { return [] }
    let contents = try contents
    return try reading(identities.count, contents: contents) { connection in
      var rows: [Row] = []
      rows.reserveCapacity(identities.count)
      var rest = identities[...]
      while let layout = rest.first?.layout {
        let run = rest.prefix { $0.layout === layout }
        // An identity may name the relationship's destination entity while the row is of a
        // subentity.
        let selection = contents.selection(
          of: try contents.entity(layout), includesSubentities: true)
        let reader = KeyedReader(
          connection: connection, decoder: decoder(contents, selection: selection))
        try reader.append(run.map(\.packed.key), to: &rows)
        rest = rest[run.endIndex...]
      }
      return rows
    }
  }

  func rows(_ keys: [Int64], of layout: EntityLayout) throws -> [Row] {
    let contents = try contents
    // An identity may name the relationship's destination entity while the row is of a subentity.
    let selection = contents.selection(
      of: try contents.entity(layout), includesSubentities: true)
    return try rows(keys, selection: selection, contents: contents)
  }

  /// The rows with these keys, each once, in the order of the keys.
  private func rows(
    _ keys: [Int64], selection: RowSelection, contents: StoreContents
  ) throws -> [Row] {
    if keys.isEmpty { return [] }
    return try reading(keys.count, contents: contents) { connection in
      var rows: [Row] = []
      rows.reserveCapacity(keys.count)
      let reader = KeyedReader(
        connection: connection, decoder: decoder(contents, selection: selection))
      try reader.append(keys, to: &rows)
      return rows
    }
  }

  /// Runs `body`, whose reads by `count` keys are all as of one moment.
  private func reading(
    _ count: Int, contents: StoreContents, body: (SQLiteConnection) throws -> [Row]
  ) throws -> [Row] {
    try contents.reporting(.read) {
      try contents.database.read { connection in
        // Several pages need several statements, and so a transaction.
        guard count > RowSelection.pageSize else { return try body(connection) }
        return try connection.readTransaction { try body(connection) }
      }
    }
  }

  func decoder(_ contents: StoreContents, selection: RowSelection) -> RowDecoder {
    RowDecoder(mapping: contents.mapping, identities: identities, selection: selection)
  }

  func queryContext(_ contents: StoreContents) -> SQLQueryContext {
    SQLQueryContext(
      mapping: contents.mapping, storeUUID: identities.storeUUID, dialect: .sqlite,
      nilRule: StoreOptions(options).nilRule)
  }

  // MARK: - Identities

  private func packedIdentities(
    _ statement: SQLiteStatement, entity: EntityMapping
  ) throws -> ContiguousArray<PackedIdentity> {
    var result: ContiguousArray<PackedIdentity> = []
    let (ordinal, number) = (ordinal, entity.layout.number)
    while try statement.step() {
      let key = statement.integer(0)
      guard key > 0 && key < 1 << 40 else { throw StoreDamage.key(key, entity.table) }
      result.append(PackedIdentity(storeOrdinal: ordinal, entityNumber: number, key: key))
    }
    return result
  }

  private func packedIdentities(
    _ statement: SQLiteStatement, contents: StoreContents, entity: EntityMapping
  ) throws -> ContiguousArray<PackedIdentity> {
    var result: ContiguousArray<PackedIdentity> = []
    while try statement.step() {
      let key = statement.integer(0)
      guard key > 0 && key < 1 << 40 else { throw StoreDamage.key(key, entity.table) }
      let number = statement.integer(1)
      guard let layout = contents.mapping.layout(entityNumber: number) else {
        throw StoreDamage.entity(number, entity.table)
      }
      result.append(
        PackedIdentity(storeOrdinal: ordinal, entityNumber: layout.number, key: key))
    }
    return result
  }
}
