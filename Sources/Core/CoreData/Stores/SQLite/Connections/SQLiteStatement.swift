internal import CSQLite

/// A prepared statement: bound by type, stepped, and read column by column without boxing.
///
/// Made by one ``SQLiteConnection`` and used by the thread that has that connection.
final class SQLiteStatement {
  // Valid from `init` to `deinit`: the connection releases its statements before it closes.
  private let handle: OpaquePointer
  private let connection: OpaquePointer
  // Whether the statement is in use; a new one is, by the caller that had it made.
  @exclusivity(unchecked)
  private var isTaken = true

  init(_ sql: String, connection: OpaquePointer) throws {
    var sql = sql
    var handle: OpaquePointer?
    let code = sql.withUTF8 { text in
      text.withMemoryRebound(to: CChar.self) {
        sqlite3_prepare_v3(
          connection, $0.baseAddress, Int32($0.count), UInt32(SQLITE_PREPARE_PERSISTENT), &handle,
          nil)
      }
    }
    guard code == SQLITE_OK, let handle else {
      throw SQLiteConnection.error(code, of: connection)
    }
    self.handle = handle
    self.connection = connection
  }

  deinit { sqlite3_finalize(handle) }

  /// True if there is a row, false at the end.
  @inline(__always)
  func step() throws -> Bool {
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    if code == SQLITE_DONE { return false }
    throw SQLiteConnection.error(code, of: connection)
  }

  /// Runs a statement without rows and resets it; the values stay bound.
  @inline(__always)
  func run() throws {
    let code = sqlite3_step(handle)
    guard code == SQLITE_DONE || code == SQLITE_ROW else {
      let error = SQLiteConnection.error(code, of: connection)
      sqlite3_reset(handle)
      throw error
    }
    sqlite3_reset(handle)
  }

  /// Returns to the start; the values stay bound.
  func reset() { sqlite3_reset(handle) }

  /// Reserves the statement; false if it is in use.
  func take() -> Bool {
    if isTaken { return false }
    isTaken = true
    return true
  }

  /// Resets the statement, clears its values and releases it for the next user.
  func giveBack() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
    isTaken = false
  }

  /// The number of rows that the connection's last statement changed.
  var changes: Int { Int(sqlite3_changes(connection)) }
  var columnCount: Int { Int(sqlite3_column_count(handle)) }
  var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle)) }

  func columnName(_ index: Int) -> String {
    sqlite3_column_name(handle, Int32(index)).map { String(cString: $0) } ?? ""
  }
}

// Parameters are numbered from 1, as in SQL.
extension SQLiteStatement {
  @inline(__always)
  func bind(_ value: Int64, at index: Int32) { sqlite3_bind_int64(handle, index, value) }

  @inline(__always)
  func bind(_ value: Double, at index: Int32) { sqlite3_bind_double(handle, index, value) }

  @inline(__always)
  func bindNull(at index: Int32) { sqlite3_bind_null(handle, index) }

  /// Binds a text, which SQLite copies: it may be released before the statement runs.
  @inline(__always)
  func bind(_ value: String, at index: Int32) {
    var value = value
    value.withUTF8 { bind(text: $0, at: index) }
  }

  func bind(text: UnsafeBufferPointer<UInt8>, at index: Int32) {
    // An empty buffer may have no address, which SQLite would read as NULL.
    guard let base = text.baseAddress else {
      sqlite3_bind_text64(handle, index, "", 0, Self.copied, UInt8(SQLITE_UTF8))
      return
    }
    base.withMemoryRebound(to: CChar.self, capacity: text.count) {
      _ = sqlite3_bind_text64(
        handle, index, $0, UInt64(text.count), Self.copied, UInt8(SQLITE_UTF8))
    }
  }

  func bind(_ value: Data, at index: Int32) {
    guard !value.isEmpty else {
      sqlite3_bind_zeroblob(handle, index, 0)
      return
    }
    value.withUnsafeBytes {
      _ = sqlite3_bind_blob64(handle, index, $0.baseAddress, UInt64($0.count), Self.copied)
    }
  }

  /// `SQLITE_TRANSIENT`, in C a cast of −1. `unsafeBitCast` is sound: both are one word, and SQLite
  /// compares the value and never calls it.
  private static var copied: sqlite3_destructor_type {
    unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }
}

// Columns are numbered from 0, as in SQLite.
extension SQLiteStatement {
  @inline(__always)
  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  enum ValueType {
    case null, integer, real, text, data
  }

  /// The type of a column's value in this row, which may differ from the column's declared type.
  func type(of column: Int32) -> ValueType {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .data
    default: .null
    }
  }

  /// The column's integer; 0 for NULL.
  @inline(__always)
  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  /// The column's floating-point number; 0 for NULL.
  @inline(__always)
  func real(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

  @inline(__always)
  func isInteger(_ column: Int32) -> Bool {
    sqlite3_column_type(handle, column) == SQLITE_INTEGER
  }

  /// The column's text; nil for NULL. Bytes that are not UTF-8 become replacement characters.
  @inline(__always)
  func text(_ column: Int32) -> String? {
    bytes(column).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The bytes of the column's text, valid until the next step; nil for NULL.
  @inline(__always)
  func bytes(_ column: Int32) -> UnsafeBufferPointer<UInt8>? {
    guard let base = sqlite3_column_text(handle, column) else { return nil }
    return UnsafeBufferPointer(start: base, count: Int(sqlite3_column_bytes(handle, column)))
  }

  /// The column's bytes; nil for NULL.
  func data(_ column: Int32) -> Data? {
    if isNull(column) { return nil }
    let base = sqlite3_column_blob(handle, column)
    let count = Int(sqlite3_column_bytes(handle, column))
    return base.map { Data(bytes: $0, count: count) } ?? Data()
  }

  /// The number of the column's bytes, which are not read for that.
  func byteCount(_ column: Int32) -> Int { Int(sqlite3_column_bytes(handle, column)) }

  /// Runs `body` with the column's bytes, valid while it runs; nil for NULL.
  func withBytes<Result>(
    _ column: Int32, body: (UnsafeRawBufferPointer) -> Result
  ) -> Result? {
    if isNull(column) { return nil }
    let base = sqlite3_column_blob(handle, column)
    let count = Int(sqlite3_column_bytes(handle, column))
    return body(UnsafeRawBufferPointer(start: base, count: base == nil ? 0 : count))
  }
}
