import Foundation
import ListKit

/// The pattern of a grid in characters: the cells of one line, beside and below each other.
///
///     │ 0        │ 1    │     slot 0       a line of three items, of which the first is
///     │          │ 2    │     slot 1       as high as the two others
///
/// Items that would be too narrow are drawn one below the other.
struct CharacterGrid {
  struct Cell: Equatable {
    let x: Int
    let width: Int
    /// The first of the cell's slots.
    let slot: Int
    let slots: Int

    var end: Int { slot + slots }
  }

  let cells: [Cell]
  let slots: Int
  /// The width of all cells together, in characters.
  let width: Int
  let isSideways: Bool

  /// The size of a character in points, for layouts in points.
  private static let pointsOfCharacter = (width: 8.0, height: 16.0)
  /// The minimum width of a cell, in characters.
  private static let leastWidth = 10
  /// The number of visible lines, for shares of the height.
  private static let lines = 24.0

  /// A grid of one column.
  init(width: Int) {
    cells = [Cell(x: 0, width: width, slot: 0, slots: 1)]
    slots = 1
    self.width = width
    isSideways = false
  }

  init(_ grid: ListGrid, width: Int) {
    isSideways = grid.sideways != nil
    let points = Self.pointsOfCharacter
    let seen = CGSize(
      width: Double(width) * points.width, height: Self.lines * points.height)
    let (frames, size) = grid.pattern(in: seen)
    let own = Int((Double(size.width) / points.width).rounded())
    self.width = isSideways ? max(min(Self.leastWidth * 2, width), min(own, width)) : width
    let rows = Set(frames.map { Self.line($0.minY) }).sorted()
    if rows.count == 1, !isSideways {
      let columns = max(1, min(frames.count, width / Self.leastWidth))
      (cells, slots) = (Self.beside(columns, frames: frames, width: width), 1)
      return
    }
    let (cells, slots) = Self.stacked(frames, rows: rows, width: self.width)
    self.slots = slots
    self.cells = cells
  }

  private static func line(_ y: CGFloat) -> Int {
    Int((Double(y) / pointsOfCharacter.height).rounded())
  }

  /// The cells of a single line; with their own widths if all of them are wide enough.
  private static func beside(_ columns: Int, frames: [CGRect], width: Int) -> [Cell] {
    let own = frames.map { ($0.minX, $0.maxX) }
      .map {
        (Int(Double($0) / pointsOfCharacter.width), Int(Double($1) / pointsOfCharacter.width))
      }
    if columns == frames.count, own.allSatisfy({ $1 - $0 >= leastWidth }) {
      return own.map { Cell(x: $0, width: min($1, width) - $0, slot: 0, slots: 1) }
    }
    return (0..<columns).map { column in
      let start = width * column / columns
      return Cell(x: start, width: width * (column + 1) / columns - start, slot: 0, slots: 1)
    }
  }

  /// Cells beside and below each other as in the layout; one below the other if any would be too
  /// narrow.
  private static func stacked(
    _ frames: [CGRect], rows: [Int], width: Int
  ) -> (cells: [Cell], slots: Int) {
    let cells = frames.map { frame -> Cell in
      let start = Int((Double(frame.minX) / pointsOfCharacter.width).rounded())
      let end = min(width, Int((Double(frame.maxX) / pointsOfCharacter.width).rounded()))
      let slot = rows.firstIndex(of: line(frame.minY)) ?? 0
      let next = rows.firstIndex { $0 >= line(frame.maxY) } ?? rows.count
      return Cell(x: start, width: end - start, slot: slot, slots: max(1, next - slot))
    }
    if cells.allSatisfy({ $0.width >= leastWidth }) { return (cells, rows.count) }
    let below = frames.indices.map { Cell(x: 0, width: width, slot: $0, slots: 1) }
    return (below, below.count)
  }
}
