import Foundation
import ListSnapshots

extension UITableView {
  public func numberOfRows(inSection section: Int) -> Int { counts.rows[section] }

  // MARK: What has a cell

  public func cellForRow(at indexPath: IndexPath) -> UITableViewCell? {
    cell(at: indexPath) as? UITableViewCell
  }

  public func indexPath(for cell: UITableViewCell) -> IndexPath? { indexPath(ofCell: cell) }

  public var visibleCells: [UITableViewCell] { rows.compactMap { $0.cell as? UITableViewCell } }
  public var indexPathsForVisibleRows: [IndexPath]? { rows.map(\.indexPath) }

  /// Brings a row into view. `row` may be `NSNotFound` to reach an empty section.
  public func scrollToRow(
    at indexPath: IndexPath, at scrollPosition: ScrollPosition, animated: Bool
  ) { scroll(to: indexPath, at: scrollPosition) }

  // MARK: Selection

  public var indexPathForSelectedRow: IndexPath? { selected.min() }

  public var indexPathsForSelectedRows: [IndexPath]? {
    selected.isEmpty ? nil : selected.sorted()
  }

  /// Selects a row; the delegate is not told, as in UIKit.
  public func selectRow(
    at indexPath: IndexPath?, animated: Bool, scrollPosition: ScrollPosition
  ) {
    select(indexPath)
    if let indexPath, scrollPosition != .none { scroll(to: indexPath, at: scrollPosition) }
  }

  public func deselectRow(at indexPath: IndexPath, animated: Bool) { unselect(indexPath) }
}
