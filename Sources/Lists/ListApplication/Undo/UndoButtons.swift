import CoreData

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

/// Undo and Redo buttons for a navigation bar, titled with the actions that they undo or redo.
@MainActor
package final class UndoButtons {
  private let undoManager: UndoManager?
  private var observations: [NotificationObservation] = []
  private let undo: UIBarButtonItem
  private let redo: UIBarButtonItem

  /// The buttons, in the order of a bar's right side.
  package var items: [UIBarButtonItem] { [redo, undo] }

  package convenience init(context: NSManagedObjectContext) {
    self.init(undoManager: context.undoManager, undo: context.undo, redo: context.redo)
  }

  package convenience init(undoManager: UndoManager?) {
    self.init(
      undoManager: undoManager, undo: { undoManager?.undo() }, redo: { undoManager?.redo() })
  }

  private init(
    undoManager: UndoManager?, undo: @escaping @MainActor () -> Void,
    redo: @escaping @MainActor () -> Void
  ) {
    self.undoManager = undoManager
    self.undo = UIBarButtonItem(
      title: "Undo", image: UIImage(systemName: "arrow.uturn.backward"),
      primaryAction: UIAction(title: "Undo") { _ in undo() })
    self.redo = UIBarButtonItem(
      title: "Redo", image: UIImage(systemName: "arrow.uturn.forward"),
      primaryAction: UIAction(title: "Redo") { _ in redo() })
    let names: [NSNotification.Name] = [
      .NSUndoManagerDidUndoChange, .NSUndoManagerDidRedoChange, .NSUndoManagerDidCloseUndoGroup,
    ]
    observations = names.map { name in
      NotificationObservation(of: name, object: undoManager) { [weak self] _ in
        self?.update()
      }
    }
    update()
  }

  private func update() {
    guard let manager = undoManager else { return }
    undo.isEnabled = manager.canUndo
    undo.title = manager.undoMenuItemTitle
    undo.accessibilityLabel = manager.undoMenuItemTitle
    redo.isEnabled = manager.canRedo
    redo.title = manager.redoMenuItemTitle
    redo.accessibilityLabel = manager.redoMenuItemTitle
  }
}
