/// A renderer of a window with lists.
@MainActor
package protocol ListRenderer: WindowRenderer {
  func record(_ operation: ListOperation)
}

/// A change of a list in a window.
@MainActor
package enum ListOperation {
  /// A list was reloaded.
  case listReloaded(ListView)
  /// Rows of a list were inserted, deleted or moved.
  case listChanged(ListView, ListChange)
  /// A list scrolls to a row.
  case scrolled(ListView, row: Int, UITableView.ScrollPosition)
  case selectionChanged(ListView)
  case editingChanged(ListView)
}

extension UIWindow {
  package func record(_ operation: ListOperation) {
    (renderer as? any ListRenderer)?.record(operation)
  }
}
