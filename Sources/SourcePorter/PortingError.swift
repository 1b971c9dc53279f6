/// Why sources could not be ported at all.
public struct PortingError: Error, CustomStringConvertible {
  public let description: String

  public init(_ description: String) { self.description = description }
}
