import CoreData

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

extension UIViewController {
  /// Shows a message that something was deleted, with a button that undoes the deletion while it is
  /// the last action.
  ///
  /// - Parameters:
  ///   - name: the name of the deleted object.
  ///   - undoManager: the undo manager with the deletion, which has its action name already.
  ///   - undo: undoes the deletion.
  package func tellDeleted(
    _ name: String, undoManager: UndoManager?, undo: @escaping @MainActor () -> Void
  ) {
    tell("deleted", of: name, undoManager: undoManager, undo: undo)
  }

  /// Shows a message that something was moved, to another place or within its own, with a button
  /// that undoes the move as in `tellDeleted`.
  package func tellMoved(
    _ name: String, to place: String? = nil, undoManager: UndoManager?,
    undo: @escaping @MainActor () -> Void
  ) {
    tell("moved", to: place, of: name, undoManager: undoManager, undo: undo)
  }

  private func tell(
    _ deed: String, to place: String? = nil, of name: String, undoManager: UndoManager?,
    undo: @escaping @MainActor () -> Void
  ) {
    let step = undoManager?.undoActionName
    let action = UIAction(title: "Undo") { [weak self, weak undoManager] _ in
      if let undoManager, undoManager.canUndo, undoManager.undoActionName == step { return undo() }
      if let undoManager, undoManager.canRedo, undoManager.redoActionName == step {
        self?.showToast("“\(name)” is back already")
        return
      }
      self?.showToast("Something else was done since “\(name)” was \(deed): undo that first")
    }
    showToast("“\(name)” \(deed)\(place.map { " to “\($0)”" } ?? "")", action: action)
  }
}
