import Foundation
import ListKit

/// The pattern of a grid in characters: where the items of one line stand beside and below each
/// other.
///
///     │ 0        │ 1    │     slot 0       a line of three items, of which the first is
///     │          │ 2    │     slot 1       as high as the two others
///
/// What is too narrow to say something stands one below the other.
struct CharacterGrid {
  struct Cell: Equatable {
    let x: Int
    let width: Int
    /// The first of the slots that it takes.
    let slot: Int
    let slots: Int

    var end: Int { slot + slots }
  }

  let cells: [Cell]
  let slots: Int
  /// How many characters the cells take together.
  let width: Int
  let isSideways: Bool

  /// What takes a character's place in a layout that is made in points.
  private static let pointsOfCharacter = (width: 8.0, height: 16.0)
  /// Fewer characters say nothing.
  private static let leastWidth = 10
  /// How many lines are seen, for shares of the height.
  private static let lines = 24.0

  /// One below the other.
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
      (cells, slots) = (Self.beside(columns, frames, width), 1)
      return
    }
    let (cells, slots) = Self.stacked(frames, rows, self.width)
    self.slots = slots
    self.cells = cells
  }

  private static func line(_ y: CGFloat) -> Int {
    Int((Double(y) / pointsOfCharacter.height).rounded())
  }

  /// In one line, of their own widths where all of them have room.
  private static func beside(_ columns: Int, _ frames: [CGRect], _ width: Int) -> [Cell] {
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

  /// Beside and below each other, as their places say; else one below the other.
  private static func stacked(
    _ frames: [CGRect], _ rows: [Int], _ width: Int
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
