/// What a function throws whose body was left out of its copy, since it needs what this platform
/// has not.
///
/// Functions that throw nothing end the program with the same text.
public struct LeftOutError: Error, CustomStringConvertible {
  /// The function, and what its body needs.
  public let description: String

  /// Creates an error with its text.
  public init(_ description: String) { self.description = description }
}
