import CoreData

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

/// Undo and Redo for a navigation bar, with the names of what they would take back and bring.
@MainActor
package final class UndoButtons {
  private let context: NSManagedObjectContext
  private var observations: [NotificationObservation] = []
  private let undo: UIBarButtonItem
  private let redo: UIBarButtonItem

  /// As a bar takes them on its right side.
  package var items: [UIBarButtonItem] { [redo, undo] }

  package init(context: NSManagedObjectContext) {
    self.context = context
    undo = UIBarButtonItem(
      title: "Undo", image: UIImage(systemName: "arrow.uturn.backward"),
      primaryAction: UIAction(title: "Undo") { [context] _ in context.undo() })
    redo = UIBarButtonItem(
      title: "Redo", image: UIImage(systemName: "arrow.uturn.forward"),
      primaryAction: UIAction(title: "Redo") { [context] _ in context.redo() })
    let names: [NSNotification.Name] = [
      .NSUndoManagerDidUndoChange, .NSUndoManagerDidRedoChange, .NSUndoManagerDidCloseUndoGroup,
    ]
    observations = names.map { name in
      NotificationObservation(of: name, object: context.undoManager) { [weak self] _ in
        self?.update()
      }
    }
    update()
  }

  private func update() {
    guard let manager = context.undoManager else { return }
    undo.isEnabled = manager.canUndo
    undo.title = manager.undoMenuItemTitle
    undo.accessibilityLabel = manager.undoMenuItemTitle
    redo.isEnabled = manager.canRedo
    redo.title = manager.redoMenuItemTitle
    redo.accessibilityLabel = manager.redoMenuItemTitle
  }
}
