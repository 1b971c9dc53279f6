import Foundation

/// A message as it travels: see `WireWriter` for its form.
///
/// Whoever brings messages to and fro otherwise than `URLSessionSyncTransport` sends
/// `encodedMessage()` and reads `init(encodedMessage:)`.
public protocol SyncMessage: Sendable {
  /// The bytes of the message: equal messages have equal bytes.
  func encodedMessage() -> Data
  /// Reads a message from bytes, whoever sent them.
  ///
  /// - Throws: `SyncWireError`.
  init(encodedMessage: Data) throws
}

/// A message that knows its fields.
protocol WireMessage: SyncMessage {
  func write(to writer: inout WireWriter)
  init(from reader: inout WireReader) throws
}

extension WireMessage {
  /// The bytes of the message, as on the wire.
  public func encodedMessage() -> Data {
    var writer = WireWriter()
    write(to: &writer)
    return Data(writer.message())
  }

  /// Reads a message from bytes. Throws `SyncWireError`.
  public init(encodedMessage: Data) throws {
    var reader = try WireReader(encodedMessage)
    try self.init(from: &reader)
    try reader.finish()
  }
}
