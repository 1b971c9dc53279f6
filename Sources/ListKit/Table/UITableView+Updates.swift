import Foundation
import ListSnapshots

extension UITableView {
  /// Opens a batch of updates; batches nest, and everything counts as if only the outermost were
  /// there.
  public func beginUpdates() {
    if openBatches == 0 { _ = counts }
    openBatches += 1
  }

  /// Closes a batch: the data source's counts must then be those before plus and minus what the
  /// batch says.
  public func endUpdates() {
    guard openBatches > 0 else { fatalError("endUpdates was called without beginUpdates") }
    openBatches -= 1
    if openBatches == 0 { commitBatch() }
  }

  public func performBatchUpdates(
    _ updates: (() -> Void)?, completion: (@MainActor (Bool) -> Void)? = nil
  ) {
    beginUpdates()
    updates?()
    endUpdates()
    completion?(true)
  }

  public var hasUncommittedUpdates: Bool { openBatches > 0 }

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

  public func moveSection(_ section: Int, toSection newSection: Int) {
    add { $0.movedSections.append(.init(from: section, to: newSection)) }
  }

  /// Adds to the open batch; outside of one the operation is a batch by itself.
  private func add(_ operation: (inout TableBatch) -> Void) {
    beginUpdates()
    operation(&openBatch)
    endUpdates()
  }

  private func commitBatch() {
    let batch = openBatch
    openBatch = TableBatch()
    let before = counts
    let after = askCounts()
    do {
      try batch.validate(before: before.rows, after: after.rows)
    } catch {
      guard let handler = Self.inconsistencyHandler else { fatalError(error.description) }
      handler(error)
      return reloadData()
    }
    if !batch.isEmpty { apply(batch, before: before, after: after) }
  }

  /// Carries selection and window through a batch and tells the renderer.
  func apply(_ batch: TableBatch, before: TableCounts, after: TableCounts) {
    let mapping = TableMapping(batch, before: before.sections, after: after.sections)
    let start = newStart(
      mapping, before: before, after: after, moved: Set(batch.movedRows.map(\.from)))
    knownCounts = after
    selected = Set(selected.compactMap(mapping.newPath))
    var change = carryRows(through: mapping, batch: batch, to: start)
    change.totals = .init(
      inserted: max(batch.insertedRows.count, after.total - before.total),
      deleted: max(batch.deletedRows.count, before.total - after.total),
      moved: batch.movedRows.count)
    window?.record(.tableChanged(self, change))
  }

  private func carryRows(through mapping: TableMapping, batch: TableBatch, to start: Int)
    -> TableChange
  {
    var kept: [TableRow] = []
    var gone: [TableRow] = []
    let oldPlaces = rows.map(\.indexPath)
    for var row in rows {
      guard let path = mapping.newPath(of: row.indexPath) else {
        gone.append(row)
        continue
      }
      row.indexPath = path
      kept.append(row)
    }
    for row in gone { retire(row) }
    let oldPaths = Dictionary(uniqueKeysWithValues: zip(rows.map(\.id), oldPlaces))
    rows = kept
    var change = moveWindow(to: start, keeping: kept, causes: Set(batch.insertedRows))
    change.removed = gone.map { ($0.id, .update) } + change.removed
    reportMoves(batch, oldPaths: oldPaths, in: &change)
    reloadCells(batch, oldPaths: oldPaths, in: &change)
    return change
  }

  /// Rows that changed their order among those that stayed: the batch's moves, sections included.
  private func reportMoves(
    _ batch: TableBatch, oldPaths: [String: IndexPath], in change: inout TableChange
  ) {
    let movedRows = Set(batch.movedRows.map(\.from))
    let movedSections = Set(batch.movedSections.map(\.from))
    if movedRows.isEmpty && movedSections.isEmpty { return }
    for (place, row) in rows.enumerated() {
      guard let old = oldPaths[row.id] else { continue }
      if movedRows.contains(old) || movedSections.contains(old.section) {
        change.moved.append((row.id, place))
      }
    }
  }

  private func reloadCells(
    _ batch: TableBatch, oldPaths: [String: IndexPath], in change: inout TableChange
  ) {
    let reloaded = Set(batch.reloadedRows)
    if reloaded.isEmpty { return }
    for index in rows.indices {
      guard let old = oldPaths[rows[index].id], reloaded.contains(old) else { continue }
      let shown = rows[index].cell.rowContent
      let fresh = makeRow(at: rows[index].indexPath)
      if fresh.cell !== rows[index].cell { retire(rows[index]) }
      rows[index].cell = fresh.cell
      let isDrawn = batch.reconfiguredRows.contains(old) && fresh.cell.rowContent == shown
      if !isDrawn { change.reloaded.append(rows[index].id) }
    }
  }

  /// Where the window starts after the batch, so that the row at the top of what the user sees
  /// stays there.
  private func newStart(
    _ mapping: TableMapping, before: TableCounts, after: TableCounts, moved: Set<IndexPath>
  ) -> Int {
    let limit = max(0, after.total - wantedRows)
    guard anchorPlace > 0 else { return min(firstPlace, limit) }
    for (index, row) in rows.enumerated() where firstPlace + index >= anchorPlace {
      guard !moved.contains(row.indexPath), let path = mapping.newPath(of: row.indexPath) else {
        continue
      }
      let place = after.place(of: path)
      let start = place - (firstPlace + index - firstPlace)
      anchorPlace = place
      return max(0, min(start, limit))
    }
    return min(firstPlace, limit)
  }
}
