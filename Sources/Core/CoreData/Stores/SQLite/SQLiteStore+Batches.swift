// Batch requests: one transaction each, without managed objects and without the row cache.
extension SQLiteStore: BatchStore {
  func insert(_ batch: BatchInsertion) throws -> BatchOutcome {
    let files = ExternalTransaction(try contents.externalFiles)
    return try inTransaction(files) { contents, connection in
      let entity = try contents.entity(batch.layout)
      let writer = BatchInsertWriter(
        batch, entity: entity, contents: contents, connection: connection, identities: identities,
        files: files)
      return try writer.run()
    }
  }

  func update(_ batch: BatchUpdate) throws -> BatchOutcome {
    try inTransaction { contents, connection in
      try BatchUpdateWriter(self, contents: contents, connection: connection).run(batch)
    }
  }

  func delete(_ batch: BatchDeletion) throws -> BatchOutcome {
    let outcome = try inTransaction { contents, connection in
      var writer = BatchDeleteWriter(self, contents: contents, connection: connection)
      return try writer.run(batch)
    }
    try contents.database.write { IncrementalVacuum(connection: $0).runIfWorthwhile() }
    return outcome
  }

  private func inTransaction(
    _ files: ExternalTransaction? = nil,
    body: (StoreContents, SQLiteConnection) throws -> BatchOutcome
  ) throws -> BatchOutcome {
    let contents = try contents
    return try contents.reporting(.save) {
      try contents.transaction(files ?? ExternalTransaction(contents.externalFiles)) {
        try body(contents, $0)
      }
    }
  }

  /// The keys of a plan's rows, read by the writing connection.
  func rowKeys(
    _ plan: FetchPlan, contents: StoreContents, connection: SQLiteConnection
  ) throws -> [RowKey] {
    let entity = try contents.entity(plan.layout)
    let query = try SQLQuery(plan, entity: entity, store: queryContext(contents))
    let sql =
      "SELECT t0.Z_ENT, t0.Z_PK FROM \(SQLIdentifier.quoted(entity.table)) t0" + query.tail
    return try connection.withStatement(sql) { statement in
      query.bind(to: statement)
      return try contents.rowKeys(statement, of: entity.layout)
    }
  }
}

/// A row's key and the entity of the row.
struct RowKey {
  let layout: EntityLayout
  let key: Int64
}

extension StoreContents {
  /// The keys of all rows of a statement whose first columns are `Z_ENT` and `Z_PK`.
  func rowKeys(_ statement: SQLiteStatement, of layout: EntityLayout) throws -> [RowKey] {
    var keys: [RowKey] = []
    while try statement.step() {
      let kind = mapping.layout(entityNumber: statement.integer(0)) ?? layout
      keys.append(RowKey(layout: kind, key: statement.integer(1)))
    }
    return keys
  }
}
