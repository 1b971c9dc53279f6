internal import CPostgreSQL
import CoreData

/// A connection to the server, with its prepared statements.
///
/// Sendable: one thread at a time uses a connection, namely the one that got it from the pool.
final class PostgreSQLConnection: @unchecked Sendable {
  /// The maximum number of prepared statements.
  static let statementLimit = 256

  let address: ServerAddress
  let handle: OpaquePointer
  /// Identifier for marking this connection's transactions, and the number of marks.
  let saver = UUID()
  var marks: Int64 = 0
  /// Prepared statements by their SQL.
  private var known: [String: [Prepared]] = [:]
  private var knownCount = 0
  private var nextName = 0
  /// Whether the connection must not be reused.
  var isSpent = false
  /// The current time limits.
  var limits: TimeLimits
  /// Seconds without data before the connection was given up; nil if it was not.
  var silence: TimeInterval?
  var hasPreparedCursors = false
  /// For a standby: the position in the primary's write-ahead log that its server had replayed.
  var replayed: UInt64 = 0

  /// Connects. Throws if the server is older than version 13, or if its database is not in UTF8.
  convenience init(_ address: ServerAddress, timeout: TimeInterval?) throws {
    try self.init(address, limits: TimeLimits(timeout))
  }

  init(_ address: ServerAddress, limits: TimeLimits) throws {
    self.address = address
    self.limits = limits
    handle = try Self.connect(address, timeout: limits.connecting)
    // If this throws, `deinit` closes the connection, since all properties are initialised.
    try checkServer()
  }

  deinit { PQfinish(handle) }

  private func checkServer() throws {
    let version = Int(PQserverVersion(handle))
    if version < 13_0000 {
      throw CoreDataError.make(
        .persistentStoreOpen,
        reason: "The server at \(address.url.absoluteString) is PostgreSQL \(version / 10000); "
          + "13 or later is needed.")
    }
    let encoding = parameter("server_encoding") ?? ""
    guard encoding == "UTF8" else {
      throw CoreDataError.make(
        .persistentStoreOpen,
        reason: "The database at \(address.url.absoluteString) keeps texts in \(encoding); UTF8 is "
          + "needed. Make one: createdb --encoding UTF8 --template template0.")
    }
  }

  /// The value of a parameter that the server reports.
  func parameter(_ name: String) -> String? {
    PQparameterStatus(handle, name).map { String(cString: $0) }
  }

  /// Whether the connection can be returned to the pool: no transaction is open, and the connection
  /// is alive.
  var isIdle: Bool {
    !isSpent && PQstatus(handle) == CONNECTION_OK
      && PQtransactionStatus(handle) == PQTRANS_IDLE
  }

  // MARK: - Statements

  /// Runs statements without parameters.
  func execute(_ sql: String) throws {
    let start = StatementTrace.isOn ? ContinuousClock.now : nil
    let result = run(sql)
    defer { PQclear(result) }
    try check(result)
    if start != nil {
      note(sql, parameters: [], since: start, rows: Int(String(cString: PQcmdTuples(result))) ?? 0)
    }
  }

  /// Reports an executed statement to the statement trace.
  func note(
    _ sql: String, parameters: [PostgreSQLParameter], since start: ContinuousClock.Instant?,
    rows: Int
  ) {
    guard let start else { return }
    StatementTrace.note(
      StoreStatement(engine: "PostgreSQL", sql: sql, duration: .now - start, rows: rows)
    ) {
      parameters.map { "\($0)" }
    }
  }

  /// The last result of several statements, or the first that failed. For COPY, the result that
  /// announces it.
  func run(_ sql: String) -> OpaquePointer? {
    guard PQsendQuery(handle, sql) == 1 else { return nil }
    var last: OpaquePointer?
    while let result = nextResult() {
      if let last, ![PGRES_COMMAND_OK, PGRES_TUPLES_OK].contains(PQresultStatus(last)) {
        PQclear(result)
        continue
      }
      PQclear(last)
      last = result
      if [PGRES_COPY_IN, PGRES_COPY_OUT].contains(PQresultStatus(result)) { break }
    }
    return last
  }

