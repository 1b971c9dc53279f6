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
    let begin = PostgreSQLConnection.Statement(sql: "BEGIN", parameters: [])
    try pool.retrying {
      try finishing { connection in
        let results = try connection.results(of: [begin] + statements + [Self.mark])
        try check(Array(results.dropFirst().dropLast()))
        return results.last?.text(0, 0)
      } commit: {
        try commit($0)
      }
    }
  }

  /// The same with many new rows between the first statements and the last.
  func write(
    _ first: [PostgreSQLConnection.Statement],
    copying copies: [(rows: ArraySlice<Row>, into: NewRows)],
    _ last: [PostgreSQLConnection.Statement], check: ([QueryResult]) throws -> Void,
    checkLast: ([QueryResult]) throws -> Void
  ) throws {
    let begin = PostgreSQLConnection.Statement(sql: "BEGIN", parameters: [])
    try pool.retrying {
      try finishing { connection in
        try check(Array(try connection.results(of: [begin] + first).dropFirst()))
        for (rows, new) in copies {
          let stream = try CopyStream(connection, table: new.entity.table, columns: new.columns)
          for row in rows { try stream.append(new.values(row, key: row.packed.key)) }
          try stream.end()
        }
        let results = try connection.results(of: last + [Self.mark])
        try checkLast(results.dropLast())
        return results.last?.text(0, 0)
      } commit: {
        try $0.execute("COMMIT")
      }
    }
  }

  /// Runs `body` as one transaction, which is begun first. For what has to read in between.
  func transaction(_ mode: String, _ body: (PostgreSQLConnection) throws -> Void) throws {
    try finishing { connection in
      try connection.execute("BEGIN \(mode)")
      try body(connection)
      return try connection.query(Self.mark.sql).text(0, 0)
    } commit: {
      try $0.execute("COMMIT")
    }
  }

  /// The number by which the server knows whether a transaction was committed.
  private static let mark = PostgreSQLConnection.Statement(
    sql: "SELECT pg_current_xact_id()::text", parameters: [])

  /// COMMIT after `body`, which gives the transaction's number; ROLLBACK when it throws.
  ///
  /// When the answer to COMMIT is lost, the server is asked what has become of the transaction, so that a save
  /// is neither done twice nor taken for lost.
  private func finishing(
    _ body: (PostgreSQLConnection) throws -> String?,
    commit: (PostgreSQLConnection) throws -> Void
  ) throws {
    var number: String?
    do {
      try pool.with { connection in
        do { number = try body(connection) } catch {
          connection.abandonCopying()
          // A connection that is gone has rolled back; the first error says why.
          try? connection.execute("ROLLBACK")
          throw error
        }
        try commit(connection)
      }
    } catch let error as PostgreSQLError where error.isConnectionLost {
      guard let number else { throw error }
      guard try wasCommitted(number) else { throw error }
    }
  }

  /// Waits until the server has decided: it may still be at it when the connection is cut.
  private func wasCommitted(_ number: String) throws -> Bool {
    let end = Date(timeIntervalSinceNow: 60)
    while true {
      let status = try pool.reading { connection in
        let result = try connection.query(
          "SELECT pg_xact_status($1::text::xid8)", [.text(number)])
        return result.isNull(0, 0) ? nil : result.text(0, 0)
      }
      switch status {
      case "committed": return true
      case "aborted": return false
      case "in progress" where Date() < end: Thread.sleep(forTimeInterval: 0.05)
      default:
        throw CoreDataError.make(
          .persistentStoreSave,
          reason: "The connection was cut while the server committed the save, and it does not say "
            + "any more whether it did. Fetch the objects anew before saving them again.")
      }
    }
  }
}
