/// The reason why a project cannot be ported: expectation, finding and remedy.
public struct PortError: Error, CustomStringConvertible {
  /// The message for the user.
  public let description: String

  /// Creates an error with a message for the user.
  public init(_ description: String) { self.description = description }
}
