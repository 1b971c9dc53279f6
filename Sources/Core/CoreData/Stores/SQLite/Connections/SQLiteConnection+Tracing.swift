internal import CSQLite

extension SQLiteConnection {
  /// The numbers of rows that running statements have returned so far.
  final class RowCounts {
    fileprivate var counts: [OpaquePointer: Int] = [:]
  }

  /// Reports each statement to ``StatementTrace`` when it is done, with the rows counted meanwhile.
  func trace() {
    let counts = RowCounts()
    rowCounts = counts
    sqlite3_trace_v2(
      handle, UInt32(SQLITE_TRACE_STMT | SQLITE_TRACE_PROFILE | SQLITE_TRACE_ROW),
      { event, counts, statement, detail in
        guard let counts, let statement else { return 0 }
        // Sound: the connection keeps the counts in `rowCounts` until it has closed its handle, and
        // SQLite calls back on the thread that uses the connection.
        let rows = Unmanaged<RowCounts>.fromOpaque(counts).takeUnretainedValue()
        let pointer = OpaquePointer(statement)
        switch (Int32(bitPattern: event), detail) {
        case (SQLITE_TRACE_ROW, _): rows.counts[pointer, default: 0] += 1
        case (SQLITE_TRACE_STMT, let sql?):
          // SQLite's own statement that reads the schema has rows and no end; another statement may
          // get its address. The text of a trigger begins as a comment.
          if strncmp(sql.assumingMemoryBound(to: CChar.self), "--", 2) != 0 {
            rows.counts[pointer] = nil
          }
        case (SQLITE_TRACE_PROFILE, let time?):
          SQLiteConnection.note(
            pointer, rows: rows.counts.removeValue(forKey: pointer),
            duration: .nanoseconds(time.loadUnaligned(as: Int64.self)))
        default: break
        }
        return 0
      }, Unmanaged.passUnretained(counts).toOpaque())
  }

  /// The number of rows that a statement without result rows has changed.
  ///
  /// SQLite keeps the count of the connection's last finished INSERT, UPDATE or DELETE: neither
  /// `BEGIN IMMEDIATE` nor a change of the schema replaces it, nor a statement that was reset
  /// before its end, which SQLite reports before it counts.
  private static func changedRows(_ statement: OpaquePointer, sql: String) -> Int {
    let word = sql.drop(while: \.isWhitespace).prefix(while: \.isLetter).uppercased()
    guard ["INSERT", "UPDATE", "DELETE", "REPLACE", "WITH"].contains(word),
      sqlite3_stmt_readonly(statement) == 0, sqlite3_stmt_busy(statement) == 0
    else { return 0 }
    return Int(sqlite3_changes(sqlite3_db_handle(statement)))
  }

  private static func note(_ statement: OpaquePointer, rows: Int?, duration: Duration) {
    guard let sql = sqlite3_sql(statement) else { return }
    let text = String(cString: sql)
    StatementTrace.note(
      StoreStatement(
        engine: "SQLite", sql: text, duration: duration,
        rows: rows ?? changedRows(statement, sql: text))
    ) {
      // SQLite's text of the statement with its values.
      guard sqlite3_bind_parameter_count(statement) > 0,
        let text = sqlite3_expanded_sql(statement)
      else { return [] }
      defer { sqlite3_free(text) }
      return [String(cString: text)]
    }
  }
}
