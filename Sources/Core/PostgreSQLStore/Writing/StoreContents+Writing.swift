import CoreData

extension StoreContents {
  /// Runs the statements of a save as one transaction: all in one pipeline, and COMMIT after
  /// `check` has accepted their results.
  ///
  /// Starts again if the server rolls it back because of other transactions, or cannot be reached,
  /// as long as COMMIT has not been sent.
  ///
  /// `commit` sends COMMIT; tests replace it to lose the answer.
  func write(
    _ statements: [PostgreSQLConnection.Statement], check: ([QueryResult]) throws -> Void,
    commit: (PostgreSQLConnection) throws -> Void = { try $0.execute("COMMIT") }
  ) throws {
    try pool.retrying {
      try finishing { connection, mark in
        let results = try connection.results(of: [Self.begin] + statements + [mark.statement])
        try check(Array(results.dropFirst().dropLast()))
      } commit: {
        try commit($0)
      }
    }
  }

  /// Runs the statements of a save as one transaction in a single round trip, including COMMIT. For
  /// statements that fail by themselves on a conflict and whose results are not needed: the results
  /// may be lost even if the transaction commits.
  func writeAtOnce(_ statements: [PostgreSQLConnection.Statement]) throws {
    try pool.retrying {
      try finishing(commitsItself: true) { connection, mark in
        _ = try connection.results(
          of: [Self.begin] + statements + [mark.statement, Self.commit])
      } commit: { _ in
      }
    }
  }

  private static var begin: PostgreSQLConnection.Statement { .init(sql: "BEGIN", parameters: []) }
  private static var commit: PostgreSQLConnection.Statement { .init(sql: "COMMIT", parameters: []) }

  /// Runs a save with copied rows between the first and the last statements. Derived values are
  /// computed after the last statements.
  func write(
    _ first: [PostgreSQLConnection.Statement],
    copying copies: [(rows: ArraySlice<Row>, into: NewRows)],
    last: [PostgreSQLConnection.Statement], ending end: [PostgreSQLConnection.Statement],
    check: ([QueryResult]) throws -> Void, derive: (PostgreSQLConnection) throws -> Void,
    checkEnd: ([QueryResult]) throws -> Void
  ) throws {
    try pool.retrying {
      try finishing { connection, mark in
        try check(Array(try connection.results(of: [Self.begin] + first).dropFirst()))
        for (rows, new) in copies {
          let stream = try CopyStream(connection, table: new.entity.table, columns: new.columns)
          try rows.forEachUncounted { try stream.append($0, key: $0.packed.key, of: new) }
          try stream.end()
        }
        _ = try connection.results(of: last)
        try derive(connection)
        let results = try connection.results(of: end + [mark.statement])
        try checkEnd(results.dropLast())
      } commit: {
        try $0.execute("COMMIT")
      }
    }
  }

  /// Runs `body` as one transaction, for work that has to read in between.
  func transaction(_ mode: String, body: (PostgreSQLConnection) throws -> Void) throws {
    try finishing(pool.limits) { connection, mark in
      try connection.execute("BEGIN \(mode)")
      try body(connection)
      try connection.query(mark.statement)
    } commit: {
      try $0.execute("COMMIT")
    }
  }

  /// Runs `body`, which marks the transaction, then COMMIT; ROLLBACK if it throws.
  ///
  /// If the answer to COMMIT is lost, asks the server whether the transaction was committed, so
  /// that a save is neither repeated nor reported as failed by mistake.
  ///
  /// - Parameters:
  ///   - limits: time limits that replace those of saves.
  ///   - commitsItself: whether `body` sends COMMIT.
  private func finishing(
    _ limits: TimeLimits? = nil, commitsItself: Bool = false,
    body: (PostgreSQLConnection, TransactionMark) throws -> Void,
    commit: (PostgreSQLConnection) throws -> Void
  ) throws {
    var committed: TransactionMark?
    defer { replicas?.primaryHasMoved() }
    do {
      try pool.writing(limits) { connection in
        let mark = TransactionMark(next: connection)
        if commitsItself { committed = mark }
        do { try body(connection, mark) } catch {
          connection.abandonCopying()
          // `try?`: a lost connection has been rolled back by the server. The first error has the
          // reason.
          try? connection.execute("ROLLBACK")
          throw error
        }
        committed = mark
        try commit(connection)
      }
    } catch let error as PostgreSQLError where error.isConnectionLost {
      guard let committed, try wasCommitted(committed) else { throw error }
    }
  }

  /// Returns whether the transaction was committed. Waits for the server's decision, which may
  /// still be pending when the connection is lost, or may need a failover first. Throws
  /// `NSPersistentStoreSaveError` if no server can be asked.
  private func wasCommitted(_ mark: TransactionMark) throws -> Bool {
    do { return try pool.reading { try mark.wasCommitted($0) } } catch {
      throw CoreDataError.make(
        .persistentStoreSave,
        reason:
          "The connection was cut while the server committed the save, and no server could be "
          + "asked whether it did. Fetch the objects anew before saving them again.",
        underlying: error)
    }
  }
}
