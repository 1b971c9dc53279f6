import CoreData

extension StoreContents {
  /// Runs the statements of a save as one transaction: all of them in one go, and COMMIT once `check` has
  /// looked at what they gave.
  ///
  /// Begun anew when the server undoes it for the sake of others, or cannot be reached, as long as COMMIT has not
  /// been sent.
  ///
  /// `commit` sends COMMIT; tests lose its answer.
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

  /// The same with COMMIT sent along: one round trip in all. For statements that fail by themselves where something is
  /// not as it has to be, and whose results nobody needs, since they may be lost where the transaction is not.
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

  /// The same with many new rows between the first statements and the last, after which derived values are computed.
  func write(
    _ first: [PostgreSQLConnection.Statement],
    copying copies: [(rows: ArraySlice<Row>, into: NewRows)],
    _ last: [PostgreSQLConnection.Statement], ending end: [PostgreSQLConnection.Statement],
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

  /// Runs `body` as one transaction, which is begun first. For what has to read in between.
  func transaction(_ mode: String, _ body: (PostgreSQLConnection) throws -> Void) throws {
    try finishing(pool.limits) { connection, mark in
      try connection.execute("BEGIN \(mode)")
      try body(connection)
      try connection.query(mark.statement)
    } commit: {
      try $0.execute("COMMIT")
    }
  }

  /// COMMIT after `body`, which marks the transaction; ROLLBACK when it throws.
  ///
  /// When the answer to COMMIT is lost, the server is asked what has become of the transaction, so that a save
  /// is neither done twice nor taken for lost.
  ///
  /// - Parameters:
  ///   - limits: how long an answer is waited for, where that is not what saves wait.
  ///   - commitsItself: whether `body` sends COMMIT.
  private func finishing(
    _ limits: TimeLimits? = nil, commitsItself: Bool = false,
    _ body: (PostgreSQLConnection, TransactionMark) throws -> Void,
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
          // A connection that is gone has rolled back; the first error says why.
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

  /// Waits until the server has decided: it may still be at it when the connection is cut, and another server may
  /// have to take its place first.
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
