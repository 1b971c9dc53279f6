import CoreData

// Batch requests: one transaction each, without objects.
extension PostgreSQLStore: BatchStore {
  func insert(_ batch: BatchInsertion) throws -> BatchOutcome {
    try inTransaction(isRepeatable: false) { contents, connection in
      let inserter = try BatchInserter(batch, contents: contents, connection: connection) { count in
        // Uses another connection: keys are not returned when this transaction is rolled back.
        try self.reserveKeys(count, for: batch.layout)
      }
      try inserter.run()
      try contents.schema.derived.after(inserter.change, connection: connection)
      try inserter.note()
      return outcome(
        [RowGroup(layout: batch.layout, keys: inserter.written)],
        wantsIdentities: batch.wantsIdentities)
    }
  }

  func update(_ batch: BatchUpdate) throws -> BatchOutcome {
    let rows = try found(batch.rows)
    return try inTransaction { contents, connection in
      let updater = BatchUpdater(contents: contents, connection: connection)
      return outcome(
        try updater.run(batch, rows: rows.locked(connection)),
        wantsIdentities: batch.wantsIdentities)
    }
  }

  func delete(_ batch: BatchDeletion) throws -> BatchOutcome {
    let rows = try found(batch.rows)
    return try inTransaction { contents, connection in
      var deleter = BatchDeleter(contents, connection: connection)
      try deleter.run(rows.locked(connection))
      return outcome(deleter.groups, wantsIdentities: batch.wantsIdentities)
    }
  }

  private func found(_ plan: FetchPlan) throws -> LockedRows {
    let contents = try contents
    return try contents.reporting(.save) { try LockedRows(plan, contents: contents) }
  }

  private func outcome(_ groups: [RowGroup], wantsIdentities: Bool) -> BatchOutcome {
    var outcome = BatchOutcome()
    outcome.count = groups.reduce(0) { $0 + $1.keys.count }
    if wantsIdentities {
      outcome.identities = groups.flatMap { group in
        group.keys.map { identities.identity(group.layout, key: $0) }
      }
    }
    return outcome
  }

  /// Runs a batch request in a transaction, and repeats it if the server ends it because of a
  /// deadlock or a lost connection. Not if `isRepeatable` is false.
  private func inTransaction(
    isRepeatable: Bool = true,
    _ body: (StoreContents, PostgreSQLConnection) throws -> BatchOutcome
  ) throws -> BatchOutcome {
    let contents = try contents
    return try contents.reporting(.save) {
      func run() throws -> BatchOutcome {
        var outcome = BatchOutcome()
        // READ COMMITTED, whatever the server's default: each statement must see what others have
        // saved before it.
        try contents.transaction("ISOLATION LEVEL READ COMMITTED") { connection in
          let notes = contents.notes
          for statement in notes?.beginning ?? [] { try connection.query(statement) }
          outcome = try body(contents, connection)
          guard let notes else { return }
          // A transaction without changes leaves no entry in the history.
          guard outcome.count > 0 else {
            for statement in notes.cancellation { try connection.query(statement) }
            return
          }
          notes.didEnd(try connection.query(notes.end))
        }
        return outcome
      }
      // Not repeatable: the rows come from a client's block, which can be called only once.
      return isRepeatable ? try contents.pool.retrying(run) : try run()
    }
  }
}
