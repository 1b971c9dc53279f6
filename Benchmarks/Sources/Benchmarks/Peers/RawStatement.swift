import CSQLite

/// A prepared statement of the C API.
final class RawStatement {
  let handle: OpaquePointer

  init(_ sql: String, on connection: OpaquePointer) throws {
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v2(connection, sql, -1, &statement, nil)
    guard code == SQLITE_OK, let statement else {
      throw BenchmarkError.sqlite(code, String(cString: sqlite3_errmsg(connection)))
    }
    handle = statement
  }

  deinit { sqlite3_finalize(handle) }

  /// Whether there is a row.
  @inline(__always)
  func step() throws -> Bool {
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    if code == SQLITE_DONE { return false }
    throw BenchmarkError.sqlite(code, "step")
  }

  @inline(__always)
  func text(_ column: Int32) -> String? {
    guard let bytes = sqlite3_column_text(handle, column) else { return nil }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  /// Binds a text without copying it; the text lives until the statement has stepped.
  @inline(__always)
  func bind<Result>(_ text: String, to index: Int32, whileBound body: () throws -> Result) rethrows
    -> Result
  {
    var text = text
    return try text.withUTF8 { bytes in
      try bytes.withMemoryRebound(to: CChar.self) {
        sqlite3_bind_text(handle, index, $0.baseAddress, Int32($0.count), nil)
        return try body()
      }
    }
  }
}
