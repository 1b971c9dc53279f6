import Foundation
import ListSnapshots

extension UITableView {
  /// Opens a batch of updates; batches nest, and everything counts as if only the outermost were
  /// there.
  public func beginUpdates() { beginBatch() }

  /// Closes a batch: the data source's counts must then be those before plus and minus what the
  /// batch says.
  public func endUpdates() {
    guard hasUncommittedUpdates else { fatalError("endUpdates was called without beginUpdates") }
    endBatch()
  }

  public func insertRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
    add { $0.insertedRows += indexPaths }
  }

  public func deleteRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
    add { $0.deletedRows += indexPaths }
  }

  /// Fetches new cells for rows, named as before the batch.
  public func reloadRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
    add { $0.reloadedRows += indexPaths }
  }

  /// Configures the cells of rows anew in place. Rows that say the same afterwards are not drawn
  /// again.
  public func reconfigureRows(at indexPaths: [IndexPath]) {
    add {
      $0.reloadedRows += indexPaths
      $0.reconfiguredRows.formUnion(indexPaths)
    }
  }

  public func moveRow(at indexPath: IndexPath, to newIndexPath: IndexPath) {
    add { $0.movedRows.append(.init(from: indexPath, to: newIndexPath)) }
  }

  public func insertSections(_ sections: IndexSet, with animation: RowAnimation) {
    add { $0.insertedSections += sections }
  }

  public func deleteSections(_ sections: IndexSet, with animation: RowAnimation) {
    add { $0.deletedSections += sections }
  }

  public func reloadSections(_ sections: IndexSet, with animation: RowAnimation) {
    add { $0.reloadedSections += sections }
  }
}
