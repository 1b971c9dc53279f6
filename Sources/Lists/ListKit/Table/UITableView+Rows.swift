import Foundation
import ListSnapshots

extension UITableView {
  /// The number of rows in a section.
  public func numberOfRows(inSection section: Int) -> Int { counts.rows[section] }

  // MARK: Cells

  /// The cell of a row; `nil` for one outside of the window that has cells.
  public func cellForRow(at indexPath: IndexPath) -> UITableViewCell? {
    cell(at: indexPath) as? UITableViewCell
  }

  /// The path of a visible cell; `nil` for others.
  public func indexPath(for cell: UITableViewCell) -> IndexPath? { indexPath(ofCell: cell) }

  /// The cells of the window, in the order of their rows.
  public var visibleCells: [UITableViewCell] { rows.compactMap { $0.cell as? UITableViewCell } }
  /// The paths of the rows that have cells, in order. Never `nil`.
  public var indexPathsForVisibleRows: [IndexPath]? { rows.map(\.indexPath) }

  /// Scrolls a row into view. A `row` of `NSNotFound` scrolls to the section, which may be empty.
  public func scrollToRow(
    at indexPath: IndexPath, at scrollPosition: ScrollPosition, animated: Bool
  ) { scroll(to: indexPath, at: scrollPosition) }

  // MARK: Selection

  /// The first selected row.
  public var indexPathForSelectedRow: IndexPath? { selected.min() }

  /// The selected rows, in order; `nil` for none.
  public var indexPathsForSelectedRows: [IndexPath]? {
    selected.isEmpty ? nil : selected.sorted()
  }

  /// Selects a row without calling the delegate, as in UIKit. `nil` selects none.
  public func selectRow(
    at indexPath: IndexPath?, animated: Bool, scrollPosition: ScrollPosition
  ) {
    select(indexPath)
    if let indexPath, scrollPosition != .none { scroll(to: indexPath, at: scrollPosition) }
  }

  /// Deselects a row without calling the delegate.
  public func deselectRow(at indexPath: IndexPath, animated: Bool) { unselect(indexPath) }
}
