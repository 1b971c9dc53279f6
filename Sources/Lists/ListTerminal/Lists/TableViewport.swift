import Foundation
import ListKit
import ListSnapshots

/// The visible part of one table: the current row, and the line on which it is drawn.
///
/// The current row is the anchor: whatever changes around it, it keeps its line. At the start of a
/// list the start is the anchor instead, so that rows inserted there become visible.
@MainActor
final class TableViewport {
  weak var table: ListView?
  /// The offset of the current row in the whole table, and its name while it has a cell.
  private(set) var place = 0
  private(set) var rowID: String?
  /// The line of the area on which the current row begins.
  var line = 0
  var isAtStart = true
  /// The entries of the last drawing, from top to bottom.
  private(set) var entries: [PlacedEntry] = []
  private(set) var height = 0

  struct PlacedEntry {
    let entry: TableEntry
    let y: Int
    let height: Int
    /// The rows of a line, beside and below each other; none for a header or a footer.
    let rows: [PlacedRow]
    /// Whether the line continues at its sides.
    let more: (left: Bool, right: Bool)
  }

  struct PlacedRow {
    let row: ListRow
    /// The row's area in the entry.
    let area: Rectangle
  }

  /// The width of the last drawing.
  private var width = 0
  /// The first visible group of sections that scroll sideways.
  private var offsets: [Int: Int] = [:]
  private func all(_ table: ListView) -> TableEntries {
    TableEntries(table, width: width, offsets: offsets)
  }

  /// Scrolls a section sideways to the current row.
  private func followSideways(_ table: ListView) {
    let sections = table.counts.sections
    offsets = offsets.filter { $0.key < sections }
    guard let path = currentPath else { return }
    if let offset = all(table).offset(showing: path) { offsets[path.section] = offset }
  }

  /// The number of rows side by side in the current row's section.
  var columns: Int {
    guard let path = currentPath, let table else { return 1 }
    return all(table).columns(path.section)
  }

  private var currentPath: IndexPath? {
    guard let table, table.counts.total > 0 else { return nil }
    return table.counts.indexPath(at: max(0, min(place, table.counts.total - 1)))
  }

  /// Makes the row below or above the current one the current row.
  func moveCursor(lines step: Int) {
    guard let table, let path = currentPath else { return }
    moveCursor(to: table.counts.place(of: all(table).row(besideLineOf: path, step: step)))
  }

  init(_ table: ListView) { self.table = table }

  /// Whether the current row was removed by another user: there is no current row until the user
  /// chooses one.
  private(set) var isLost = false

  func lose() { isLost = true }

  var currentRow: ListRow? {
    guard let table, let rowID, !isLost else { return nil }
    return table.rows.first { $0.id == rowID }
  }

  /// Makes another row the current one, on the line where it is visible. A row outside of the
  /// visible part comes into view at the nearer edge.
  func moveCursor(to target: Int) {
    guard let table, table.counts.total > 0 else { return }
    let target = max(0, min(target, table.counts.total - 1))
    let path = table.counts.indexPath(at: target)
    let all = all(table)
    if let offset = all.offset(showing: path) { offsets[path.section] = offset }
    let goal = all.line(of: path)
    if let seen = entries.first(where: { $0.entry == goal }) {
      line = seen.y
    } else {
      line = target < place ? 0 : height
    }
    set(target)
    if target == 0 { isAtStart = true }
  }

  /// Scrolls the content. The cursor stays on its row as long as that is visible.
  func scroll(by lines: Int) {
    guard let table, table.counts.total > 0 else { return }
    let rows = entries.filter { !$0.rows.isEmpty }
    isAtStart = false
    let moved = line - lines
    let target =
      lines > 0
      ? rows.first { $0.y - lines >= 1 } : rows.last { $0.y - lines + $0.height <= height }
    guard moved < 1 || moved >= height, let target, case .row(let path) = target.entry else {
      line = moved
      return
    }
    line = target.y - lines
    set(table.counts.place(of: path))
  }

  /// Moves the cursor by pages of visible lines; it keeps its line.
  func page(by pages: Int) {
    let lines = entries.count { !$0.rows.isEmpty }
    guard let table, var path = currentPath else { return }
    let all = all(table)
    for _ in 0..<max(1, lines - 1) * abs(pages) {
      path = all.row(besideLineOf: path, step: pages.signum())
    }
    isAtStart = false
    set(table.counts.place(of: path))
    if place == 0 { isAtStart = true }
    if place == table.counts.total - 1 { line = height }
  }

  /// Scrolls to a row for the application, and makes it the current one.
  func scroll(to target: Int, _ position: UITableView.ScrollPosition) {
    moveCursor(to: target)
    isAtStart = target == 0
    switch position {
    case .none: break
    case .top: line = 0
    case .middle: line = height / 2
    case .bottom: line = height
    }
  }

  private func set(_ target: Int) {
    isLost = false
    place = target
    rowID =
      table?.rows.indices.contains(target - (table?.firstPlace ?? 0)) == true
      ? table.map { $0.rows[target - $0.firstPlace].id } : nil
  }

  // MARK: Layout

  /// Locates the current row after a key, so that the next key applies to it before anything is
  /// drawn.
  func follow(height: Int) {
    guard let table, table.counts.total > 0 else { return }
    settle(table, height: self.height > 0 ? self.height : height)
  }

