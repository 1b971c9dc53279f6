/// Writes the difference of two canvases for a terminal: only the cells that differ.
struct FrameWriter {
  let palette: Palette
  let symbols: Symbols
  /// Whether the terminal supports synchronized output, which is shown at once.
  var isSynchronized = false

  struct Place: Equatable {
    let x: Int
    let y: Int
  }

  /// The text that changes the terminal's content; empty for no change.
  ///
  /// - Parameters:
  ///   - old: the canvas that the terminal shows; `nil` if unknown, in which case it is cleared
  ///     first.
  ///   - cursor: the new position of the text cursor; `nil` hides it.
  ///   - oldCursor: its current position.
  func text(
    from old: Canvas?, to new: Canvas, cursor: Place? = nil, oldCursor: Place? = nil
  ) -> String {
    let known = old.flatMap { $0.width == new.width && $0.height == new.height ? $0 : nil }
    var output = Output(palette: palette)
    if known == nil { output.append("\u{1B}[0m\u{1B}[2J") }
    let base = known ?? Canvas(width: new.width, height: new.height)
    for y in 0..<new.height { write(line: y, from: base, to: new, &output) }
    if output.text.isEmpty, cursor == oldCursor { return "" }
    let place =
      cursor.map { "\u{1B}[\($0.y + 1);\($0.x + 1)H\u{1B}[?25h" } ?? ""
    let body = "\u{1B}[?25l" + output.text + "\u{1B}[0m" + place
    return isSynchronized ? "\u{1B}[?2026h" + body + "\u{1B}[?2026l" : body
  }

  /// The number of equal cells from which a cursor jump is shorter than writing them.
  private static let shortestJump = 5

  /// The number of cells after a composed character that are written again: a terminal that draws
  /// its parts side by side overwrites them.
  private static let overlap = 8

  private func write(line y: Int, from old: Canvas, to new: Canvas, _ output: inout Output) {
    var x = 0
    while x < new.width {
      guard new[x, y] != old[x, y] else {
        x += 1
        continue
      }
      // A wide character is written as a whole.
      while x > 0, new[x, y].width == 0 { x -= 1 }
      var end = x
      var equal = 0
      var last = x
      while end < new.width, equal < Self.shortestJump {
        if new[end, y] == old[end, y] { equal += 1 } else { (equal, last) = (0, end) }
        end += 1
      }
      var column = x
      while column <= last {
        let cell = new[column, y]
        write(cell, x: column, y: y, output: &output)
        if !cell.isPlain { last = max(last, min(new.width - 1, column + Self.overlap)) }
        column += 1
      }
      x = last + max(1, new[last, y].width)
    }
  }

  private func write(_ cell: Cell, x: Int, y: Int, output: inout Output) {
    guard cell.width > 0 else { return }
    output.move(to: Place(x: x, y: y))
    output.set(cell.style)
    if !cell.isPlain {
      // Blanked first: the terminal may draw the character narrower than expected.
      output.append(String(repeating: " ", count: cell.width))
      output.advance(by: cell.width, isCertain: true)
      output.move(to: Place(x: x, y: y))
    }
    output.append(symbols.text(Glyph(text: cell.text, width: cell.width)))
    output.advance(by: cell.width, isCertain: cell.isPlain)
  }

  /// The text, with the position and style in which it leaves the terminal.
  private struct Output {
    let palette: Palette
    var text = ""
    private var place: Place?
    private var style: Style?

    init(palette: Palette) { self.palette = palette }

    mutating func append(_ more: String) { text += more }

    mutating func move(to target: Place) {
      if place != target { text += "\u{1B}[\(target.y + 1);\(target.x + 1)H" }
      place = target
    }

    mutating func set(_ new: Style) {
      if style != new { text += palette.sequence(new) }
      style = new
    }

    /// Advances the position. After a composed character it is unknown, since terminals differ.
    mutating func advance(by width: Int, isCertain: Bool) {
      place = isCertain ? place.map { Place(x: $0.x + width, y: $0.y) } : nil
    }
  }
}

extension Cell {
  /// Whether the cell is a single code point whose width all terminals agree on, or the second half
  /// of one.
  fileprivate var isPlain: Bool {
    if width == 0 { return true }
    var scalars = text.unicodeScalars.makeIterator()
    guard let first = scalars.next(), scalars.next() == nil else { return false }
    return first.value < 0x1F000
  }
}
