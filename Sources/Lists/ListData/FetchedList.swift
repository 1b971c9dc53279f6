import CoreData

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

/// The list that a fetched results controller's data source updates: a table view or a collection
/// view.
@MainActor
protocol FetchedList: AnyObject {
  func reloadData()
  /// Applies one batch of updates. Rows without a cell are not updated.
  func perform(_ batch: RowPieces.Batch, _ deleted: IndexSet, _ inserted: IndexSet)
  /// Fills the cells again of those rows that have one.
  func reconfigure(_ paths: [IndexPath])
  var selectedPath: IndexPath? { get }
  /// Whether more rows than these are on their way.
  var isPart: Bool { get set }
}

extension UITableView: FetchedList {
  func perform(_ batch: RowPieces.Batch, _ deleted: IndexSet, _ inserted: IndexSet) {
    let updates = batch.updates.filter { cellForRow(at: $0) != nil }
    beginUpdates()
    deleteSections(deleted, with: .automatic)
    insertSections(inserted, with: .automatic)
    if !batch.deletes.isEmpty { deleteRows(at: batch.deletes, with: .automatic) }
    if !batch.inserts.isEmpty { insertRows(at: batch.inserts, with: .automatic) }
    for move in batch.moves { moveRow(at: move.from, to: move.to) }
    if !updates.isEmpty { reconfigureRows(at: updates) }
    endUpdates()
  }

  func reconfigure(_ paths: [IndexPath]) {
    let shown = paths.filter { cellForRow(at: $0) != nil }
    if !shown.isEmpty { reconfigureRows(at: shown) }
  }

  var selectedPath: IndexPath? { indexPathForSelectedRow }
}

extension UICollectionView: FetchedList {
  func perform(_ batch: RowPieces.Batch, _ deleted: IndexSet, _ inserted: IndexSet) {
    let updates = batch.updates.filter { cellForItem(at: $0) != nil }
    performBatchUpdates { [self] in
      deleteSections(deleted)
      insertSections(inserted)
      if !batch.deletes.isEmpty { deleteItems(at: batch.deletes) }
      if !batch.inserts.isEmpty { insertItems(at: batch.inserts) }
      for move in batch.moves { moveItem(at: move.from, to: move.to) }
      if !updates.isEmpty { reconfigureItems(at: updates) }
    }
  }

  func reconfigure(_ paths: [IndexPath]) {
    let shown = paths.filter { cellForItem(at: $0) != nil }
    if !shown.isEmpty { reconfigureItems(at: shown) }
  }

  var selectedPath: IndexPath? { indexPathsForSelectedItems?.first }
}

#if canImport(UIKit)
  // UIKit's lists do not say how many rows they have.
  extension UITableView {
    var isPart: Bool {
      get { false }
      set {}
    }
  }

  extension UICollectionView {
    var isPart: Bool {
      get { false }
      set {}
    }
  }
#endif
