import Foundation
import ListSnapshots

extension UICollectionView {
  public func numberOfItems(inSection section: Int) -> Int { counts.rows[section] }

  // MARK: What has a cell

  public func cellForItem(at indexPath: IndexPath) -> UICollectionViewCell? {
    cell(at: indexPath) as? UICollectionViewCell
  }

  public func indexPath(for cell: UICollectionViewCell) -> IndexPath? { indexPath(ofCell: cell) }

  public var visibleCells: [UICollectionViewCell] {
    rows.compactMap { $0.cell as? UICollectionViewCell }
  }
  public var indexPathsForVisibleItems: [IndexPath] { rows.map(\.indexPath) }

  /// Brings an item into view; without a position nothing is scrolled.
  public func scrollToItem(
    at indexPath: IndexPath, at scrollPosition: ScrollPosition, animated: Bool
  ) { if !scrollPosition.isEmpty { scroll(to: indexPath, at: scrollPosition.ofRow) } }

  // MARK: Selection

  public var indexPathsForSelectedItems: [IndexPath]? { selected.sorted() }

  /// Selects an item; the delegate is not told, as in UIKit.
  public func selectItem(
    at indexPath: IndexPath?, animated: Bool, scrollPosition: ScrollPosition
  ) {
    select(indexPath)
    if let indexPath, !scrollPosition.isEmpty { scroll(to: indexPath, at: scrollPosition.ofRow) }
  }

  public func deselectItem(at indexPath: IndexPath, animated: Bool) { unselect(indexPath) }

  // MARK: Updates

  public func insertItems(at indexPaths: [IndexPath]) { add { $0.insertedRows += indexPaths } }
  public func deleteItems(at indexPaths: [IndexPath]) { add { $0.deletedRows += indexPaths } }

  /// Fetches new cells for items, named as before the batch.
  public func reloadItems(at indexPaths: [IndexPath]) { add { $0.reloadedRows += indexPaths } }

  /// Configures the cells of items anew in place. Items that say the same afterwards are not drawn
  /// again.
  public func reconfigureItems(at indexPaths: [IndexPath]) {
    add {
      $0.reloadedRows += indexPaths
      $0.reconfiguredRows.formUnion(indexPaths)
    }
  }

  public func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {
    add { $0.movedRows.append(.init(from: indexPath, to: newIndexPath)) }
  }

  public func insertSections(_ sections: IndexSet) { add { $0.insertedSections += sections } }
  public func deleteSections(_ sections: IndexSet) { add { $0.deletedSections += sections } }
  public func reloadSections(_ sections: IndexSet) { add { $0.reloadedSections += sections } }
}

extension UICollectionView.ScrollPosition {
  var ofRow: UITableView.ScrollPosition {
    if contains(.top) { return .top }
    if contains(.centeredVertically) { return .middle }
    return contains(.bottom) ? .bottom : .none
  }
}