  /// The protocol's maximum number of parameters.
  static let parameterLimit = 65_535

  /// Runs a statement. It stays prepared for later calls.
  @discardableResult
  func query(_ sql: String, parameters: [PostgreSQLParameter] = []) throws -> QueryResult {
    let start = StatementTrace.isOn ? ContinuousClock.now : nil
    try makeRoom()
    let name = try prepared(sql, parameters: parameters)
    let result = try Self.with(parameters) { values, lengths, formats in
      let sent = PQsendQueryPrepared(
        handle, name, Int32(parameters.count), values, lengths, formats, 1)
      return try checked(onlyResult(sent))
    }
    if start != nil { note(sql, parameters: parameters, since: start, rows: result.affected) }
    return result
  }

  /// One SQL text may be prepared several times, for nil and for parameters of different types.
  private struct Prepared {
    let name: String
    let types: [PostgreSQLType]

    func fits(_ parameters: [PostgreSQLParameter]) -> Bool {
      types.count == parameters.count && zip(types, parameters).allSatisfy { $0 == $1.type }
    }
  }

  private func prepared(_ sql: String, parameters: [PostgreSQLParameter]) throws -> String {
    if let found = known[sql]?.first(where: { $0.fits(parameters) }) { return found.name }
    nextName += 1
    let new = Prepared(name: "s\(nextName)", types: parameters.map(\.type))
    let sent = PQsendPrepare(
      handle, new.name, sql, Int32(parameters.count), new.types.map(\.rawValue))
    let result = try onlyResult(sent)
    defer { PQclear(result) }
    try check(result)
    known[sql, default: []].append(new)
    knownCount += 1
    return new.name
  }

  /// The result of a single request.
  private func onlyResult(_ sent: Int32) throws -> OpaquePointer? {
    guard sent == 1 else { throw failure(nil) }
    let result = nextResult()
    while let more = nextResult() { PQclear(more) }
    return result
  }

  /// Deallocates all prepared statements if there are too many. Not between preparing and running
  /// one.
  private func makeRoom() throws {
    guard knownCount >= Self.statementLimit else { return }
    try execute("DEALLOCATE ALL")
    known = [:]
    knownCount = 0
  }

  static func with<Result>(
    _ parameters: [PostgreSQLParameter],
    body: (
      UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<Int32>, UnsafePointer<Int32>
    ) throws -> Result
  ) rethrows -> Result {
    // Never empty, so that the buffer has a base address.
    var bytes: [UInt8] = [0]
    var starts: [Int?] = []
    var lengths: [Int32] = []
    for parameter in parameters {
      let start = bytes.count
      let isThere = parameter.append(to: &bytes)
      starts.append(isThere ? start : nil)
      lengths.append(Int32(bytes.count - start))
    }
    let formats = parameters.map(\.format)
    return try bytes.withUnsafeBytes { buffer in
      let base = buffer.baseAddress!.assumingMemoryBound(to: CChar.self)
      let values = starts.map { start in start.map { base + $0 } }
      return try values.withUnsafeBufferPointer { values in
        try lengths.withUnsafeBufferPointer { lengths in
          try formats.withUnsafeBufferPointer { formats in
            try body(
              values.baseAddress ?? UnsafePointer(bitPattern: 8)!,
              lengths.baseAddress ?? UnsafePointer(bitPattern: 8)!,
              formats.baseAddress ?? UnsafePointer(bitPattern: 8)!)
          }
        }
      }
    }
  }

  // MARK: - Pipelines

  struct Statement {
    let sql: String
    let parameters: [PostgreSQLParameter]
  }

  /// Number of statements after which results are read. The results must fit into the network
  /// buffers; otherwise client and server would block each other.
  private static let pipelineLength = 128

