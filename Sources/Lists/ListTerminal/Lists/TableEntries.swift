import Foundation
import ListKit
import ListSnapshots

/// An entry of a table, from top to bottom.
enum TableEntry: Equatable {
  case header(Int)
  /// A line of rows, identified by its first row: in a list its only one, in a section that scrolls
  /// sideways the first of the section.
  case row(IndexPath)
  case footer(Int)

  var section: Int {
    switch self {
    case .header(let section), .footer(let section): section
    case .row(let path): path.section
    }
  }
}

/// Walks through a table's entries; the cost does not depend on the number of rows.
@MainActor
struct TableEntries {
  let table: ListView
  let counts: ListCounts
  /// The width of a line in characters. Rows of a grid are side by side if it is wide enough.
  let width: Int
  /// The first visible group of sections that scroll sideways.
  let offsets: [Int: Int]

  init(_ table: ListView, width: Int = 0, offsets: [Int: Int] = [:]) {
    self.table = table
    self.width = width
    self.offsets = offsets
    counts = table.counts
  }

  func grid(_ section: Int) -> CharacterGrid {
    guard let grid = table.grid(inSection: section), width > 0 else {
      return CharacterGrid(width: width)
    }
    return CharacterGrid(grid, width: width)
  }

  /// The number of rows in a line.
  func columns(_ section: Int) -> Int {
    let grid = grid(section)
    return grid.isSideways ? max(1, counts.rows[section]) : grid.cells.count
  }

  /// The line that contains a row.
  func line(of path: IndexPath) -> TableEntry {
    let columns = columns(path.section)
    return .row(IndexPath(row: path.row / columns * columns, section: path.section))
  }

  /// The visible rows of a line, each with its cell.
  func places(inLine first: IndexPath) -> [(path: IndexPath, cell: CharacterGrid.Cell)] {
    let grid = grid(first.section)
    let count = grid.cells.count
    let groups = grid.isSideways ? seenGroups(grid) : 1
    let start = first.row + (grid.isSideways ? (offsets[first.section] ?? 0) * count : 0)
    let end = min(start + groups * count, counts.rows[first.section])
    return (start..<max(start, end)).map { row in
      let cell = grid.cells[(row - start) % count]
      let x = cell.x + (row - start) / count * grid.width
      return (
        IndexPath(row: row, section: first.section),
        CharacterGrid.Cell(x: x, width: cell.width, slot: cell.slot, slots: cell.slots)
      )
    }
  }

  private func seenGroups(_ grid: CharacterGrid) -> Int { max(1, width / max(1, grid.width)) }

  /// The offset at which a row of a section that scrolls sideways is visible; nil for other
  /// sections.
  func offset(showing path: IndexPath) -> Int? {
    let grid = grid(path.section)
    guard grid.isSideways else { return nil }
    let group = path.row / grid.cells.count
    let seen = seenGroups(grid)
    let old = offsets[path.section] ?? 0
    return max(min(old, group), group - seen + 1)
  }

  /// Whether a line continues to the left and to the right of its visible part.
  func more(besideLine first: IndexPath) -> (left: Bool, right: Bool) {
    guard grid(first.section).isSideways else { return (false, false) }
    let last = places(inLine: first).last?.path.row ?? 0
    return ((offsets[first.section] ?? 0) > 0, last + 1 < counts.rows[first.section])
  }

  private func lastLine(_ section: Int) -> TableEntry {
    line(of: IndexPath(row: counts.rows[section] - 1, section: section))
  }

  /// The row below or above, as close as possible to this one's left edge; this row if there is
  /// none.
  func row(besideLineOf path: IndexPath, step: Int) -> IndexPath {
    var entry: TableEntry? = line(of: path)
    guard case .row(let first) = entry else { return path }
    let own = places(inLine: first)
    guard let here = own.first(where: { $0.path == path })?.cell else { return path }
    let beyond = own.filter { step > 0 ? $0.cell.slot >= here.end : $0.cell.end <= here.slot }
    if let next = Self.nearest(beyond, to: here, step: step) { return next }
    repeat {
      entry = entry.flatMap { step > 0 ? self.entry(after: $0) : self.entry(before: $0) }
      if case .row(let first) = entry {
        return Self.nearest(places(inLine: first), to: here, step: step) ?? path
      }
    } while entry != nil
    return path
  }

  /// Among the first cells in a direction, the one that begins closest.
  private static func nearest(
    _ places: [(path: IndexPath, cell: CharacterGrid.Cell)], to here: CharacterGrid.Cell,
    step: Int
  ) -> IndexPath? {
    func depth(_ cell: CharacterGrid.Cell) -> Int { step > 0 ? cell.slot : -cell.end }
    let first = places.map { depth($0.cell) }.min()
    return places.filter { depth($0.cell) == first }
      .min { abs($0.cell.x - here.x) < abs($1.cell.x - here.x) }?.path
  }

  func title(_ section: Int) -> String? {
    let title = table.headerTitle(inSection: section)
    return title?.isEmpty == true ? nil : title
  }

  func footer(_ section: Int) -> String? {
    let footer = table.footerTitle(inSection: section)
    return footer?.isEmpty == true ? nil : footer
  }

  var first: TableEntry? { begin(from: 0) }

  func entry(after entry: TableEntry) -> TableEntry? {
    switch entry {
    case .header(let section) where counts.rows[section] > 0:
      .row(IndexPath(row: 0, section: section))
    case .row(let path) where path.row + columns(path.section) < counts.rows[path.section]:
      .row(IndexPath(row: path.row + columns(path.section), section: path.section))
    case .footer(let section): begin(from: section + 1)
    default:
      footer(entry.section) != nil ? .footer(entry.section) : begin(from: entry.section + 1)
    }
  }

  func entry(before entry: TableEntry) -> TableEntry? {
    let section = entry.section
    switch entry {
    case .row(let path) where path.row > 0:
      return line(of: IndexPath(row: path.row - 1, section: section))
    case .footer where counts.rows[section] > 0:
      return lastLine(section)
    case .row, .footer:
      return title(section) != nil ? .header(section) : end(before: section)
    case .header:
      return end(before: section)
    }
  }

  /// The first entry of a section, or of the next section that has any.
  private func begin(from section: Int) -> TableEntry? {
    for section in section..<max(section, counts.sections) {
      if title(section) != nil { return .header(section) }
      if counts.rows[section] > 0 { return .row(IndexPath(row: 0, section: section)) }
      if footer(section) != nil { return .footer(section) }
    }
    return nil
  }

  private func end(before section: Int) -> TableEntry? {
    for section in (0..<section).reversed() {
      if footer(section) != nil { return .footer(section) }
      if counts.rows[section] > 0 { return lastLine(section) }
      if title(section) != nil { return .header(section) }
    }
    return nil
  }
}
