internal import CSQLite

/// A connection to a database. With ``SQLiteStatement``, the only user of SQLite's C interface for
/// statements.
///
/// Not thread-safe, since it is opened without SQLite's own lock: ``SQLiteDatabase`` lends it to
/// one thread at a time.
///
/// Sendable in that sense alone: it may pass from one thread to the next.
final class SQLiteConnection: @unchecked Sendable {
  enum Access {
    case readOnly
    /// Read-only for a file that no process changes: no lock, no files beside it.
    case immutable
    /// Read-only for a file with a log that no process changes: no files beside it.
    case privateLog
    case readWrite
    case create
    case memory
  }

  let handle: OpaquePointer
  /// The file's path as SQLite has resolved it; empty for a database in memory.
  let file: String
  /// The time for which the connection waits for the locks of others, in milliseconds.
  private var patience: Int32
  /// The prepared statements by their text.
  private var statements: [SQLText: SQLiteStatement] = [:]
  private static let statementLimit = 256
  /// The row counts for statement tracing; nil without tracing.
  var rowCounts: RowCounts?
  private var missingFunctions: ((SQLiteConnection) throws -> Void)?
  /// The reader of the last object that was read by key. Only for the connection of a single store.
  @exclusivity(unchecked)
  var rowReader: RowByKeyReader?

  let mayWrite: Bool

  init(path: String, access: Access, timeout: TimeInterval) throws {
    mayWrite = [.readWrite, .create, .memory].contains(access)
    var handle: OpaquePointer?
    let name = access == .immutable ? Self.immutableName(path) : path
    let system = access == .privateLog ? PrivateLogFileSystem.register() : nil
    let code = sqlite3_open_v2(name, &handle, Self.flags(access), system)
    guard code == SQLITE_OK, let handle else {
      let error = handle.map { Self.error(code, of: $0) }
      sqlite3_close_v2(handle)
      throw error ?? SQLiteError(code: code, message: "out of memory")
    }
    self.handle = handle
    file = sqlite3_db_filename(handle, "main").map { String(cString: $0) } ?? ""
    sqlite3_extended_result_codes(handle, 1)
    patience = Int32(clamping: Int(min(timeout, 1_000_000) * 1000))
    sqlite3_busy_timeout(handle, patience)
    if StatementTrace.isOn { trace() }
  }

  /// Registers functions with `register` when a statement first uses one that SQLite does not know.
  func registerWhenNeeded(_ register: @escaping (SQLiteConnection) throws -> Void) {
    missingFunctions = register
  }

  func prepare(_ sql: String) throws -> SQLiteStatement {
    do { return try SQLiteStatement(sql, connection: handle) } catch let error as SQLiteError {
      guard error.primaryCode == SQLITE_ERROR, let register = missingFunctions else { throw error }
      missingFunctions = nil
      try register(self)
      return try SQLiteStatement(sql, connection: handle)
    }
  }

  /// Runs `body` without waiting for the locks of others.
  func withoutWaiting<Result>(_ body: () throws -> Result) rethrows -> Result {
    try waiting(atMost: 0, body)
  }

  /// Runs `body`, which waits for the locks of others for at most `seconds`.
  func waiting<Result>(
    atMost seconds: TimeInterval, _ body: () throws -> Result
  ) rethrows -> Result {
    let former = patience
    patience = min(former, Int32(clamping: Int(min(seconds, 1_000_000) * 1000)))
    sqlite3_busy_timeout(handle, patience)
    defer {
      patience = former
      sqlite3_busy_timeout(handle, former)
    }
    return try body()
  }

  deinit {
    statements.removeAll()
    rowReader = nil
    sqlite3_close_v2(handle)
  }

  /// Whether the log stays unchanged when the last connection closes, instead of being copied into
  /// the database. For readers of a file that must not change.
  var keepsLogOnClosing = false {
    didSet { CSQLite_keepLogOnClosing(handle, keepsLogOnClosing ? 1 : 0) }
  }

