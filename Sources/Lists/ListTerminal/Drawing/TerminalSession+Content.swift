import Foundation
import ListKit

// The content between a screen's bars: lists, and views above and below them.
extension TerminalSession {
  func drawContent(_ frame: Frame, parts: ScreenParts, area: Rectangle) {
    guard !area.isEmpty else { return }
    let blocks = parts.blocks
    let tables = blocks.count { $0.first is ListView }
    let heights = blocks.map { $0.first is ListView ? 0 : height(of: $0, area.width - 2) }
    let fixed = heights.reduce(0, +)
    // Lists keep at least three lines, at the expense of the views around them.
    let forTables = tables == 0 ? 0 : max(min(3, area.height), area.height - fixed)
    var y = area.y - hiddenLines(blocks, heights: heights, area: area)
    var roomAbove = area.height - forTables
    var done = 0
    for (block, height) in zip(blocks, heights) {
      if let table = block.first as? ListView {
        done += 1
        let lines = forTables / tables + (done == tables ? forTables % tables : 0)
        y = max(area.y, y)
        drawTable(
          frame, table: table, area: Rectangle(x: area.x, y: y, width: area.width, height: lines))
        y += lines
        continue
      }
      let place = Rectangle(x: area.x + 1, y: y, width: area.width - 2, height: height)
      let isSeen =
        place.y >= area.y && place.bottom <= area.bottom && (tables == 0 || roomAbove >= height)
      if isSeen {
        drawBlock(frame, block: block, area: place)
        roomAbove -= height
      }
      if isSeen || tables == 0 { y += height }
    }
  }

  /// The number of lines by which a screen without a list is scrolled, so that the focused view is
  /// visible.
  private func hiddenLines(_ blocks: [[UIView]], heights: [Int], area: Rectangle) -> Int {
    let hasTable = blocks.contains { $0.first is ListView }
    guard !hasTable, heights.reduce(0, +) > area.height else { return 0 }
    let index = blocks.firstIndex { $0.contains { isFocused(StopID($0)) } } ?? 0
    let end = heights[...index].reduce(0, +)
    return max(0, end - area.height)
  }

  // MARK: Views beside each other

  private static let gap = 3

  /// Draws a group of views side by side if the line is long enough, else one below the other.
  private func drawBlock(_ frame: Frame, block: [UIView], area: Rectangle) {
    var place = area
    let isLine = isLine(block, width: area.width)
    for view in block {
      if isLine {
        place.width = min(width(of: view), area.right - place.x)
        drawView(frame, view: view, area: place)
        if place.width > 0 { place.x += place.width + Self.gap }
      } else {
        place.height = height(of: view, area.width)
        drawView(frame, view: view, area: place)
        place.y += place.height
      }
    }
  }

  private func isLine(_ block: [UIView], width: Int) -> Bool {
    let all = block.reduce(0) { $0 + self.width(of: $1) + Self.gap }
    return block.count > 1 && all - Self.gap <= width
  }

  private func height(of block: [UIView], _ width: Int) -> Int {
    isLine(block, width: width) ? 1 : block.reduce(0) { $0 + height(of: $1, width) }
  }

  private func width(of view: UIView) -> Int {
    switch view {
    case let label as UILabel: TextLayout.width(label.text ?? "")
    case is UITextField, is UIDatePicker, is UISearchBar: 20
    default: pieces(of: view).reduce(0) { $0 + TextLayout.width($1.text) }
    }
  }

  private func height(of view: UIView, _ width: Int) -> Int {
    if let indicator = view as? UIActivityIndicatorView {
      return indicator.isAnimating || !indicator.hidesWhenStopped ? 1 : 0
    }
    guard let label = view as? UILabel else { return 1 }
    let most = label.numberOfLines == 0 ? 100 : max(1, label.numberOfLines)
    return TextLayout.wrapped(label.text ?? "", to: width, most: most).count
  }
}
