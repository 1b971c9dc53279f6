/// A value that a person set and that does not count, or does not show, because of something else.
public struct SyncLoss: Hashable, Sendable {
  /// What it lost to.
  public enum Reason: Hashable, Sendable {
    /// Somebody set the property later.
    case overwritten
    /// The object is deleted, or hangs on one that is.
    case deleted
    /// This replica may not write it; the server's words.
    case denied(String)
    /// The object with it would be invalid, or would collide with another; the error's words.
    case held(String)
  }
  /// The entity of the object.
  public var entity: String
  /// The URI of the object's ID, if the store has it.
  public var object: String?
  /// The property; nil for the object itself.
  public var property: String?
  /// The value that lost.
  public var value: SyncValue?
  /// What it lost to.
  public var reason: Reason

  /// A loss of a value, or of an object.
  public init(
    entity: String, object: String? = nil, property: String? = nil, value: SyncValue? = nil,
    reason: Reason
  ) {
    self.entity = entity
    self.object = object
    self.property = property
    self.value = value
    self.reason = reason
  }
}
