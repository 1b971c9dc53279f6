/// A change that an undo or redo has left as it is, since it was no longer as the step had left it: another context,
/// window or process has changed it since, or the program has without recording that.
public struct SkippedChange: Hashable, Sendable {
  public let objectID: NSManagedObjectID
  /// The property that keeps its value; nil for the object as a whole: it is gone, or it stays though the step has
  /// inserted it.
  public let key: String?

  public init(objectID: NSManagedObjectID, key: String?) {
    self.objectID = objectID
    self.key = key
  }
}

extension NSManagedObjectContext {
  /// An undo or redo has left changes as they are: ``changesSkippedByUndo``. Posted by the context once for each such
  /// undo or redo, after the undo manager's own notification.
  public static let didSkipChangesOfUndoNotification =
    Notification.Name("NSManagedObjectContextDidSkipChangesOfUndoNotification")

  /// What the undo manager's last undo or redo has left as it is in this context; empty when everything has been put
  /// back.
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
