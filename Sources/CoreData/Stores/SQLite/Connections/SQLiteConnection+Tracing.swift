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
      handle, UInt32(SQLITE_TRACE_PROFILE | SQLITE_TRACE_ROW),
      { event, counts, statement, time in
        guard let counts, let statement else { return 0 }
        // Sound: the connection keeps the counts in `rowCounts` until it has closed its handle, and
        // SQLite calls back on the thread that uses the connection.
        let rows = Unmanaged<RowCounts>.fromOpaque(counts).takeUnretainedValue()
        let pointer = OpaquePointer(statement)
        if event == UInt32(SQLITE_TRACE_ROW) {
          rows.counts[pointer, default: 0] += 1
        } else if let time {
          SQLiteConnection.note(
            pointer, rows.counts.removeValue(forKey: pointer),
            .nanoseconds(time.loadUnaligned(as: Int64.self)))
        }
        return 0
      }, Unmanaged.passUnretained(counts).toOpaque())
  }

  private static func note(_ statement: OpaquePointer, _ rows: Int?, _ duration: Duration) {
    guard let sql = sqlite3_sql(statement) else { return }
    let isReadOnly = sqlite3_stmt_readonly(statement) != 0
    let changed = isReadOnly ? 0 : sqlite3_changes(sqlite3_db_handle(statement))
    StatementTrace.note(
      StoreStatement(
        engine: "SQLite", sql: String(cString: sql), duration: duration,
        rows: rows ?? Int(changed))
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
