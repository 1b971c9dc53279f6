internal import CSQLite

/// A prepared statement: bound by type, stepped, read column by column without boxing.
///
/// Made and kept by one ``SQLiteConnection``; used by whoever holds that connection.
final class SQLiteStatement {
  // Valid from `init` to `deinit`; the connection gives its statements up before it closes.
  private let handle: OpaquePointer
  private let connection: OpaquePointer
  // By whoever has it made.
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

  /// True for a row, false at the end.
  @inline(__always)
  func step() throws -> Bool {
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    if code == SQLITE_DONE { return false }
    throw SQLiteConnection.error(code, of: connection)
  }

  /// Runs a statement without rows and makes it ready for the next values.
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

  /// Back to the start; the values stay bound.
  func reset() { sqlite3_reset(handle) }

  /// False when somebody else has taken it.
  func take() -> Bool {
    if isTaken { return false }
    isTaken = true
    return true
  }

  /// Back to the start without values, for whoever takes it next.
  func giveBack() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
    isTaken = false
  }

  /// How many rows the last run of the connection has changed.
  var changes: Int { Int(sqlite3_changes(connection)) }
  var columnCount: Int { Int(sqlite3_column_count(handle)) }
  var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle)) }

  func columnName(_ index: Int) -> String {
    sqlite3_column_name(handle, Int32(index)).map { String(cString: $0) } ?? ""
  }
}

// Parameters are counted from 1, as in SQL.
extension SQLiteStatement {
  @inline(__always)
  func bind(_ value: Int64, at index: Int32) { sqlite3_bind_int64(handle, index, value) }

  @inline(__always)
  func bind(_ value: Double, at index: Int32) { sqlite3_bind_double(handle, index, value) }

  @inline(__always)
  func bindNull(at index: Int32) { sqlite3_bind_null(handle, index) }

  /// SQLite keeps a copy: a value may be released before the statement runs.
  @inline(__always)
  func bind(_ value: String, at index: Int32) {
    var value = value
    value.withUTF8 { bind(text: $0, at: index) }
  }

  func bind(text: UnsafeBufferPointer<UInt8>, at index: Int32) {
    // An empty buffer may have no address, which SQLite would take for NULL.
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

  /// `SQLITE_TRANSIENT`, which C spells as a cast of −1.
  private static var copied: sqlite3_destructor_type {
    unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }
}

// Columns are counted from 0, as SQLite does.
extension SQLiteStatement {
  @inline(__always)
  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  enum ValueType {
    case null, integer, real, text, data
  }

  /// What a column holds in this row, whatever it was declared as.
  func type(of column: Int32) -> ValueType {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .data
    default: .null
    }
  }

  /// 0 for NULL.
  @inline(__always)
  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  /// 0 for NULL.
  @inline(__always)
  func real(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

  @inline(__always)
  func isInteger(_ column: Int32) -> Bool {
    sqlite3_column_type(handle, column) == SQLITE_INTEGER
  }

  /// Nil for NULL. Bytes that are no UTF-8 become replacement characters.
  @inline(__always)
  func text(_ column: Int32) -> String? {
    bytes(column).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The bytes of a text until the next step; nil for NULL.
  @inline(__always)
  func bytes(_ column: Int32) -> UnsafeBufferPointer<UInt8>? {
    guard let base = sqlite3_column_text(handle, column) else { return nil }
    return UnsafeBufferPointer(start: base, count: Int(sqlite3_column_bytes(handle, column)))
  }

  /// Nil for NULL.
  func data(_ column: Int32) -> Data? {
    if isNull(column) { return nil }
    let base = sqlite3_column_blob(handle, column)
    let count = Int(sqlite3_column_bytes(handle, column))
    return base.map { Data(bytes: $0, count: count) } ?? Data()
  }

  /// How many bytes a column has, which are not read for that.
  func byteCount(_ column: Int32) -> Int { Int(sqlite3_column_bytes(handle, column)) }

  /// The bytes of a column while `body` runs; nil for NULL.
  func withBytes<Result>(
    _ column: Int32, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result? {
    if isNull(column) { return nil }
    let base = sqlite3_column_blob(handle, column)
    let count = Int(sqlite3_column_bytes(handle, column))
    return body(UnsafeRawBufferPointer(start: base, count: base == nil ? 0 : count))
  }
}
