/// A change that an undo or redo has skipped, because the value or object is no longer as the step
/// has left it: another context, window or process has changed it since, or the program has without
/// recording that for undo.
public struct SkippedChange: Hashable, Sendable {
  /// The ID of the object.
  public let objectID: NSManagedObjectID
  /// The property that keeps its value; nil for the object as a whole: it is gone, or it stays
  /// although the step has inserted it.
  public let key: String?

  /// Makes a skipped change of a property, or of a whole object if `key` is nil.
  public init(objectID: NSManagedObjectID, key: String?) {
    self.objectID = objectID
    self.key = key
  }
}

extension NSManagedObjectContext {
  /// Posted by a context once for each undo or redo that has skipped changes, after the undo
  /// manager's own notification; the changes are ``changesSkippedByUndo``.
  public static let didSkipChangesOfUndoNotification =
    Notification.Name("NSManagedObjectContextDidSkipChangesOfUndoNotification")

  /// The changes of this context that the undo manager's last undo or redo has skipped; empty if it
  /// has restored everything.
  public final var changesSkippedByUndo: [SkippedChange] {
    undoManager?.operationCount == skippedChanges.operation ? skippedChanges.list : []
  }

  final func noteSkipped(_ changes: [SkippedChange]) {
    guard !changes.isEmpty, let undoManager else { return }
    if skippedChanges.operation != undoManager.operationCount {
      skippedChanges = (undoManager.operationCount, [])
      undoManager.afterOperation { [confinement] in
        guard let context = confinement.context else { return }
        NotificationCenter.default.post(
          name: Self.didSkipChangesOfUndoNotification, object: context)
      }
    }
    for change in changes where !skippedChanges.list.contains(change) {
      skippedChanges.list.append(change)
    }
  }
}
