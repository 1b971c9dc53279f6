internal import CPostgreSQL
import CoreData

/// A connection to the server, with the statements that it has prepared.
///
/// Sendable: used by one thread at a time; its pool says by which.
final class PostgreSQLConnection: @unchecked Sendable {
  /// How many statements are kept prepared.
  static let statementLimit = 256

  let address: ServerAddress
  let handle: OpaquePointer
  /// Under which this connection's transactions are marked, and how many were.
  let saver = UUID()
  var marks: Int64 = 0
  /// Prepared statements by their text.
  private var known: [String: [Prepared]] = [:]
  private var knownCount = 0
  private var nextName = 0
  /// Whether it is not to be used again.
  var isSpent = false
  /// How long its server is waited for now.
  var limits: TimeLimits
  /// How long it was silent when it was given up; nil for one that was not.
  var silence: TimeInterval?
  var hasPreparedCursors = false
  /// How far in the primary's log its server has come, of a standby.
  var replayed: UInt64 = 0

  /// Connects. Throws for a server that is too old or has texts in another encoding.
  convenience init(_ address: ServerAddress, timeout: TimeInterval?) throws {
    try self.init(address, limits: TimeLimits(timeout))
  }

  init(_ address: ServerAddress, limits: TimeLimits) throws {
    self.address = address
    self.limits = limits
    handle = try Self.connect(address, limits.connecting)
    // When this throws, the object is whole, and its end closes the connection.
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

  /// What the server says of itself.
  func parameter(_ name: String) -> String? {
    PQparameterStatus(handle, name).map { String(cString: $0) }
  }

  /// Whether it can be given back for others: no transaction is open, and the server answers.
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
    note(sql, [], since: start, rows: 0)
  }

  /// Tells who watches statements of one that has been run.
  func note(
    _ sql: String, _ parameters: [PostgreSQLParameter], since start: ContinuousClock.Instant?,
    rows: Int
  ) {
    guard let start else { return }
    StatementTrace.note(
      StoreStatement(engine: "PostgreSQL", sql: sql, duration: .now - start, rows: rows)
    ) {
      parameters.map { "\($0)" }
    }
  }

  /// What the last of several statements gave, or the first that failed; of one that copies, that it has begun.
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

  /// As many parameters as the protocol can count.
  static let parameterLimit = 65_535

  /// Runs a statement, which stays prepared.
  @discardableResult
  func query(_ sql: String, _ parameters: [PostgreSQLParameter] = []) throws -> QueryResult {
    let start = StatementTrace.isOn ? ContinuousClock.now : nil
    try makeRoom()
    let name = try prepared(sql, parameters)
    let result = try Self.with(parameters) { values, lengths, formats in
      let sent = PQsendQueryPrepared(
        handle, name, Int32(parameters.count), values, lengths, formats, 1)
      return try checked(onlyResult(sent))
    }
    if start != nil { note(sql, parameters, since: start, rows: result.affected) }
    return result
  }

  /// One text may come with nils and values of several types.
  private struct Prepared {
    let name: String
    let types: [PostgreSQLType]

    func fits(_ parameters: [PostgreSQLParameter]) -> Bool {
      types.count == parameters.count && zip(types, parameters).allSatisfy { $0 == $1.type }
    }
  }

  private func prepared(_ sql: String, _ parameters: [PostgreSQLParameter]) throws -> String {
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

  /// What the server says to a single request.
  private func onlyResult(_ sent: Int32) throws -> OpaquePointer? {
    guard sent == 1 else { throw failure(nil) }
    let result = nextResult()
    while let more = nextResult() { PQclear(more) }
    return result
  }

  /// Forgets statements when there are many. Not between preparing and running one.
  private func makeRoom() throws {
    guard knownCount >= Self.statementLimit else { return }
    try execute("DEALLOCATE ALL")
    known = [:]
    knownCount = 0
  }

  static func with<Result>(
    _ parameters: [PostgreSQLParameter],
    _ body: (
      UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<Int32>, UnsafePointer<Int32>
    ) throws -> Result
  ) rethrows -> Result {
    // Never empty, so that it has an address.
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

  // MARK: - Many statements in few round trips

  struct Statement {
    let sql: String
    let parameters: [PostgreSQLParameter]
  }

  /// Between two stops for answers: what the server answers must fit into the buffers on the way, or both
  /// sides would wait for each other.
  private static let pipelineLength = 128

  /// Runs statements one after the other without waiting for each answer; what each gave. Throws what the
  /// first one that fails says; those after it are not run.
  func results(of statements: [Statement]) throws -> [QueryResult] {
    if statements.isEmpty { return [] }
    if statements.count == 1 {
      return [try query(statements[0].sql, statements[0].parameters)]
    }
    let watched = StatementTrace.isOn ? ContinuousClock.now : nil
    try makeRoom()
    // Preparing waits for an answer; not in a pipeline.
    let names = try statements.map { try prepared($0.sql, $0.parameters) }
    guard PQenterPipelineMode(handle) == 1 else { throw failure(nil) }
    var results: [QueryResult] = []
    results.reserveCapacity(statements.count)
    var failed: (any Error)?
    var start = 0
    while start < statements.count, failed == nil {
      let end = min(start + Self.pipelineLength, statements.count)
      failed = send(statements[start..<end], names[start..<end], &results)
      start = end
    }
    guard PQexitPipelineMode(handle) == 1 else { throw failed ?? failure(nil) }
    if let failed { throw failed }
    if watched != nil {
      // They come together: each is said to have taken what all of them took.
      for (statement, result) in zip(statements, results) {
        note(statement.sql, statement.parameters, since: watched, rows: result.affected)
      }
    }
    return results
  }

  private func send(
    _ statements: ArraySlice<Statement>, _ names: ArraySlice<String>, _ results: inout [QueryResult]
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
      // The end of this statement's answers.
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
    return PostgreSQLError(result, handle, address)
  }
}

extension PostgreSQLConnection {
  /// Runs `body` in a transaction; rolls back when it throws.
  func transaction<Result>(_ mode: String = "", _ body: () throws -> Result) throws -> Result {
    try execute("BEGIN\(mode.isEmpty ? "" : " \(mode)")")
    do {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      // A connection that is gone has rolled back; the first error says why.
      try? execute("ROLLBACK")
      throw error
    }
  }

  /// Reads that see one moment.
  func snapshot<Result>(_ body: () throws -> Result) throws -> Result {
    try transaction("ISOLATION LEVEL REPEATABLE READ READ ONLY", body)
  }
}
