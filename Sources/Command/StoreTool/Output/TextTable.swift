import CoreData

/// Aligned columns of text, with numbers aligned at the right.
package struct TextTable {
  package struct Cell {
    package let text: String
    package let isNumber: Bool

    package init(_ text: String, isNumber: Bool = false) {
      self.text = text
      self.isNumber = isNumber
    }

    package init(_ cell: TableCell) {
      text = CellText.short(cell)
      switch cell {
      case .integer, .real, .single: isNumber = true
      case .object(let value): isNumber = value is NSNumber
      default: isNumber = false
      }
    }
  }

  /// The maximum width of a column; longer texts are cut.
  private static let limit = 60

  private let columns: [String]
  private let widths: [Int]
  /// The names of the columns that do not fit at all, which are the last ones.
  package let hidden: [String]
  private let terminal: Terminal

  package init(
    _ columns: [String], sample: [[Cell]],
    terminal: Terminal = Terminal(hasColor: false, width: nil)
  ) {
    self.columns = columns
    self.terminal = terminal
    let wanted = columns.enumerated().map { index, name in
      let widest = sample.lazy.map { Self.width($0[index].text) }.max() ?? 0
      return min(max(Self.width(name), widest), max(Self.limit, Self.width(name)))
    }
    let areNumbers = columns.indices.map { index in sample.contains { $0[index].isNumber } }
    let fitting =
      terminal.width.map { Self.fitting(wanted, areNumbers: areNumbers, into: $0) } ?? wanted
    widths = fitting
    hidden = Array(columns[fitting.count...])
  }

  /// The minimum width to which columns are narrowed.
  private static let least = 8
  private static let gap = 2

  /// Leaves out the last columns that have no room even when all are narrow, and narrows the widest
  /// ones until a line fits: those of texts before those of numbers, whose digits all count.
  private static func fitting(_ wanted: [Int], areNumbers: [Bool], into width: Int) -> [Int] {
    var (count, room) = (0, width + gap)
    for wanted in wanted {
      room -= min(wanted, least) + gap
      if room < 0, count > 0 { break }
      count += 1
    }
    var widths = Array(wanted.prefix(count))
    var excess = widths.reduce(gap * (widths.count - 1), +) - width
    func widest(_ isNumber: Bool) -> Int? {
      widths.indices.filter { areNumbers[$0] == isNumber && widths[$0] > least }
        .max { (widths[$0], -$0) < (widths[$1], -$1) }
    }
    while excess > 0, let index = widest(false) ?? widest(true) {
      widths[index] -= 1
      excess -= 1
    }
    return widths
  }

  /// What is said below a table that does not fit; nil for one that does.
  package var note: String? {
    if hidden.isEmpty { return nil }
    let names = hidden.count == 1 ? hidden[0] : "\(hidden.count) more columns"
    return terminal.styled(
      "Not shown for want of room: \(names). Choose some with --columns, or see all with "
        + "--format json.", style: .faint)
  }

  /// A complete table.
  package static func text(
    _ columns: [String], rows: [[Cell]], terminal: Terminal = .standardOutput
  ) -> String {
    let table = TextTable(columns, sample: rows, terminal: terminal)
    return ([table.heading] + rows.map(table.line)).joined(separator: "\n")
  }

  package var heading: String {
    let names = line(columns.prefix(widths.count).map { Cell($0) })
    let rules = widths.map { String(repeating: "─", count: $0) }.joined(separator: "  ")
    return terminal.styled(names, style: .bold) + "\n" + terminal.styled(rules, style: .faint)
  }

  package func line(_ cells: [Cell]) -> String {
    var parts: [String] = []
    for (index, (cell, width)) in zip(cells, widths).enumerated() {
      let text = Self.cut(cell.text, to: width)
      let space = String(repeating: " ", count: width - Self.width(text))
      let isLast = index == widths.count - 1
      parts.append(cell.isNumber ? space + text : text + (isLast ? "" : space))
    }
    return parts.joined(separator: "  ")
  }

  private static func cut(_ text: String, to width: Int) -> String {
    guard Self.width(text) > width else { return text }
    var result = ""
    var rest = width - 1
    for character in text {
      rest -= Self.width(of: character)
      if rest < 0 { break }
      result.append(character)
    }
    return result + "…"
  }

  private static func width(_ text: String) -> Int {
    text.utf8.allSatisfy { $0 < 0x80 }
      ? text.utf8.count : text.reduce(0) { $0 + width(of: $1) }
  }

  /// The width of a character: 2 for wide East Asian characters and emoji, 0 for what has no form
  /// of its own, else 1.
  private static func width(of character: Character) -> Int {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    let variationSelector16: Unicode.Scalar = "\u{FE0F}"
    if character.unicodeScalars.contains(where: {
      $0 == variationSelector16 || $0.properties.isEmojiPresentation
    }) {
      return 2
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    let isWide =
      (0x1100...0x115F).contains(scalar.value) || (0x2E80...0xA4CF).contains(scalar.value)
      || (0xAC00...0xD7A3).contains(scalar.value) || (0xF900...0xFAFF).contains(scalar.value)
      || (0xFE30...0xFE6F).contains(scalar.value) || (0xFF00...0xFF60).contains(scalar.value)
      || (0xFFE0...0xFFE6).contains(scalar.value) || (0x1F300...0x1FAFF).contains(scalar.value)
      || (0x20000...0x3FFFD).contains(scalar.value)
    return isWide ? 2 : 1
  }
}
