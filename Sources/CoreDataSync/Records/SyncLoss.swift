/// A value that a person set and that does not count, or does not show, because of something else.
public struct SyncLoss: Hashable, Sendable {
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
  public var entity: String
  /// The URI of the object's ID, if the store has it.
  public var object: String?
  /// The property; nil for the object itself.
  public var property: String?
  /// The value that lost.
  public var value: SyncValue?
  public var reason: Reason

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