  /// Locates the current row after any change, and requests the rows around it.
  private func settle(_ table: ListView, height: Int) {
    if let rowID, let path = table.indexPath(forID: rowID) { place = table.counts.place(of: path) }
    place = max(0, min(place, table.counts.total - 1))
    followSideways(table)
    let (first, end) = reach(table, height: height)
    let held = table.firstPlace..<(table.firstPlace + table.rows.count)
    if !(held.contains(first) && held.contains(end - 1)) {
      _ = table.showRows(from: first, count: end - first)
    }
    // Batches keep the rows around this offset, so that the current row is found by its name.
    table.anchorPlace = max(1, place)
    rowID = table.rows[place - table.firstPlace].id
  }

  /// The maximum number of rows that are held above and below the current one.
  private static let longestReach = 1000

  /// The rows that may become visible around the current one: `height` lines up and down, and all
  /// rows of sections among them that scroll sideways.
  private func reach(_ table: ListView, height: Int) -> (first: Int, end: Int) {
    let counts = table.counts
    let section = counts.indexPath(at: place).section
    let all = all(table)
    var (above, below) = (0, 0)
    for other in max(0, section - height)...min(counts.sections - 1, section + height) {
      let grid = all.grid(other)
      guard grid.isSideways else { continue }
      if other <= section { above += counts.rows[other] }
      if other >= section { below += counts.rows[other] }
    }
    let lines = height * all.grid(section).cells.count
    (above, below) = (above + lines, below + lines)
    // Near an end of the list, more rows are held on the other side: the number stays constant.
    let most = max(lines, Self.longestReach)
    let count = min(counts.total, min(above, most) + min(below, most) + 1)
    let first = max(0, min(place - min(above, most), counts.total - count))
    return (first, first + count)
  }

  /// Lays out the visible entries in an area of this size.
  func layOut(width: Int, height: Int, heightOf: (ListRow) -> Int) {
    self.width = width
    self.height = height
    entries = []
    guard let table, height > 0 else { return }
    let all = all(table)
    guard all.counts.total > 0 else {
      rowID = nil
      place = 0
      if let first = all.first { entries = fill(all, from: first, y: 0, heightOf: heightOf) }
      return
    }
    settle(table, height: height)
    let current = all.line(of: all.counts.indexPath(at: place))
    let size = size(all, entry: current, heightOf: heightOf)
    let above = extent(all, before: current, heightOf: heightOf)
    let below = extent(all, from: current, heightOf: heightOf)
    // The header of the current row's section stays visible above it.
    let lowest = all.title(current.section) == nil || height < 3 ? 0 : 1
    var (low, high) = (lowest, max(lowest, height - size))
    if below.isWhole { low = max(low, height - below.lines) }
    if above.isWhole { high = min(high, above.lines) }
    if isAtStart, above.isWhole { line = above.lines }
    line = max(0, min(max(line, low), high))
    isAtStart = above.isWhole && line == above.lines
    place(all, current: current, heightOf: heightOf)
  }

  private func place(_ all: TableEntries, current: TableEntry, heightOf: (ListRow) -> Int) {
    var first = current
    var y = line
    while y > 0, let before = all.entry(before: first) {
      first = before
      y -= size(all, entry: before, heightOf: heightOf)
    }
    entries = fill(all, from: first, y: y, heightOf: heightOf)
  }

  private func fill(
    _ all: TableEntries, from first: TableEntry, y: Int, heightOf: (ListRow) -> Int
  ) -> [PlacedEntry] {
    var placed: [PlacedEntry] = []
    var y = y
    var next: TableEntry? = first
    while let entry = next, y < height {
      let (rows, size) = rows(all, entry: entry, heightOf: heightOf)
      var more = (left: false, right: false)
      if case .row(let path) = entry { more = all.more(besideLine: path) }
      placed.append(PlacedEntry(entry: entry, y: y, height: size, rows: rows, more: more))
      y += size
      next = all.entry(after: entry)
    }
    return placed
  }

  /// The number of lines above an entry, as far as it is relevant.
  private func extent(
    _ all: TableEntries, before entry: TableEntry, heightOf: (ListRow) -> Int
  ) -> (lines: Int, isWhole: Bool) {
    var lines = 0
    var entry = entry
    while lines <= height {
      guard let before = all.entry(before: entry) else { return (lines, true) }
      entry = before
      lines += size(all, entry: entry, heightOf: heightOf)
    }
    return (lines, false)
  }

  /// The number of lines of an entry and of those below it, as far as it is relevant.
  private func extent(
    _ all: TableEntries, from entry: TableEntry, heightOf: (ListRow) -> Int
  ) -> (lines: Int, isWhole: Bool) {
    var lines = size(all, entry: entry, heightOf: heightOf)
    var entry = entry
    while lines <= height {
      guard let after = all.entry(after: entry) else { return (lines, true) }
      entry = after
      lines += size(all, entry: entry, heightOf: heightOf)
    }
    return (lines, false)
  }

  private func size(
    _ all: TableEntries, entry: TableEntry, heightOf: (ListRow) -> Int
  ) -> Int { rows(all, entry: entry, heightOf: heightOf).height }

  /// The rows of a line that have cells, and the height of the line.
  private func rows(
    _ all: TableEntries, entry: TableEntry, heightOf: (ListRow) -> Int
  ) -> (rows: [PlacedRow], height: Int) {
    guard let table, case .row(let first) = entry else { return ([], 1) }
    let held = all.places(inLine: first).compactMap { path, cell in
      let index = table.counts.place(of: path) - table.firstPlace
      return table.rows.indices.contains(index) ? (row: table.rows[index], cell: cell) : nil
    }
    let slot = held.map { heightOf($0.row) }.max() ?? 1
    let rows = held.map { row, cell in
      PlacedRow(
        row: row,
        area: Rectangle(
          x: cell.x, y: cell.slot * slot, width: cell.width, height: cell.slots * slot))
    }
    return (rows, all.grid(first.section).slots * slot)
  }
}
