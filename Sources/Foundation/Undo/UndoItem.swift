/// An entry of a group: an action or a nested group.
///
/// A class with two subclasses rather than an enumeration: a group then spends one pointer per
/// entry, and an action is a single allocation. Groups with ten thousand actions are normal.
class UndoItem {
  /// The nested group, or nil if the entry is an action.
  var group: UndoGroup? { nil }

  /// Carries the action out. Does nothing for a group: the undo manager takes groups apart instead.
  func perform() {}

  /// Returns whether the action belongs to the object. Also true after the object is deallocated.
  func targets(_ object: ObjectIdentifier) -> Bool { false }
}

/// A registered handler and its target.
final class UndoAction<Target: AnyObject>: UndoItem {
  private weak var target: Target?
  /// Kept beside the weak reference, which reads as nil while the target is deinitialised; targets
  /// remove their actions at that time. A new object at the address of a deallocated target matches
  /// too, without effect: an action without a target does nothing.
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
