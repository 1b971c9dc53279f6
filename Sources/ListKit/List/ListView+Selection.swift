import Foundation
import ListSnapshots

extension ListView {
  /// Selects a row; nobody is told, as in UIKit.
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

  /// Whether rows can be chosen now.
  package var isSelectable: Bool { isEditing ? allowsSelectionDuringEditing : allowsSelection }

  /// The user chose a row: highlight, will select, the old row's deselection, did select.
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
