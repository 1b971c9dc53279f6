/// What happens to the objects at the other end of a relationship when an object is deleted.
///
/// The raw values are those of model archives.
/// Source: developer.apple.com/documentation/coredata/nsdeleterule
public enum NSDeleteRule: UInt, Sendable, CaseIterable {
  case noActionDeleteRule = 0
  case nullifyDeleteRule = 1
  case cascadeDeleteRule = 2
  case denyDeleteRule = 3
}
