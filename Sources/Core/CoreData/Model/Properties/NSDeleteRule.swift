/// The effect of deleting an object on the objects at the other end of a relationship.
///
/// The raw values are those of model archives.
///
/// Source: developer.apple.com/documentation/coredata/nsdeleterule
public enum NSDeleteRule: UInt, Sendable, CaseIterable {
  /// Leaves the other objects unchanged, even if they still refer to the deleted one.
  case noActionDeleteRule = 0
  /// Removes the deleted object from the inverse relationship of the other objects.
  case nullifyDeleteRule = 1
  /// Deletes the other objects too.
  case cascadeDeleteRule = 2
  /// Rejects the deletion if there are other objects.
  case denyDeleteRule = 3
}
