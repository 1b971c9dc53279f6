/// Why bytes are no message.
public struct SyncWireError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong with the bytes.
  public enum Reason: String, Hashable, Sendable {
    /// The bytes end in the midst of an item, or go on after the message.
    case length
    /// An item is of another kind than the message has there, or not in its shortest form.
    case form
    /// A limit is exceeded: depth, names, or the number of items.
    case limit
    /// A field that the message must have is missing.
    case missing
    /// The message is of a protocol that is not spoken here.
    case protocolNumber
  }
  /// What kind of fault it is.
  public let reason: Reason
  /// What was expected, at which byte.
  public let message: String

  init(_ reason: Reason, _ message: String) {
    self.reason = reason
    self.message = message
  }

  public var description: String { message }
}
