import Foundation
import ListSnapshots

extension ListView {
  /// Rows per section, asked for once and then kept up to date by the updates.
  package var counts: ListCounts {
    if let knownCounts { return knownCounts }
    let counts = askCounts()
    knownCounts = counts
    return counts
  }

  func askCounts() -> ListCounts { ListCounts(askRowCounts()) }

  func forgetCounts() { knownCounts = nil }

  public var numberOfSections: Int { counts.sections }

  /// Drops all cells and asks the data source anew.
  public func reloadData() {
    openBatch = ListBatch(words: words)
    knownCounts = askCounts()
    selected = selected.filter(counts.contains)
    let old = rows
    rows = []
    for row in old.reversed() { retire(row) }
    fill()
    window?.record(.listReloaded(self))
  }

  // MARK: What has a cell

  package func cell(at indexPath: IndexPath) -> ListCell? {
    rows.first { $0.indexPath == indexPath }?.cell
  }

  func indexPath(ofCell cell: ListCell) -> IndexPath? {
    rows.first { $0.cell === cell }?.indexPath
  }

  /// Where a row stands now; `nil` when the renderer no longer holds it, because it was deleted or
  /// scrolled away.
  package func indexPath(forID id: String) -> IndexPath? {
    rows.first { $0.id == id }?.indexPath
  }

  package func row(for view: UIView) -> ListRow? {
    guard let cell = view.enclosing(ListCell.self) else { return nil }
    return rows.first { $0.cell === cell }
  }

  // MARK: The window

  /// The renderer says which rows it wants to hold; the change says what to draw and what to drop.
  package func showRows(from first: Int, count: Int) -> ListChange {
    wantedRows = count
    let start = max(0, min(first, counts.total - count))
    return moveWindow(to: start, keeping: rows, causes: [])
  }

  /// How many rows there are before a renderer has said how many it shows.
  private static let firstRows = 40

  /// Makes rows for a table that no renderer has shown yet.
  package func showFirstRows() {
    if rows.isEmpty { _ = showRows(from: 0, count: max(wantedRows, Self.firstRows)) }
  }

  /// Takes the rows for the places from `start` on: those that are at hand, and new ones for the
  /// rest.
  func moveWindow(to start: Int, keeping old: [ListRow], causes inserted: Set<IndexPath>)
    -> ListChange
  {
    var change = ListChange()
    let places = start..<max(start, min(start + wantedRows, counts.total))
    var kept: [IndexPath: ListRow] = [:]
    // What goes away comes first, so that its cells are used again for what comes.
    for row in old {
      if places.contains(counts.place(of: row.indexPath)) {
        kept[row.indexPath] = row
      } else {
        change.removed.append((row.id, .scroll))
        retire(row)
      }
    }
    firstPlace = start
    rows = []
    for place in places {
      let path = counts.indexPath(at: place)
      let row = kept[path] ?? makeRow(at: path)
      if kept[path] == nil {
        let cause = inserted.contains(path) ? ListChange.Cause.update : .scroll
        change.inserted.append((row.id, place - start, cause))
      }
      rows.append(row)
    }
    return change
  }

  private func fill() {
    let start = max(0, min(firstPlace, counts.total - wantedRows))
    _ = moveWindow(to: start, keeping: [], causes: [])
  }

  // MARK: Scrolling

  /// Brings a row into view. Its number may be `NSNotFound` to reach an empty section.
  package func scroll(to indexPath: IndexPath, at position: UITableView.ScrollPosition) {
    guard counts.rows.indices.contains(indexPath.section) else {
      fatalError(
        "Attempted to scroll the \(words.view) to an out-of-bounds section "
          + "(\(indexPath.section)) when there are only \(counts.sections) sections.")
    }
    let count = counts.rows[indexPath.section]
    let isAnySection = indexPath.row == NSNotFound
    guard isAnySection || (0..<count).contains(indexPath.row) else {
      fatalError(
        "Attempted to scroll the \(words.view) to an out-of-bounds \(words.row) "
          + "(\(indexPath.row)) when there are only \(count) \(words.row)s in section "
          + "\(indexPath.section). \(words.view): \(self)")
    }
    let path = isAnySection ? IndexPath(row: 0, section: indexPath.section) : indexPath
    window?.record(.scrolled(self, row: counts.place(of: path), position))
  }

  /// Where a title of the index leads to; `nil` when there is none.
  package func place(ofIndexTitleAt index: Int) -> Int? {
    guard let titles = indexTitles, titles.indices.contains(index),
      let path = indexPath(ofIndexTitleAt: index), counts.rows.indices.contains(path.section)
    else { return nil }
    let row = path.row == NSNotFound ? 0 : path.row
    return counts.place(of: IndexPath(row: row, section: path.section))
  }
}
