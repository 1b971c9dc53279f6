internal import CPostgreSQL
import CoreData

// Reading rows in batches.
extension PostgreSQLConnection {
  /// The number of rows of a batch.
  static let batchSize = 2048

  private static let cursor = "coredata_rows"

  /// Runs a query and passes its rows to `body` in batches. While `body` uses one batch, the server
  /// prepares the next; at most two batches are in memory.
  ///
  ///     → BEGIN, DECLARE … CURSOR, FETCH       one round trip, as many rows as there may be
  ///     ← rows   → FETCH, FETCH   ← rows   → FETCH   …   ← fewer than a batch   → COMMIT
  ///
  /// All rows are from one snapshot. In a transaction of the caller, the cursor belongs to that
  /// transaction. `body` must not use this connection.
  func batches(
    of sql: String, _ parameters: [PostgreSQLParameter], body: (QueryResult) throws -> Void
  ) throws {
    let start = StatementTrace.isOn ? ContinuousClock.now : nil
    var count = 0
    let isAlone = PQtransactionStatus(handle) == PQTRANS_IDLE
    prepareCursors(isAlone)
    guard PQenterPipelineMode(handle) == 1 else { throw failure(nil) }
    do {
      if isAlone { try send("BEGIN READ ONLY") }
      try send("DECLARE \(Self.cursor) NO SCROLL CURSOR FOR \(sql)", parameters: parameters)
      try sendFetch()
      if isAlone { try check(nextOfPipeline()) }
      try check(nextOfPipeline())
      try readBatches {
        count += $0.count
        try body($0)
      }
      try send(isAlone ? "COMMIT" : "CLOSE \(Self.cursor)")
      guard PQpipelineSync(handle) == 1 else { throw failure(nil) }
      try check(nextOfPipeline())
      leavePipeline()
      note(sql, parameters: parameters, since: start, rows: count)
    } catch {
      if PQpipelineSync(handle) == 1 { leavePipeline() }
      // `try?`: the first error has the reason.
      if isAlone { try? execute("ROLLBACK") }
      throw error
    }
  }

  /// Makes the server optimize for all rows of a cursor rather than for the first ones.
  private func prepareCursors(_ isAlone: Bool) {
    guard isAlone, !hasPreparedCursors else { return }
    hasPreparedCursors = true
    // `try?`: other engines with PostgreSQL's protocol may not know the setting.
    try? execute("SET cursor_tuple_fraction = 1")
  }

  private func readBatches(_ body: (QueryResult) throws -> Void) throws {
    var asked = 1
    while asked > 0 {
      let rows = try checked(nextOfPipeline())
      asked -= 1
      // A batch that is not full is the last one.
      while rows.count == Self.batchSize, asked < 2 {
        try sendFetch()
        asked += 1
      }
      if rows.count > 0 { try body(rows) }
    }
  }

  private func sendFetch() throws {
    try send("FETCH \(Self.batchSize) FROM \(Self.cursor)")
    guard PQsendFlushRequest(handle) == 1, PQflush(handle) >= 0 else { throw failure(nil) }
  }

  private func send(_ sql: String, parameters: [PostgreSQLParameter] = []) throws {
    let sent = Self.with(parameters) { values, lengths, formats in
      PQsendQueryParams(
        handle, sql, Int32(parameters.count), parameters.map(\.type.rawValue), values, lengths,
        formats, 1)
    }
    guard sent == 1 else { throw failure(nil) }
  }

  /// The result of the next statement in the pipeline. Consumes the end mark after it.
  private func nextOfPipeline() -> OpaquePointer? {
    let result = nextResult()
    if result != nil, let more = nextResult() { PQclear(more) }
    return result
  }

  /// Reads the outstanding results up to the synchronization point that was sent.
  private func leavePipeline() {
    var isSynchronised = false
    while !isSynchronised, PQstatus(handle) == CONNECTION_OK {
      // nil marks the end of a statement's results.
      guard let result = nextResult() ?? nextResult() else { break }
      isSynchronised = PQresultStatus(result) == PGRES_PIPELINE_SYNC
      PQclear(result)
    }
    PQexitPipelineMode(handle)
  }
}
