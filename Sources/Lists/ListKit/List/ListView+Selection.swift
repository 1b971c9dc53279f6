import Foundation
import ListSnapshots

extension ListView {
  /// Selects a row without calling the delegate, as in UIKit. `nil` selects none.
  func select(_ path: IndexPath?) {
    if !allowsMultipleSelection { selected.removeAll() }
    if let path { selected.insert(path) }
    showSelection()
  }

  func unselect(_ path: IndexPath) {
    selected.remove(path)
    showSelection()
  }

  private func showSelection() {
    for row in rows { row.cell.isSelected = selected.contains(row.indexPath) }
    window?.record(.selectionChanged(self))
  }

  /// Whether the user can select rows in the current mode.
  package var isSelectable: Bool { isEditing ? allowsSelectionDuringEditing : allowsSelection }

  /// Selects a row for the user. Order of the calls: should highlight, will select, deselection of
  /// the old row, did select.
  package func choose(_ path: IndexPath) {
    guard isSelectable, shouldHighlight(path), let target = willSelect(path) else { return }
    if allowsMultipleSelection, selected.contains(target) { return deselect(target) }
    if !allowsMultipleSelection { for old in selected where old != target { deselect(old) } }
    selected.insert(target)
    showSelection()
    didSelect(target)
  }

  private func deselect(_ path: IndexPath) {
    guard let target = willDeselect(path) else { return }
    selected.remove(target)
    showSelection()
    didDeselect(target)
  }
}
