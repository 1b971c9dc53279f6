import Foundation
import ListSnapshots

extension UITableView {
  public var indexPathForSelectedRow: IndexPath? { selected.min() }

  public var indexPathsForSelectedRows: [IndexPath]? {
    selected.isEmpty ? nil : selected.sorted()
  }

  /// Selects a row; the delegate is not told, as in UIKit.
  public func selectRow(
    at indexPath: IndexPath?, animated: Bool, scrollPosition: ScrollPosition
  ) {
    if !allowsMultipleSelection { selected.removeAll() }
    if let indexPath { selected.insert(indexPath) }
    showSelection()
    if let indexPath, scrollPosition != .none {
      scrollToRow(at: indexPath, at: scrollPosition, animated: animated)
    }
  }

  public func deselectRow(at indexPath: IndexPath, animated: Bool) {
    selected.remove(indexPath)
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
    guard isSelectable else { return }
    guard delegate?.tableView(self, shouldHighlightRowAt: path) ?? true else { return }
    guard let target = delegate.map({ $0.tableView(self, willSelectRowAt: path) }) ?? path else {
      return
    }
    if allowsMultipleSelection, selected.contains(target) { return deselect(target) }
    if !allowsMultipleSelection { for old in selected where old != target { deselect(old) } }
    selected.insert(target)
    showSelection()
    delegate?.tableView(self, didSelectRowAt: target)
  }

  private func deselect(_ path: IndexPath) {
    guard let target = delegate.map({ $0.tableView(self, willDeselectRowAt: path) }) ?? path else {
      return
    }
    selected.remove(target)
    showSelection()
    delegate?.tableView(self, didDeselectRowAt: target)
  }
}
