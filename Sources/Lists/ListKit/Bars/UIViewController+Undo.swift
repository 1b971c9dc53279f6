import Undo

// Which bar shows undo and redo. Columns of one undo manager have the buttons once: in the bar of
// the last one, at the trailing edge of the window.
extension UIViewController {
  /// Whether a later column shows undo and redo in place of this one.
  package var leavesUndoToLaterColumn: Bool {
    guard let columns = viewIfLoaded?.window?.visibleColumns,
      let index = columns.firstIndex(where: { $0 === self })
    else { return false }
    return columns[(index + 1)...].contains { $0.hasUndo && $0.undoManager === undoManager }
  }

  /// Whether the bar has undo and redo: buttons of the application, or those of the undo manager.
  private var hasUndo: Bool {
    let items =
      (navigationItem.leftBarButtonItems ?? []) + (navigationItem.rightBarButtonItems ?? [])
    if items.contains(where: \.isUndo) { return true }
    return undoManager.map { $0 !== viewIfLoaded?.window?.undoManager } ?? false
  }
}

extension UIBarButtonItem {
  /// Whether this is a button for undo or redo, by its picture.
  package var isUndo: Bool {
    ["arrow.uturn.backward", "arrow.uturn.forward"].contains(image?.systemName)
  }
}
