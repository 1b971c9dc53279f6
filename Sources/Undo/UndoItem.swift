/// One entry of a group: an action or a nested group.
///
/// A class with two subclasses and not an enumeration, so that a group spends one pointer per entry
/// and an action is a single allocation; ten thousand actions in a group are normal.
class UndoItem {
  /// The nested group that this entry is, if it is one.
  var group: UndoGroup? { nil }

  /// Carries the action out. Groups are taken apart by the undo manager instead.
  func perform() {}

  /// Whether the action belongs to the object. Also true after the object is gone.
  func targets(_ object: ObjectIdentifier) -> Bool { false }
}

/// A registered handler with its target.
final class UndoAction<Target: AnyObject>: UndoItem {
  private weak var target: Target?
  /// Kept beside the weak reference because that reads as nil while the target is deinitialised,
  /// which is when targets remove their actions. Another object at the same address cannot be
  /// mistaken for it to any effect: an action without its target does nothing anyway.
  private let identity: ObjectIdentifier
  private let handler: (Target) -> Void

  init(target: Target, handler: @escaping (Target) -> Void) {
    self.target = target
    self.identity = ObjectIdentifier(target)
    self.handler = handler
  }

  override func perform() {
    if let target { handler(target) }
  }

  override func targets(_ object: ObjectIdentifier) -> Bool { identity == object }
}
