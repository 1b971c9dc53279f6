extension UndoManager {
  /// The key of a value that a client keeps with a group.
  public struct UserInfoKey: RawRepresentable, Hashable, Sendable {
    /// The name of the key.
    public let rawValue: String

    /// Makes a key with the given name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Makes a key with the given name.
    public init(_ rawValue: String) {
      self.rawValue = rawValue
    }
  }
}
