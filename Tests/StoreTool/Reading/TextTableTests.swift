import StoreTool
import Testing

/// Tables at a terminal: no line is longer than the terminal is wide, whatever the cells have.
struct TextTableTests {
  private typealias Cell = TextTable.Cell

  /// Texts with their widths, by hand.
  private static let texts: [(text: String, width: Int)] = [
    ("", 0), ("short", 5), (String(repeating: "wide value ", count: 50), 550),
    ("日本語のとても長い題名がここにあります", 38), ("한국어", 6), ("Ａ￥", 4), ("👩‍👩‍👧‍👦", 2), ("🇩🇪", 2), ("👍🏽", 2),
    ("❤️", 2), ("e\u{301}", 1), ("☃ ★ …", 5), ("a\u{200B}", 1), ("\u{FEFF}", 0),
  ]

  private func width(_ line: String) -> Int {
    var rest = line.replacing(/\u{1B}\[[0-9]+m/, with: "")
    var width = 0
    for (text, columns) in Self.texts.sorted(by: { $0.width > $1.width })
    where text.contains(where: { !$0.isASCII }) {
      width += columns * (rest.components(separatedBy: text).count - 1)
      rest = rest.replacing(text, with: "")
    }
    // Of a text that was cut, each letter that is left.
    return rest.reduce(width) { $0 + ("一"..."힣" ~= $1 || "ぁ"..."ヿ" ~= $1 ? 2 : 1) }
  }

  private func lines(_ table: TextTable, _ rows: [[Cell]]) -> [String] {
    table.heading.split(separator: "\n").map(String.init) + rows.map(table.line)
  }

  @Test(arguments: [20, 40, 80, 120, 200], [1, 2, 5, 9, 25, 60])
  func noLineIsWiderThanTheTerminal(_ terminal: Int, _ count: Int) {
    let columns = (0..<count).map { "attribute\($0)" }
    let rows = Self.texts.indices.map { first in
      (0..<count).map { Cell(Self.texts[(first + $0) % Self.texts.count].text) }
    }
    let table = TextTable(
      columns, sample: rows, terminal: Terminal(hasColor: true, width: terminal))
    for line in lines(table, rows) {
      #expect(width(line) <= terminal, "\(count) columns: \(line)")
    }
    // What has no room is said, and nothing else.
    let shown = columns.count - table.hidden.count
    #expect(table.hidden == Array(columns[shown...]) && shown > 0)
    #expect((table.note == nil) == table.hidden.isEmpty)
    #expect(10 * count - 2 > terminal || table.hidden.isEmpty, "\(table.hidden)")
  }

  @Test(arguments: [80, 120]) func cellsStandBelowEachOther(_ terminal: Int) {
    let rows = Self.texts.map { [Cell($0.text), Cell("|")] }
    let table = TextTable(
      ["text", "end"], sample: rows, terminal: Terminal(hasColor: false, width: terminal))
    let starts = rows.map { width(String(table.line($0).prefix { $0 != "|" })) }
    #expect(Set(starts).count == 1, "\(starts)")
  }

  /// The first digits of a number are another number.
  @Test func numbersAreWholeWhileTextsCanBeNarrower() {
    let rows = [
      [
        Cell(Self.texts[2].text), Cell("9223372036854775807", isNumber: true),
        Cell(Self.texts[2].text),
      ]
    ]
    let table = TextTable(
      ["note", "size", "more"], sample: rows, terminal: Terminal(hasColor: false, width: 60))
    #expect(table.line(rows[0]).contains(" 9223372036854775807 "))
  }

  @Test func withoutATerminalAllIsThere() {
    let columns = (0..<60).map { "attribute\($0)" }
    let rows = [columns.map { Cell("\($0) is here") }]
    let table = TextTable(columns, sample: rows)
    #expect(table.hidden.isEmpty && table.note == nil)
    for cell in rows[0] { #expect(table.line(rows[0]).contains(cell.text)) }
  }
}
