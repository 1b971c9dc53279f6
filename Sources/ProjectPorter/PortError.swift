/// Why a project cannot be ported at all: what was expected, what was found, what to do.
public struct PortError: Error, CustomStringConvertible {
  public let description: String

  public init(_ description: String) { self.description = description }
}
