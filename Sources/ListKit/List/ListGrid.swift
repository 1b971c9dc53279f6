/// How the rows of a section stand side by side, for a renderer that knows its own width.
package struct ListGrid: Equatable, Sendable {
  /// How many stand beside each other.
  package enum Columns: Equatable, Sendable {
    /// Columns with these shares of the width.
    case shares([Double])
    /// As many as fit, each so many points wide or more.
    case width(Double)
  }

  /// A length in points, or as a share of the width or the height of what is seen.
  package enum Length: Equatable, Sendable {
    case points(Double)
    case widthShare(Double)
    case heightShare(Double)
  }

  package var columns: Columns
  package var height: Length
  /// Between neighbours in a line, and between lines, in points.
  package var itemSpacing = 0.0
  package var lineSpacing = 0.0

  package init(
    columns: Columns, height: Length, itemSpacing: Double = 0, lineSpacing: Double = 0
  ) {
    self.columns = columns
    self.height = height
    self.itemSpacing = itemSpacing
    self.lineSpacing = lineSpacing
  }

  /// How many columns there are in a width of so many points.
  package func columnCount(in width: Double) -> Int {
    switch columns {
    case .shares(let shares): return max(1, shares.count)
    case .width(let least):
      let least = max(1, least)
      return max(1, Int((width + itemSpacing) / (least + itemSpacing)))
    }
  }
}
