/// A terminal's screen as far as applications need one: it obeys what is written to it.
///
/// It shares no code with what is tested. What it does not know it keeps in `unknown`.
package struct TerminalScreen {
  package struct Cell: Equatable, Sendable {
    package var text = " "
    /// The style as the numbers of the last `m` sequence.
    package var style = "0"
  }

  /// How far a joined emoji moves the cursor: terminals differ.
  package enum Widths: Sendable, CaseIterable {
    case ofCodePoints, ofCharacters
  }

  package private(set) var columns: Int
  package private(set) var rows: Int
  package private(set) var cells: [[Cell]]
  package private(set) var cursor = (x: 0, y: 0)
  package private(set) var isCursorShown = true
  package private(set) var modes: Set<String> = []
  package private(set) var unknown: [String] = []
  private let widths: Widths
  private var style = "0"
  private var partial: [UInt8] = []
  private var sequence: [UInt8]?
  private var wrapsNext = false

  package init(columns: Int, rows: Int, widths: Widths = .ofCharacters) {
    self.columns = columns
    self.rows = rows
    self.widths = widths
    cells = Array(repeating: Array(repeating: Cell(), count: columns), count: rows)
  }

  /// The lines without blanks at their ends.
  package var lines: [String] {
    cells.map { row in
      var line = row.map(\.text).joined()
      while line.hasSuffix(" ") { line.removeLast() }
      return line
    }
  }

  package var text: String { lines.joined(separator: "\n") }

  /// The first cell that another screen has otherwise; `nil` when there is none.
  package func difference(from other: TerminalScreen) -> String? {
    for y in 0..<rows {
      for x in 0..<columns where cells[y][x] != other.cells[y][x] {
        return "line \(y), column \(x): \(cells[y][x]) and not \(other.cells[y][x]); "
          + "“\(lines[y])” and not “\(other.lines[y])”"
      }
    }
    return nil
  }

  package func style(x: Int, y: Int) -> String { cells[y][x].style }

  /// As when the user drags the window: what fits stays.
  package mutating func resize(columns: Int, rows: Int) {
    var new = TerminalScreen(columns: columns, rows: rows).cells
    for y in 0..<min(rows, self.rows) {
      for x in 0..<min(columns, self.columns) { new[y][x] = cells[y][x] }
    }
    (self.columns, self.rows, cells) = (columns, rows, new)
    cursor = (min(cursor.x, columns - 1), min(cursor.y, rows - 1))
  }

  package mutating func write(_ text: String) { write(Array(text.utf8)) }

  package mutating func write(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { take(byte) }
  }

  private mutating func take(_ byte: UInt8) {
    if var current = sequence {
      current.append(byte)
      sequence = current
      return finishSequence(current)
    }
    if byte < 0x80 { partial = [] }
    switch byte {
    case 0x1B: sequence = []
    case 0x0D: cursor.x = 0
    case 0x0A: lineFeed()
    case 0x00..<0x20, 0x7F: unknown.append("control \(byte)")
    default:
      partial.append(byte)
      if let text = String(validating: partial, as: UTF8.self) {
        partial = []
        for scalar in text.unicodeScalars { put(scalar) }
      }
    }
  }

  private mutating func lineFeed() {
    if cursor.y + 1 < rows { return cursor.y += 1 }
    cells.removeFirst()
    cells.append(Array(repeating: Cell(), count: columns))
  }

  // MARK: Characters

  private mutating func put(_ scalar: Unicode.Scalar) {
    let width = Self.width(scalar)
    let isJoined = widths == .ofCharacters && previousEndsJoined(with: scalar)
    if width == 0 || isJoined {
      let x = previousColumn
      if x >= 0 { cells[cursor.y][x].text.unicodeScalars.append(scalar) }
      let widens = scalar.value == 0xFE0F || (0x1F1E6...0x1F1FF).contains(scalar.value)
      if widths == .ofCharacters, widens, x == cursor.x - 1 { advance(1) }
      return
    }
    guard cursor.x + width <= columns else { return }
    // Half of a wide character is none.
    for x in cursor.x..<cursor.x + width { erase(x) }
    cells[cursor.y][cursor.x] = Cell(text: String(Character(scalar)), style: style)
    if width == 2 { cells[cursor.y][cursor.x + 1] = Cell(text: "", style: style) }
    cursor.x += width
  }

  private mutating func advance(_ count: Int) {
    guard cursor.x + count <= columns else { return }
    erase(cursor.x)
    cells[cursor.y][cursor.x] = Cell(text: "", style: style)
    cursor.x += count
  }

  private mutating func erase(_ x: Int) {
    if cells[cursor.y][x].text.isEmpty, x > 0 { cells[cursor.y][x - 1].text = " " }
    if x + 1 < columns, cells[cursor.y][x + 1].text.isEmpty { cells[cursor.y][x + 1].text = " " }
    cells[cursor.y][x].text = " "
  }

  private var previousColumn: Int {
    var x = cursor.x - 1
    while x > 0, cells[cursor.y][x].text.isEmpty { x -= 1 }
    return x
  }

  private func previousEndsJoined(with scalar: Unicode.Scalar) -> Bool {
    guard previousColumn >= 0 else { return false }
    let before = cells[cursor.y][previousColumn].text
    var joined = String.UnicodeScalarView(before.unicodeScalars)
    joined.append(scalar)
    return before != " " && String(joined).count == 1
  }

  private static func width(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }

  // MARK: Sequences

  private mutating func finishSequence(_ bytes: [UInt8]) {
    guard let first = bytes.first, let last = bytes.last else { return }
    if first == 0x5D {
      let isAtEnd = last == 0x07 || (last == 0x5C && bytes.dropLast().last == 0x1B)
      if isAtEnd { sequence = nil }
      return
    }
    guard first == 0x5B else {
      unknown.append("escape \(bytes)")
      return sequence = nil
    }
    guard bytes.count > 1, (0x40...0x7E).contains(last) else { return }
    sequence = nil
    control(
      String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self), Character(Unicode.Scalar(last))
    )
  }

  private mutating func control(_ parameters: String, _ final: Character) {
    let numbers = parameters.split(separator: ";").map { Int($0) ?? 1 }
    switch final {
    case "H":
      let y = (numbers.first ?? 1) - 1
      let x = (numbers.dropFirst().first ?? 1) - 1
      cursor = (max(0, min(x, columns - 1)), max(0, min(y, rows - 1)))
    case "m": style = parameters
    case "J" where parameters == "2":
      cells = Array(repeating: Array(repeating: Cell(style: style), count: columns), count: rows)
    case "h", "l": setMode(parameters, final == "h")
    case "u" where parameters.hasPrefix("="), "p" where parameters.hasSuffix("$"): break
    default: unknown.append("\(parameters)\(final)")
    }
  }

  private mutating func setMode(_ mode: String, _ isOn: Bool) {
    if mode == "?25" { isCursorShown = isOn }
    if isOn { modes.insert(mode) } else { modes.remove(mode) }
  }
}
