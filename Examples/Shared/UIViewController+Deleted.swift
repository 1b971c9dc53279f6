import CoreData

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

extension UIViewController {
  /// Says that something was deleted, and offers to take that back as long as it is what was done last.
  ///
  /// - Parameters:
  ///   - name: what it was called.
  ///   - undoManager: the one that has the deletion, which is named already.
  ///   - undo: takes it back.
  package func tellDeleted(
    _ name: String, undoManager: UndoManager?, undo: @escaping @MainActor () -> Void
  ) {
    let step = undoManager?.undoActionName
    let action = UIAction(title: "Undo") { [weak self, weak undoManager] _ in
      if let undoManager, undoManager.canUndo, undoManager.undoActionName == step { return undo() }
      if let undoManager, undoManager.canRedo, undoManager.redoActionName == step {
        self?.showToast("“\(name)” is back already")
        return
      }
      self?.showToast("Something else was done since “\(name)” was deleted: undo that first")
    }
    showToast("“\(name)” deleted", action: action)
  }
}
