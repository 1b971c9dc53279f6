/// The reason why sources could not be ported.
public struct PortingError: Error, CustomStringConvertible {
  /// The message, in the form of compiler messages.
  public let description: String

  /// Creates an error with a message.
  public init(_ description: String) { self.description = description }
}