  /// The size of the write-ahead log's file in bytes; 0 without one.
  var logSize: Int64 { CSQLite_logSize(handle) }

  /// Copies the write-ahead log into the database and empties its file, as far as others do not use
  /// them.
  func emptyLog() {
    // Not needed for the data: whatever fails here is done by a later transaction.
    _ = sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
  }

  /// Whether the file is no longer at the path where it was opened.
  var hasLostFile: Bool {
    var hasMoved: Int32 = 0
    return sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved) == SQLITE_OK
      && hasMoved != 0
  }

  /// Sets `PRAGMA trusted_schema = OFF` without a statement.
  func distrustSchema() { CSQLite_trustSchema(handle, 0) }

  private static func flags(_ access: Access) -> Int32 {
    let opening =
      switch access {
      case .readOnly, .privateLog: SQLITE_OPEN_READONLY
      case .immutable: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      case .readWrite: SQLITE_OPEN_READWRITE
      case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      case .memory: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY
      }
    return opening | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
  }

  private static func immutableName(_ path: String) -> String {
    let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "/-_.~"))
    let escaped = path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path
    return "file:\(escaped)?immutable=1"
  }

  static func error(_ code: Int32, of handle: OpaquePointer) -> SQLiteError {
    let extended = sqlite3_extended_errcode(handle)
    let message = sqlite3_errmsg(handle).map { String(cString: $0) } ?? "unknown error"
    return SQLiteError(code: extended == SQLITE_OK ? code : extended, message: message)
  }
}

extension SQLiteConnection {
  /// Runs a statement that is needed once.
  func execute(_ sql: String) throws {
    let statement = try prepare(sql)
    while try statement.step() {}
  }

  /// Runs `body` with the prepared statement of a text, which is kept for further calls.
  @inline(__always)
  func withStatement<Result>(
    _ sql: SQLText, body: (SQLiteStatement) throws -> Result
  ) throws -> Result {
    let statement = try takeStatement(sql)
    defer { statement.giveBack() }
    return try body(statement)
  }

  @inline(__always)
  func withStatement<Result>(
    _ sql: String, body: (SQLiteStatement) throws -> Result
  ) throws -> Result {
    try withStatement(SQLText(sql), body: body)
  }

  /// The prepared statement of a text, reserved for the caller until it is given back.
  func takeStatement(_ sql: SQLText) throws -> SQLiteStatement {
    if let kept = statements[sql], kept.take() { return kept }
    let made = try prepare(sql.text)
    if statements.count >= Self.statementLimit { statements.removeAll() }
    statements[sql] = made
    return made
  }

  /// The first column of the first row as text; nil without a row.
  func text(_ sql: String) throws -> String? {
    let statement = try prepare(sql)
    return try statement.step() ? statement.text(0) : nil
  }

  /// The first column of the first row as a number; nil without a row.
  func integer(_ sql: String) throws -> Int64? {
    let statement = try prepare(sql)
    return try statement.step() ? statement.integer(0) : nil
  }

  /// Commits everything that `body` writes, or nothing if it throws.
  func writeTransaction<Result>(_ body: () throws -> Result) throws -> Result {
    try begin()
    do {
      let result = try body()
      try commit()
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  /// Begins a transaction that may write.
  func begin() throws { try withStatement("BEGIN IMMEDIATE") { try $0.run() } }

  func commit() throws { try withStatement("COMMIT") { try $0.run() } }

  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Runs `body`, whose reads are all as of one moment. A pinned connection is in its transaction
  /// already.
  func readTransaction<Result>(_ body: () throws -> Result) throws -> Result {
    if isInTransaction { return try body() }
    try withStatement("BEGIN") { try $0.run() }
    defer { rollBack() }
    return try body()
  }

  /// Rolls back, unless SQLite has done it after an error.
  func rollBack() {
    guard isInTransaction else { return }
    // The caller gets the original error; that of a failing rollback would add nothing to it.
    try? withStatement("ROLLBACK") { try $0.run() }
  }
}
