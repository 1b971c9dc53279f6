import Foundation
import ListSnapshots

extension UITableView {
  /// Opens a batch of updates. Batches nest: the outermost one is applied, with the operations of
  /// all.
  public func beginUpdates() { beginBatch() }

  /// Closes a batch. When the outermost one is closed, the data source's counts must be the old
  /// ones plus and minus the batch's operations. Traps without `beginUpdates()`.
  public func endUpdates() {
    guard hasUncommittedUpdates else { fatalError("endUpdates was called without beginUpdates") }
    endBatch()
  }

  /// Inserts rows, at their paths after the batch.
  public func insertRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
    add { $0.insertedRows += indexPaths }
  }

  /// Deletes rows, at their paths before the batch.
  public func deleteRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
    add { $0.deletedRows += indexPaths }
  }

  /// Makes new cells for rows, at their paths before the batch.
  public func reloadRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
    add { $0.reloadedRows += indexPaths }
  }

  /// Configures the cells of rows again, in place, at their paths before the batch. Cells with
  /// unchanged content are not redrawn.
  public func reconfigureRows(at indexPaths: [IndexPath]) {
    add {
      $0.reloadedRows += indexPaths
      $0.reconfiguredRows.formUnion(indexPaths)
    }
  }

  /// Moves a row from its path before the batch to its path after it.
  public func moveRow(at indexPath: IndexPath, to newIndexPath: IndexPath) {
    add { $0.movedRows.append(.init(from: indexPath, to: newIndexPath)) }
  }

  /// Inserts sections, at their indexes after the batch.
  public func insertSections(_ sections: IndexSet, with animation: RowAnimation) {
    add { $0.insertedSections += sections }
  }

  /// Deletes sections, at their indexes before the batch.
  public func deleteSections(_ sections: IndexSet, with animation: RowAnimation) {
    add { $0.deletedSections += sections }
  }

  /// Makes new cells for all rows of sections, at their indexes before the batch.
  public func reloadSections(_ sections: IndexSet, with animation: RowAnimation) {
    add { $0.reloadedSections += sections }
  }
}
