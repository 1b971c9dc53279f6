internal import CPostgreSQL
import CoreData

/// Bulk insert into one table: `COPY … FROM STDIN` in binary format.
///
///     signature  PGCOPY\n\377\r\n\0, flags, length of the extension
///     row        number of fields (2 bytes), then each field: length (4 bytes, −1 for NULL),
///                bytes
///     end        −1 (2 bytes)
///
/// Until ``end()``, the connection accepts no other requests. Runs inside of a transaction, which
/// is aborted if this throws. Used by one thread.
final class CopyStream {
  private static let chunk = 1 << 16
  /// The header, without flags and extension.
  private static let signature: [UInt8] =
    Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [UInt8](repeating: 0, count: 8)

  private let connection: PostgreSQLConnection
  private var buffer: CopyBuffer

  /// - Parameter isReady: whether the data is already in binary format including the header; see
  ///   ``send(_:)``.
  init(
    _ connection: PostgreSQLConnection, table: String, columns: [String], isReady: Bool = false
  ) throws {
    self.connection = connection
    buffer = CopyBuffer(capacity: isReady ? 64 : Self.chunk * 2)
    let names = columns.map(SchemaNames.quoted).joined(separator: ", ")
    try connection.beginCopying(
      "COPY \(SchemaNames.quoted(table)) (\(names)) FROM STDIN (FORMAT binary)")
    if !isReady { Self.signature.withUnsafeBytes { buffer.append($0) } }
  }

  /// Appends a row with the columns that the stream was created with.
  func append(_ row: Row, key: Int64, of rows: NewRows) throws {
    try rows.write(row, key: key, to: &buffer)
    if buffer.count >= Self.chunk { try flush() }
  }

  private func flush() throws {
    try buffer.withUnsafeBytes { try connection.sendCopied($0) }
    buffer.removeAll()
  }

  /// Sends data that another server's COPY returned.
  func send(_ bytes: UnsafeRawBufferPointer) throws { try connection.sendCopied(bytes) }

  func endSending() throws { try connection.endCopying() }

  func end() throws {
    buffer.append(-1 as Int16)
    try flush()
    try connection.endCopying()
  }
}

extension PostgreSQLConnection {
  fileprivate func beginCopying(_ sql: String) throws {
    let result = run(sql)
    defer { PQclear(result) }
    guard PQresultStatus(result) == PGRES_COPY_IN else { throw failure(result) }
  }

  fileprivate func sendCopied(_ bytes: UnsafeRawBufferPointer) throws {
    var sent: Int32 = 0
    wait {
      sent = PQputCopyData(
        handle, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count))
      return sent == 0
    }
    guard sent == 1 else { throw failure(nil) }
    // Flushed, because libpq would buffer data without limit.
    flush()
  }

  /// Passes the output of `COPY … TO STDOUT` to `body` in pieces. If `body` throws, the connection
  /// cannot be used any more.
  func copying(_ sql: String, body: (UnsafeRawBufferPointer) throws -> Void) throws {
    let result = run(sql)
    defer { PQclear(result) }
    guard PQresultStatus(result) == PGRES_COPY_OUT else { throw failure(result) }
    var piece: UnsafeMutablePointer<CChar>?
    while true {
      var length: Int32 = 0
      wait {
        length = PQgetCopyData(handle, &piece, 1)
        return length == 0
      }
      guard length > 0, let bytes = piece else { break }
      defer { PQfreemem(bytes) }
      do { try body(UnsafeRawBufferPointer(start: bytes, count: Int(length))) } catch {
        isSpent = true
        throw error
      }
    }
    try drain()
  }

  fileprivate func endCopying() throws {
    guard putCopyEnd(nil) else { throw failure(nil) }
    try drain()
  }

  /// Aborts a COPY, so that the connection accepts requests again.
  func abandonCopying() {
    guard PQtransactionStatus(handle) == PQTRANS_ACTIVE else { return }
    guard putCopyEnd("abandoned") else { return }
    // The error only says that the COPY was aborted.
    try? drain()
  }

  private func putCopyEnd(_ reason: String?) -> Bool {
    var sent: Int32 = 0
    wait {
      sent = PQputCopyEnd(handle, reason)
      return sent == 0
    }
    return sent == 1
  }

  private func drain() throws {
    var failed: PostgreSQLError?
    while let result = nextResult() {
      if PQresultStatus(result) != PGRES_COMMAND_OK { failed = failed ?? failure(result) }
      PQclear(result)
    }
    if let failed { throw failed }
  }
}
