import Foundation
import ListSnapshots

extension ListView {
  /// Rows per section. Read from the data source once, then kept up to date by the updates.
  package var counts: ListCounts {
    if let knownCounts { return knownCounts }
    let counts = askCounts()
    knownCounts = counts
    return counts
  }

  func askCounts() -> ListCounts { ListCounts(askRowCounts()) }

  func forgetCounts() { knownCounts = nil }

  /// The number of sections.
  public var numberOfSections: Int { counts.sections }

  /// Discards all cells and reads the data source again.
  public func reloadData() {
    openBatch = ListBatch(words: words)
    knownCounts = askCounts()
    selected = selected.filter(counts.contains)
    let old = rows
    rows = []
    for row in old.reversed() { retire(row) }
    // A cell that is not reused for other rows, as in a form, keeps the name of its row: what is
    // typed in it stays there.
    ownRows = Dictionary(
      uniqueKeysWithValues: old.filter { $0.cell.reuseKey == nil }.map {
        (ObjectIdentifier($0.cell), $0.id)
      })
    // A cell that were gone could have its address reused.
    withExtendedLifetime(old) { fill() }
    ownRows = [:]
    window?.record(.listReloaded(self))
  }

  // MARK: Cells

  package func cell(at indexPath: IndexPath) -> ListCell? {
    rows.first { $0.indexPath == indexPath }?.cell
  }

  func indexPath(ofCell cell: ListCell) -> IndexPath? {
    rows.first { $0.cell === cell }?.indexPath
  }

  /// The current path of a row; `nil` for a row that was deleted or left the window.
  package func indexPath(forID id: String) -> IndexPath? {
    rows.first { $0.id == id }?.indexPath
  }

  package func row(for view: UIView) -> ListRow? {
    guard let cell = view.enclosing(ListCell.self) else { return nil }
    return rows.first { $0.cell === cell }
  }

  // MARK: The window

  /// Sets the window of rows that the renderer wants to hold. Returns the change for the renderer
  /// to draw.
  package func showRows(from first: Int, count: Int) -> ListChange {
    wantedRows = count
    let start = max(0, min(first, counts.total - count))
    return moveWindow(to: start, keeping: rows, causes: [])
  }

  /// The size of the window until a renderer has set one.
  private static let firstRows = 40

  /// Makes the first rows of a list that no renderer has shown yet.
  package func showFirstRows() {
    if rows.isEmpty { _ = showRows(from: 0, count: max(wantedRows, Self.firstRows)) }
  }

  /// Moves the window to the offset `start`: keeps rows that are still in it and makes the missing
  /// ones.
  func moveWindow(to start: Int, keeping old: [ListRow], causes inserted: Set<IndexPath>)
    -> ListChange
  {
    var change = ListChange()
    let places = start..<max(start, min(start + wantedRows, counts.total))
    var kept: [IndexPath: ListRow] = [:]
    // Rows that leave are retired first, so that their cells can be reused for new rows.
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
      let row = kept[path] ?? makeRow(at: path, besides: kept.values)
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

  /// Scrolls a row into view. A `row` of `NSNotFound` scrolls to the section, which may be empty.
  /// Traps for a path out of bounds.
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

  /// The offset of the row that a title of the index leads to; `nil` when there is none.
  package func place(ofIndexTitleAt index: Int) -> Int? {
    guard let titles = indexTitles, titles.indices.contains(index),
      let path = indexPath(ofIndexTitleAt: index), counts.rows.indices.contains(path.section)
    else { return nil }
    let row = path.row == NSNotFound ? 0 : path.row
    return counts.place(of: IndexPath(row: row, section: path.section))
  }
}
