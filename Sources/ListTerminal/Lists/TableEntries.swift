import Foundation
import ListKit
import ListSnapshots

/// What stands in a table from top to bottom, and what follows what.
enum TableEntry: Equatable {
  case header(Int)
  /// A line of rows, by its first one: in a list that is the only one.
  case row(IndexPath)
  case footer(Int)

  var section: Int {
    switch self {
    case .header(let section), .footer(let section): section
    case .row(let path): path.section
    }
  }
}

/// Walks a table's entries without touching those far away.
@MainActor
struct TableEntries {
  let table: ListView
  let counts: ListCounts
  /// How many characters a line has; rows stand side by side in a grid where there is room.
  let width: Int

  init(_ table: ListView, width: Int = 0) {
    self.table = table
    self.width = width
    counts = table.counts
  }

  /// What takes a character's place in a layout that is made in points.
  private static let pointsOfCharacter = 8.0
  /// Fewer characters say nothing.
  private static let leastColumn = 10

  func columns(_ section: Int) -> Int {
    guard let grid = table.grid(inSection: section) else { return 1 }
    let wanted = grid.columnCount(in: Double(width) * Self.pointsOfCharacter)
    return max(1, min(wanted, width / Self.leastColumn))
  }

  /// The line that a row stands in.
  func line(of path: IndexPath) -> TableEntry {
    let columns = columns(path.section)
    return .row(IndexPath(row: path.row / columns * columns, section: path.section))
  }

  /// The paths of a line of rows.
  func paths(inLine first: IndexPath) -> [IndexPath] {
    let end = min(first.row + columns(first.section), counts.rows[first.section])
    return (first.row..<max(first.row, end)).map { IndexPath(row: $0, section: first.section) }
  }

  private func lastLine(_ section: Int) -> TableEntry {
    line(of: IndexPath(row: counts.rows[section] - 1, section: section))
  }

  /// The row in the same column of the line below or above; the row itself where there is none.
  func row(besideLineOf path: IndexPath, step: Int) -> IndexPath {
    let column = path.row % columns(path.section)
    var entry: TableEntry? = line(of: path)
    repeat {
      entry = entry.flatMap { step > 0 ? self.entry(after: $0) : self.entry(before: $0) }
      if case .row(let first) = entry {
        let paths = paths(inLine: first)
        return paths[min(column, paths.count - 1)]
      }
    } while entry != nil
    return path
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

  /// The first entry of a section, or of the next one that has any.
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
