/// One cell of the grid. A wide character is followed by cells of width 0.
struct Cell: Equatable, Sendable {
  var text = " "
  var width = 1
  var style = Style.plain

  static let blank = Cell()
}

/// A rectangle of the screen, in columns and lines.
struct Rectangle: Equatable, Sendable {
  var x: Int
  var y: Int
  var width: Int
  var height: Int

  var right: Int { x + width }
  var bottom: Int { y + height }
  var isEmpty: Bool { width <= 0 || height <= 0 }

  func contains(x: Int, y: Int) -> Bool {
    (self.x..<max(self.x, right)).contains(x) && (self.y..<max(self.y, bottom)).contains(y)
  }

  func line(_ number: Int) -> Rectangle { Rectangle(x: x, y: y + number, width: width, height: 1) }

  func inset(_ columns: Int, lines: Int = 0) -> Rectangle {
    Rectangle(
      x: x + columns, y: y + lines, width: max(0, width - 2 * columns),
      height: max(0, height - 2 * lines))
  }
}

/// A grid of cells. Drawing beyond its edges is clipped.
struct Canvas: Equatable, Sendable {
  let width: Int
  let height: Int
  private(set) var cells: [Cell]

  init(width: Int, height: Int) {
    self.width = max(1, width)
    self.height = max(1, height)
    cells = Array(repeating: .blank, count: self.width * self.height)
  }

  var bounds: Rectangle { Rectangle(x: 0, y: 0, width: width, height: height) }

  subscript(x: Int, y: Int) -> Cell { cells[y * width + x] }

  /// A line as text, for tests.
  func line(_ y: Int) -> String {
    cells[(y * width)..<((y + 1) * width)].map(\.text).joined()
  }

  /// Writes glyphs at a position, up to the column `limit`. Returns the column after them.
  @discardableResult
  mutating func write(_ glyphs: [Glyph], x: Int, y: Int, limit: Int? = nil, style: Style) -> Int {
    let limit = min(limit ?? width, width)
    var x = x
    guard (0..<height).contains(y) else { return x }
    for glyph in glyphs {
      guard x + glyph.width <= limit else { break }
      if x >= 0 { set(glyph, x: x, y: y, style: style) }
      x += glyph.width
    }
    return x
  }

  /// Writes a text at a position, cut with an ellipsis at the column `limit`. Returns the column
  /// after it.
  @discardableResult
  mutating func write(_ text: String, x: Int, y: Int, limit: Int? = nil, style: Style) -> Int {
    let columns = min(limit ?? width, width) - x
    return write(TextLayout.truncated(text, to: columns), x: x, y: y, limit: limit, style: style)
  }

  mutating func fill(_ area: Rectangle, style: Style, text: String = " ") {
    for y in max(0, area.y)..<max(max(0, area.y), min(area.bottom, height)) {
      for x in max(0, area.x)..<max(max(0, area.x), min(area.right, width)) {
        set(Glyph(text: text, width: 1), x: x, y: y, style: style)
      }
    }
  }

  /// Fades all cells, before something is drawn over them.
  mutating func fade() {
    for index in cells.indices {
      cells[index].style = Style(tone: .muted, isFaint: true)
    }
  }

  /// Changes the style of cells, not their text.
  mutating func restyle(_ area: Rectangle, change: (inout Style) -> Void) {
    for y in max(0, area.y)..<max(max(0, area.y), min(area.bottom, height)) {
      for x in max(0, area.x)..<max(max(0, area.x), min(area.right, width)) {
        change(&cells[y * width + x].style)
      }
    }
  }

  private mutating func set(_ glyph: Glyph, x: Int, y: Int, style: Style) {
    let start = y * width + x
    // A wide character that is overwritten in part becomes blank.
    clearWide(x: x, y: y)
    if glyph.width > 1 { clearWide(x: x + glyph.width - 1, y: y) }
    cells[start] = Cell(text: glyph.text, width: glyph.width, style: style)
    for offset in 1..<max(1, glyph.width) {
      cells[start + offset] = Cell(text: "", width: 0, style: style)
    }
  }

  /// Blanks the wide character that covers a cell.
  private mutating func clearWide(x: Int, y: Int) {
    guard cells[y * width + x].width != 1 else { return }
    var first = x
    while first > 0, cells[y * width + first].width == 0 { first -= 1 }
    let end = min(width, first + max(1, cells[y * width + first].width))
    for column in first..<max(first, end) {
      cells[y * width + column] = Cell(style: cells[y * width + column].style)
    }
  }
}
