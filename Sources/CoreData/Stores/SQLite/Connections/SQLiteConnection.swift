internal import CSQLite

/// A connection to a database: the only door to SQLite's C interface, with ``SQLiteStatement``.
///
/// Not thread-safe (it is opened without SQLite's own lock): ``SQLiteDatabase`` hands it to one thread
/// at a time.
///
/// Sendable in that sense alone: it may be used by one thread after the other.
final class SQLiteConnection: @unchecked Sendable {
  enum Access {
    case readOnly
    /// Read-only for a file that nobody changes: no lock, no files beside it.
    case immutable
    /// Read-only for a file with a log that nobody changes: no files beside it.
    case privateLog
    case readWrite
    case create
    case memory
  }

  let handle: OpaquePointer
  /// The file's path as SQLite has resolved it; empty for a database in memory.
  let file: String
  /// How long it waits for locks that others hold, milliseconds.
  private var patience: Int32
  /// Prepared statements by their text.
  private var statements: [SQLText: SQLiteStatement] = [:]
  private static let statementLimit = 256
  /// What is counted for who watches statements.
  var rowCounts: RowCounts?
  private var missingFunctions: ((SQLiteConnection) throws -> Void)?
  /// What the last object was read with; of the one store whose connection this is.
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

  /// Has functions registered when a statement asks for one that SQLite does not know.
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

  /// Runs `body` without waiting for locks that others hold.
  func withoutWaiting<Result>(_ body: () throws -> Result) rethrows -> Result {
    try waiting(atMost: 0, body)
  }

  /// Runs `body`, in which locks that others hold are waited for no longer than so many seconds.
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

  /// Whether the log stays as it is when the last connection closes, in place of being put into the database: for
  /// who looks at a file that may have to stay as it is.
  var keepsLogOnClosing = false {
    didSet { CSQLite_keepLogOnClosing(handle, keepsLogOnClosing ? 1 : 0) }
  }

  /// Whether its file is no longer where it was opened.
  var hasLostFile: Bool {
    var hasMoved: Int32 = 0
    return sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved) == SQLITE_OK
      && hasMoved != 0
  }

  /// What `PRAGMA trusted_schema = OFF` does, without a statement.
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

  /// Gives `body` the prepared statement of a text and keeps it for the next time.
  @inline(__always)
  func withStatement<Result>(
    _ sql: SQLText, _ body: (SQLiteStatement) throws -> Result
  ) throws -> Result {
    let statement = try takeStatement(sql)
    defer { statement.giveBack() }
    return try body(statement)
  }

  @inline(__always)
  func withStatement<Result>(
    _ sql: String, _ body: (SQLiteStatement) throws -> Result
  ) throws -> Result {
    try withStatement(SQLText(sql), body)
  }

  /// The prepared statement of a text, nobody else's until it is given back.
  func takeStatement(_ sql: SQLText) throws -> SQLiteStatement {
    if let kept = statements[sql], kept.take() { return kept }
    let made = try prepare(sql.text)
    if statements.count >= Self.statementLimit { statements.removeAll() }
    statements[sql] = made
    return made
  }

  /// The first column of the first row as text.
  func text(_ sql: String) throws -> String? {
    let statement = try prepare(sql)
    return try statement.step() ? statement.text(0) : nil
  }

  /// The first column of the first row as a number.
  func integer(_ sql: String) throws -> Int64? {
    let statement = try prepare(sql)
    return try statement.step() ? statement.integer(0) : nil
  }

  /// Writes everything that `body` writes, or nothing.
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

  /// Begins to write.
  func begin() throws { try withStatement("BEGIN IMMEDIATE") { try $0.run() } }

  func commit() throws { try withStatement("COMMIT") { try $0.run() } }

  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Lets everything that `body` reads be of one moment; a pinned connection's reads are anyway.
  func readTransaction<Result>(_ body: () throws -> Result) throws -> Result {
    if isInTransaction { return try body() }
    try withStatement("BEGIN") { try $0.run() }
    defer { rollBack() }
    return try body()
  }

  /// SQLite rolls back by itself after some errors; then there is nothing left to be done.
  func rollBack() {
    guard isInTransaction else { return }
    // The error that led here is the one that the caller gets; a failing rollback adds nothing to it.
    try? withStatement("ROLLBACK") { try $0.run() }
  }
}
