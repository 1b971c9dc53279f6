extension UndoManager {
  /// The group that `undo` would undo next: the open top-level one if it has content.
  var nextToUndo: UndoGroup? {
    if let pendingToUndo { return pendingToUndo }
    return undoStack.last
  }

  /// The top-level group that is still open, if it has something to undo.
  var pendingToUndo: UndoGroup? {
    let open = phase == .recording ? openGroups.first : suspendedGroups.first
    guard let open, open.hasContent else { return nil }
    return open
  }
}
