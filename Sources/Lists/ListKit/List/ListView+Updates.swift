import Foundation
import ListSnapshots

extension ListView {
  /// Opens a batch of updates. Batches nest: the outermost one is applied, with the operations of
  /// all.
  func beginBatch() {
    if openBatches == 0 { _ = counts }
    openBatches += 1
  }

  /// Closes a batch. When the outermost one is closed, the data source's counts must be the old
  /// ones plus and minus the batch's operations.
  func endBatch() {
    openBatches -= 1
    if openBatches == 0 { commitBatch() }
  }

  /// Runs `updates` as one batch: its operations are applied together when it returns. Traps for
  /// counts that do not add up, unless `inconsistencyHandler` is set. The completion is called with
  /// true before this method returns.
  public func performBatchUpdates(
    _ updates: (() -> Void)?, completion: (@MainActor (Bool) -> Void)? = nil
  ) {
    beginBatch()
    updates?()
    endBatch()
    completion?(true)
  }

  /// Whether a batch is open.
  public var hasUncommittedUpdates: Bool { openBatches > 0 }

  /// Adds an operation to the open batch; without one the operation is a batch of its own.
  func add(_ operation: (inout ListBatch) -> Void) {
    beginBatch()
    operation(&openBatch)
    endBatch()
  }

  /// Moves a section from its index before the batch to its index after it.
  public func moveSection(_ section: Int, toSection newSection: Int) {
    add { $0.movedSections.append(.init(from: section, to: newSection)) }
  }

  private func commitBatch() {
    var batch = openBatch
    batch.words = words
    openBatch = ListBatch(words: words)
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

  /// Applies a validated batch to selection and window, and reports the change to the renderer.
  func apply(_ batch: ListBatch, before: ListCounts, after: ListCounts) {
    if batch.movesNothing {
      var change = ListChange()
      reloadCells(Set(batch.reloadedRows), batch, in: &change) { $0.indexPath }
      window?.record(.listChanged(self, change))
      return
    }
    let mapping = ListMapping(batch, before: before.sections, after: after.sections)
    let start = newStart(
      mapping, before: before, after: after, moved: Set(batch.movedRows.map(\.from)))
    knownCounts = after
    selected = Set(selected.compactMap(mapping.newPath))
    var change = carryRows(through: mapping, batch: batch, to: start)
    change.totals = .init(
      inserted: max(batch.insertedRows.count, after.total - before.total),
      deleted: max(batch.deletedRows.count, before.total - after.total),
      moved: batch.movedRows.count)
    window?.record(.listChanged(self, change))
  }

  private func carryRows(through mapping: ListMapping, batch: ListBatch, to start: Int)
    -> ListChange
  {
    var kept: [ListRow] = []
    var gone: [ListRow] = []
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
    let isRowNoted =
      !batch.movedRows.isEmpty || !batch.movedSections.isEmpty || !batch.reloadedRows.isEmpty
    let oldPaths =
      isRowNoted ? Dictionary(uniqueKeysWithValues: zip(rows.map(\.id), oldPlaces)) : [:]
    rows = kept
    var change = moveWindow(to: start, keeping: kept, causes: Set(batch.insertedRows))
    change.removed = gone.map { ($0.id, .update) } + change.removed
    reportMoves(batch, oldPaths: oldPaths, in: &change)
    reloadCells(Set(batch.reloadedRows), batch, in: &change) { oldPaths[$0.id] }
    return change
  }

  /// Reports the batch's moves, also those of whole sections, for rows that stay in the window.
  private func reportMoves(
    _ batch: ListBatch, oldPaths: [String: IndexPath], in change: inout ListChange
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

  /// - Parameter oldPath: where a row was before the batch; nil for one that is new.
  private func reloadCells(
    _ reloaded: Set<IndexPath>, _ batch: ListBatch, in change: inout ListChange,
    oldPath: (ListRow) -> IndexPath?
  ) {
    if reloaded.isEmpty { return }
    for index in rows.indices {
      guard let old = oldPath(rows[index]), reloaded.contains(old) else { continue }
      let shown = rows[index].cell.rowContent
      let fresh = makeCell(at: rows[index].indexPath)
      if fresh !== rows[index].cell { retire(rows[index]) }
      rows[index].cell = fresh
      let isDrawn = batch.reconfiguredRows.contains(old) && fresh.rowContent == shown
      if !isDrawn { change.reloaded.append(rows[index].id) }
    }
  }

  /// The window's start after the batch, such that the topmost visible row keeps its position on
  /// screen.
  private func newStart(
    _ mapping: ListMapping, before: ListCounts, after: ListCounts, moved: Set<IndexPath>
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