  /// Runs statements in a pipeline, without waiting for each result, and returns all results.
  /// Throws the error of the first statement that fails; later statements are not run.
  func results(of statements: [Statement]) throws -> [QueryResult] {
    if statements.isEmpty { return [] }
    if statements.count == 1 {
      return [try query(statements[0].sql, parameters: statements[0].parameters)]
    }
    let watched = StatementTrace.isOn ? ContinuousClock.now : nil
    try makeRoom()
    // Before the pipeline, since preparing waits for a result.
    let names = try statements.map { try prepared($0.sql, parameters: $0.parameters) }
    guard PQenterPipelineMode(handle) == 1 else { throw failure(nil) }
    var results: [QueryResult] = []
    results.reserveCapacity(statements.count)
    var failed: (any Error)?
    var start = 0
    while start < statements.count, failed == nil {
      let end = min(start + Self.pipelineLength, statements.count)
      failed = send(statements[start..<end], names: names[start..<end], results: &results)
      start = end
    }
    guard PQexitPipelineMode(handle) == 1 else { throw failed ?? failure(nil) }
    if let failed { throw failed }
    if watched != nil {
      // The results arrive together, so each statement is reported with the duration of all.
      for (statement, result) in zip(statements, results) {
        note(statement.sql, parameters: statement.parameters, since: watched, rows: result.affected)
      }
    }
    return results
  }

  private func send(
    _ statements: ArraySlice<Statement>, names: ArraySlice<String>, results: inout [QueryResult]
  ) -> (any Error)? {
    var sent = 0
    for (statement, name) in zip(statements, names) {
      let ok = Self.with(statement.parameters) { values, lengths, formats in
        PQsendQueryPrepared(
          handle, name, Int32(statement.parameters.count), values, lengths, formats, 1)
      }
      if ok != 1 { return failure(nil) }
      sent += 1
    }
    guard PQpipelineSync(handle) == 1 else { return failure(nil) }
    var failed: (any Error)?
    for _ in 0..<sent {
      guard let result = nextResult() else { return failed ?? failure(nil) }
      switch PQresultStatus(result) {
      case PGRES_COMMAND_OK, PGRES_TUPLES_OK: results.append(QueryResult(result))
      case PGRES_PIPELINE_ABORTED: PQclear(result)
      default:
        failed = failed ?? failure(result)
        PQclear(result)
      }
      // Consumes the end mark of this statement's results.
      if let more = nextResult() { PQclear(more) }
    }
    if let sync = nextResult() { PQclear(sync) }
    return failed
  }

  // MARK: - Errors

  func checked(_ result: OpaquePointer?) throws -> QueryResult {
    guard let result else { throw failure(nil) }
    switch PQresultStatus(result) {
    case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_SINGLE_TUPLE: return QueryResult(result)
    default:
      defer { PQclear(result) }
      throw failure(result)
    }
  }

  func check(_ result: OpaquePointer?) throws {
    switch result.map(PQresultStatus) {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: return
    default: throw failure(result)
    }
  }

  func failure(_ result: OpaquePointer?) -> PostgreSQLError {
    if let silence { return .silent(for: silence) }
    return PostgreSQLError(result, connection: handle, address: address)
  }
}

extension PostgreSQLConnection {
  /// Runs `body` in a transaction; rolls back if it throws.
  func transaction<Result>(_ mode: String = "", body: () throws -> Result) throws -> Result {
    try execute("BEGIN\(mode.isEmpty ? "" : " \(mode)")")
    do {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      // `try?`: a lost connection has been rolled back by the server. The first error has the
      // reason.
      try? execute("ROLLBACK")
      throw error
    }
  }

  /// Runs reads that see one snapshot.
  func snapshot<Result>(_ body: () throws -> Result) throws -> Result {
    try transaction("ISOLATION LEVEL REPEATABLE READ READ ONLY", body: body)
  }
}

extension PostgreSQLConnection {
  @discardableResult
  func query(_ statement: Statement) throws -> QueryResult {
    try query(statement.sql, parameters: statement.parameters)
  }
}
