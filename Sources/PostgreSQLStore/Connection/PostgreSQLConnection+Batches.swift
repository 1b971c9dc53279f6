internal import CPostgreSQL
import CoreData

// Rows in batches.
extension PostgreSQLConnection {
  /// So many rows come at once.
  static let batchSize = 2048

  private static let cursor = "coredata_rows"

  /// Runs a query whose rows come a batch at a time: while `body` makes use of one the server is at the next, and
  /// no more than two lie in memory.
  ///
  ///     → BEGIN, DECLARE … CURSOR, FETCH       one round trip, as many rows as there may be
  ///     ← rows   → FETCH, FETCH   ← rows   → FETCH   …   ← fewer than a batch   → COMMIT
  ///
  /// All rows are of one moment. Inside of a transaction that is one's own the cursor belongs to it; `body` must
  /// not ask this connection for anything.
  func batches(
    of sql: String, _ parameters: [PostgreSQLParameter], _ body: (QueryResult) throws -> Void
  ) throws {
    let start = StatementTrace.isOn ? ContinuousClock.now : nil
    var count = 0
    let isAlone = PQtransactionStatus(handle) == PQTRANS_IDLE
    prepareCursors(isAlone)
    guard PQenterPipelineMode(handle) == 1 else { throw failure(nil) }
    do {
      if isAlone { try send("BEGIN READ ONLY") }
      try send("DECLARE \(Self.cursor) NO SCROLL CURSOR FOR \(sql)", parameters)
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
      note(sql, parameters, since: start, rows: count)
    } catch {
      if PQpipelineSync(handle) == 1 { leavePipeline() }
      // The first error says why.
      if isAlone { try? execute("ROLLBACK") }
      throw error
    }
  }

  /// The first row shall not come soonest, but the last one: all of them are read.
  private func prepareCursors(_ isAlone: Bool) {
    guard isAlone, !hasPreparedCursors else { return }
    hasPreparedCursors = true
    // Engines that speak the protocol need not know the setting.
    try? execute("SET cursor_tuple_fraction = 1")
  }

  private func readBatches(_ body: (QueryResult) throws -> Void) throws {
    var asked = 1
    while asked > 0 {
      let rows = try checked(nextOfPipeline())
      asked -= 1
      // A batch that is not full was the last.
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

  private func send(_ sql: String, _ parameters: [PostgreSQLParameter] = []) throws {
    let sent = Self.with(parameters) { values, lengths, formats in
      PQsendQueryParams(
        handle, sql, Int32(parameters.count), parameters.map(\.type.rawValue), values, lengths,
        formats, 1)
    }
    guard sent == 1 else { throw failure(nil) }
  }

  /// What the next statement of the pipeline gave, and the mark of its end.
  private func nextOfPipeline() -> OpaquePointer? {
    let result = nextResult()
    if result != nil, let more = nextResult() { PQclear(more) }
    return result
  }

  /// Reads what is still under way, up to the synchronisation that was sent.
  private func leavePipeline() {
    var isSynchronised = false
    while !isSynchronised, PQstatus(handle) == CONNECTION_OK {
      // Nil ends what a statement gave.
      guard let result = nextResult() ?? nextResult() else { break }
      isSynchronised = PQresultStatus(result) == PGRES_PIPELINE_SYNC
      PQclear(result)
    }
    PQexitPipelineMode(handle)
  }
}
