internal import CPostgreSQL
import CoreData

/// Many rows for one table at once: `COPY … FROM STDIN` in the binary form.
///
///     signature  PGCOPY\n\377\r\n\0, flags, length of the extension
///     row        number of fields (2 bytes), then each field: length (4 bytes, −1 for NULL) and bytes
///     end        −1 (2 bytes)
///
/// Nothing else may be asked of the connection until ``end()``; inside of a transaction, which is over when this
/// throws. Used by one thread.
final class CopyStream {
  private static let chunk = 1 << 16
  /// With no flags and no extension.
  private static let signature: [UInt8] =
    Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [UInt8](repeating: 0, count: 8)

  private let connection: PostgreSQLConnection
  private var buffer: CopyBuffer

  /// - Parameter isReady: whether what is sent is in the binary form already, from its signature on: see ``send(_:)``.
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

  /// A row of those whose columns the stream was made with.
  func append(_ row: Row, key: Int64, of rows: NewRows) throws {
    try rows.write(row, key: key, to: &buffer)
    if buffer.count >= Self.chunk { try flush() }
  }

  private func flush() throws {
    try buffer.withUnsafeBytes { try connection.sendCopied($0) }
    buffer.removeAll()
  }

  /// What another server has given.
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
    // It would keep in memory whatever it is given.
    flush()
  }

  /// Gives `body` what `COPY … TO STDOUT` says, piece by piece. What `body` throws ends the connection's use.
  func copying(_ sql: String, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
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

  /// Ends a COPY that came to nothing, so that the connection answers again.
  func abandonCopying() {
    guard PQtransactionStatus(handle) == PQTRANS_ACTIVE else { return }
    guard putCopyEnd("abandoned") else { return }
    // What it says is that it was abandoned.
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
