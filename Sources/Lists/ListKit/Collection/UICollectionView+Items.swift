import Foundation
import ListSnapshots

extension UICollectionView {
  /// The number of items in a section.
  public func numberOfItems(inSection section: Int) -> Int { counts.rows[section] }

  // MARK: Cells

  /// The cell of an item; `nil` for one outside of the window that has cells.
  public func cellForItem(at indexPath: IndexPath) -> UICollectionViewCell? {
    cell(at: indexPath) as? UICollectionViewCell
  }

  /// The path of a visible cell; `nil` for others.
  public func indexPath(for cell: UICollectionViewCell) -> IndexPath? { indexPath(ofCell: cell) }

  /// The cells of the window, in the order of their items.
  public var visibleCells: [UICollectionViewCell] {
    rows.compactMap { $0.cell as? UICollectionViewCell }
  }
  /// The paths of the items that have cells, in order.
  public var indexPathsForVisibleItems: [IndexPath] { rows.map(\.indexPath) }

  /// Scrolls an item into view. With an empty position nothing is scrolled.
  public func scrollToItem(
    at indexPath: IndexPath, at scrollPosition: ScrollPosition, animated: Bool
  ) { if !scrollPosition.isEmpty { scroll(to: indexPath, at: scrollPosition.ofRow) } }

  // MARK: Selection

  /// The paths of selected items, in order. Never `nil`.
  public var indexPathsForSelectedItems: [IndexPath]? { selected.sorted() }

  /// Selects an item without calling the delegate, as in UIKit; `nil` deselects all.
  public func selectItem(
    at indexPath: IndexPath?, animated: Bool, scrollPosition: ScrollPosition
  ) {
    select(indexPath)
    if let indexPath, !scrollPosition.isEmpty { scroll(to: indexPath, at: scrollPosition.ofRow) }
  }

  /// Deselects an item without calling the delegate.
  public func deselectItem(at indexPath: IndexPath, animated: Bool) { unselect(indexPath) }

  // MARK: Updates

  /// Inserts items, at their paths after the batch.
  public func insertItems(at indexPaths: [IndexPath]) { add { $0.insertedRows += indexPaths } }
  /// Deletes items, at their paths before the batch.
  public func deleteItems(at indexPaths: [IndexPath]) { add { $0.deletedRows += indexPaths } }

  /// Makes new cells for items, at their paths before the batch.
  public func reloadItems(at indexPaths: [IndexPath]) { add { $0.reloadedRows += indexPaths } }

  /// Configures the cells of items again, in place, at their paths before the batch. Cells with
  /// unchanged content are not redrawn.
  public func reconfigureItems(at indexPaths: [IndexPath]) {
    add {
      $0.reloadedRows += indexPaths
      $0.reconfiguredRows.formUnion(indexPaths)
    }
  }

  /// Moves an item from its path before the batch to its path after it.
  public func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {
    add { $0.movedRows.append(.init(from: indexPath, to: newIndexPath)) }
  }

  /// Inserts sections, at their indexes after the batch.
  public func insertSections(_ sections: IndexSet) { add { $0.insertedSections += sections } }
  /// Deletes sections, at their indexes before the batch.
  public func deleteSections(_ sections: IndexSet) { add { $0.deletedSections += sections } }
  /// Makes new cells for all items of sections, at their indexes before the batch.
  public func reloadSections(_ sections: IndexSet) { add { $0.reloadedSections += sections } }
}

extension UICollectionView.ScrollPosition {
  var ofRow: UITableView.ScrollPosition {
    if contains(.top) { return .top }
    if contains(.centeredVertically) { return .middle }
    return contains(.bottom) ? .bottom : .none
  }
}
