import CoreData

/// The output format of a query.
package enum RowFormat: String, CaseIterable, Sendable {
  case table, csv, json, ndjson, markdown
}

/// Writes rows one by one; see ``RowFormat``.
package protocol RowWriter: AnyObject {
  func write(_ row: TableRow) throws
  /// Called once, after the last row.
  func end() throws
}

extension RowFormat {
  package func makeWriter(_ columns: [String], to bytes: ByteWriter) -> any RowWriter {
    switch self {
    case .table: TableRowWriter(columns, bytes: bytes, terminal: Terminal.standardOutput)
    case .csv: CSVRowWriter(columns, bytes: bytes)
    case .json: JSONRowWriter(columns, bytes: bytes, isLines: false)
    case .ndjson: JSONRowWriter(columns, bytes: bytes, isLines: true)
    case .markdown: MarkdownRowWriter(columns, bytes: bytes)
    }
  }
}

/// An array of objects, or an object per line. Data is in base 64, objects are `Entity/p7`.
final class JSONRowWriter: RowWriter {
  private let keys: [[UInt8]]
  private let bytes: ByteWriter
  private let isLines: Bool
  // Unchecked exclusivity is sound for the reason given in ``ByteWriter``.
  @exclusivity(unchecked) private var count = 0

  init(_ columns: [String], bytes: ByteWriter, isLines: Bool) {
    keys = columns.enumerated().map { index, name in
      Array(((index == 0 ? "{" : ",") + JSONText.text(name) + ":").utf8)
    }
    self.bytes = bytes
    self.isLines = isLines
  }

  func write(_ row: TableRow) throws {
    if !isLines { bytes.write(count == 0 ? "[" : ",\n" as StaticString) }
    for column in keys.indices {
      keys[column].withUnsafeBufferPointer { bytes.write($0) }
      write(row.cell(column))
    }
    bytes.write(isLines ? "}\n" : "}" as StaticString)
    count += 1
    try count == 1 ? bytes.flush() : bytes.endRow()
  }

  @inline(__always)
  private func write(_ cell: TableCell) {
    switch cell {
    case .null: bytes.write("null" as StaticString)
    case .boolean(let value): bytes.write(value ? "true" : "false" as StaticString)
    case .integer(let value): bytes.write(value)
    case .real(let value): JSONText.write(value, to: bytes)
    case .single(let value): JSONText.write(value, to: bytes)
    case .date(let value):
      bytes.write(byte: UInt8(ascii: "\""))
      ISODate.write(value, to: bytes)
      bytes.write(byte: UInt8(ascii: "\""))
    case .text(let value): JSONText.write(value, to: bytes)
    case .reference(let entity, let key):
      bytes.write(byte: UInt8(ascii: "\""))
      bytes.write(entity)
      bytes.write("/p" as StaticString)
      bytes.write(key)
      bytes.write(byte: UInt8(ascii: "\""))
    case .object(let value): write(value)
    }
  }

  private func write(_ value: Any) {
    if let number = value as? NSNumber {
      let text = CellText.text(of: number)
      // JSON has no NaN and no infinity.
      return bytes.write(Double(text)?.isFinite == true ? text : "null")
    }
    JSONText.write(CellText.text(of: value), to: bytes)
  }

  func end() throws {
    if !isLines { bytes.write(count == 0 ? "[]\n" : "]\n" as StaticString) }
    try bytes.flush()
  }
}

/// RFC 4180 with a header line. Nil is an empty field, an empty text a pair of quotes.
final class CSVRowWriter: RowWriter {
  private let count: Int
  private let bytes: ByteWriter

  init(_ columns: [String], bytes: ByteWriter) {
    count = columns.count
    self.bytes = bytes
    bytes.write(columns.map(CSVText.field).joined(separator: ",") + "\r\n")
  }

  func write(_ row: TableRow) throws {
    for column in 0..<count {
      if column > 0 { bytes.write(byte: UInt8(ascii: ",")) }
      switch row.cell(column) {
      case .null: break
      case .integer(let value): bytes.write(value)
      case .date(let value): ISODate.write(value, to: bytes)
      case let cell: bytes.write(CSVText.field(CellText.plain(cell)))
      }
    }
    bytes.write("\r\n" as StaticString)
    try bytes.endRow()
  }

  func end() throws { try bytes.flush() }
}

/// A table in Markdown.
final class MarkdownRowWriter: RowWriter {
  private let count: Int
  private let bytes: ByteWriter

  init(_ columns: [String], bytes: ByteWriter) {
    count = columns.count
    self.bytes = bytes
    bytes.write("| \(columns.map(Self.escaped).joined(separator: " | ")) |\n")
    bytes.write("|\(String(repeating: "---|", count: count))\n")
  }

  func write(_ row: TableRow) throws {
    let cells = (0..<count).map { Self.escaped(CellText.short(row.cell($0))) }
    bytes.write("| \(cells.joined(separator: " | ")) |\n")
    try bytes.endRow()
  }

  private static func escaped(_ text: String) -> String {
    let isPlain = !text.utf8.contains { $0 == UInt8(ascii: "|") || $0 == UInt8(ascii: "\\") }
    if isPlain { return text }
    return text.replacingOccurrences(of: "\\", with: "\\\\")
      .replacingOccurrences(of: "|", with: "\\|")
  }

  func end() throws { try bytes.flush() }
}

/// Aligned columns for people. Their widths are computed from the first thousand rows, so that
/// memory does not grow with the number of rows.
final class TableRowWriter: RowWriter {
  private static let sample = 1000
  private let columns: [String]
  private let bytes: ByteWriter
  private let terminal: Terminal
  private var waiting: [[TextTable.Cell]] = []
  private var table: TextTable?

  init(_ columns: [String], bytes: ByteWriter, terminal: Terminal) {
    self.columns = columns
    self.bytes = bytes
    self.terminal = terminal
  }

  func write(_ row: TableRow) throws {
    let cells = columns.indices.map { TextTable.Cell(row.cell($0)) }
    if let table {
      bytes.write(table.line(cells) + "\n")
      return try bytes.endRow()
    }
    waiting.append(cells)
    if waiting.count == Self.sample { try begin() }
  }

  private func begin() throws {
    let table = TextTable(columns, sample: waiting, terminal: terminal)
    bytes.write(table.heading + "\n")
    for row in waiting { bytes.write(table.line(row) + "\n") }
    waiting = []
    self.table = table
    try bytes.flush()
  }

  func end() throws {
    if table == nil { try begin() }
    if let note = table?.note { bytes.write(note + "\n") }
    try bytes.flush()
  }
}
