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
        let mark = TransactionMark(next: connection)
        let results = try connection.results(of: [begin] + statements + [mark.statement])
        try check(Array(results.dropFirst().dropLast()))
        return mark
      } commit: {
        try commit($0)
      }
    }
  }

  /// The same with many new rows between the first statements and the last, after which derived values are computed.
  func write(
    _ first: [PostgreSQLConnection.Statement],
    copying copies: [(rows: ArraySlice<Row>, into: NewRows)],
    _ last: [PostgreSQLConnection.Statement], ending end: [PostgreSQLConnection.Statement],
    check: ([QueryResult]) throws -> Void, derive: (PostgreSQLConnection) throws -> Void,
    checkEnd: ([QueryResult]) throws -> Void
  ) throws {
    let begin = PostgreSQLConnection.Statement(sql: "BEGIN", parameters: [])
    try pool.retrying {
      try finishing { connection in
        try check(Array(try connection.results(of: [begin] + first).dropFirst()))
        for (rows, new) in copies {
          let stream = try CopyStream(connection, table: new.entity.table, columns: new.columns)
          var values: [PostgreSQLParameter] = []
          for row in rows {
            values.removeAll(keepingCapacity: true)
            try new.append(row, key: row.packed.key, to: &values)
            try stream.append(values)
          }
          try stream.end()
        }
        let mark = TransactionMark(next: connection)
        _ = try connection.results(of: last)
        try derive(connection)
        let results = try connection.results(of: end + [mark.statement])
        try checkEnd(results.dropLast())
        return mark
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
      let mark = TransactionMark(next: connection)
      try connection.query(mark.statement)
      return mark
    } commit: {
      try $0.execute("COMMIT")
    }
  }

  /// COMMIT after `body`, which marks the transaction; ROLLBACK when it throws.
  ///
  /// When the answer to COMMIT is lost, the server is asked what has become of the transaction, so that a save
  /// is neither done twice nor taken for lost.
  private func finishing(
    _ body: (PostgreSQLConnection) throws -> TransactionMark,
    commit: (PostgreSQLConnection) throws -> Void
  ) throws {
    var mark: TransactionMark?
    defer { replicas?.primaryHasMoved() }
    do {
      try pool.writing { connection in
        do { mark = try body(connection) } catch {
          connection.abandonCopying()
          // A connection that is gone has rolled back; the first error says why.
          try? connection.execute("ROLLBACK")
          throw error
        }
        try commit(connection)
      }
    } catch let error as PostgreSQLError where error.isConnectionLost {
      guard let mark, try wasCommitted(mark) else { throw error }
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
