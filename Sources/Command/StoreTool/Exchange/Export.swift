import CoreData

/// Writes all objects of a store by the names of its model, relationships included.
///
/// Keys that are not names of the model are defined in ``ExchangeName``.
package struct Export {
  private let entities: [ExportedRows]
  private let bar: ProgressBar

  /// Writes the objects and returns their number. Throws if the destination exists already, unless
  /// it is `/dev/stdout`, another device or a pipe.
  @discardableResult package static func run(
    _ store: OpenedStore, as format: ExchangeFormat, to destination: URL
  ) throws -> Int {
    do {
      let output = try ExportOutput(destination)
      let pages = ObjectPages(store: store)
      let count = try pages.count()
      let export = Export(
        entities: pages.entities.map { ExportedRows(of: $0, in: store) },
        bar: ProgressBar("Exporting", total: count))
      switch format {
      case .csv: try export.writeCSV(to: output)
      case .jsonl: try output.write(export.writeLines)
      case .sql:
        try output.write { try ExportedSQL(export.entities).write($0, advance: export.advance) }
      }
      export.bar.end()
      return count
    } catch { throw ToolError(error) }
  }

  private func advance() { bar.advance() }

  // MARK: - JSON

  private func writeLines(_ bytes: ByteWriter) throws {
    for rows in entities {
      let keys = rows.columns.map { ",\(JSONText.text($0.name)):" }
      let head =
        "{\"\(ExchangeName.entity)\":\(JSONText.text(rows.entity.name ?? "")),\"\(ExchangeName.id)\":\""
      try rows.forEach { row in
        bytes.write(head)
        row.writeName(to: bytes)
        bytes.write(byte: UInt8(ascii: "\""))
        var missing: [String] = []
        for (index, column) in rows.columns.enumerated() {
          if column.isToMany {
            write(row.members(index), key: keys[index], bytes: bytes)
            continue
          }
          let cell = ExportedRows.whole(row.cell(index), column: column)
          if ExportedRows.isMissing(cell, column: column) {
            missing.append(column.name)
          } else {
            write(cell, column: column, key: keys[index], bytes: bytes)
          }
        }
        if !missing.isEmpty {
          bytes.write(",\"\(ExchangeName.missing)\":[")
          bytes.write(missing.map(JSONText.text).joined(separator: ","))
          bytes.write(byte: UInt8(ascii: "]"))
        }
        bytes.write("}\n" as StaticString)
        try bytes.endRow()
        bar.advance()
      }
    }
  }

  private func write(_ members: [ExportedRows.Member], key: String, bytes: ByteWriter) {
    guard !members.isEmpty else { return }
    bytes.write(key)
    for (index, member) in members.enumerated() {
      bytes.write(index == 0 ? "[\"" : ",\"" as StaticString)
      member.write(to: bytes)
      bytes.write(byte: UInt8(ascii: "\""))
    }
    bytes.write(byte: UInt8(ascii: "]"))
  }

  /// Writes only whole numbers as JSON numbers: some readers lose digits of others.
  private func write(
    _ cell: TableCell, column: ExportedRows.Column, key: String, bytes: ByteWriter
  ) {
    if case .null = cell {
      guard ExportedRows.hasDefault(column) else { return }
      bytes.write(key)
      return bytes.write("null" as StaticString)
    }
    bytes.write(key)
    switch (column.kind, cell) {
    case (.toOne, _):
      bytes.write(byte: UInt8(ascii: "["))
      JSONText.write(ExportedRows.text(cell) ?? "", to: bytes)
      bytes.write(byte: UInt8(ascii: "]"))
    case (_, .integer(let value)): bytes.write(value)
    case (_, .boolean(let value)): bytes.write(value ? "true" : "false" as StaticString)
    case (_, .text(let value)): JSONText.write(value, to: bytes)
    case (_, .date(let seconds)):
      bytes.write(byte: UInt8(ascii: "\""))
      ExchangeText.write(seconds, to: bytes)
      bytes.write(byte: UInt8(ascii: "\""))
    case (_, .real(let value)): bytes.write("\"\(value)\"")
    default: JSONText.write(ExportedRows.text(cell) ?? "", to: bytes)
    }
  }

  // MARK: - CSV

  private func writeCSV(to output: ExportOutput) throws {
    let folder = try output.makeFolder()
    for rows in entities {
      let file = try ExportOutput(folder.appendingPathComponent("\(rows.entity.name ?? "").csv"))
      try file.write { try write(rows, bytes: $0) }
    }
  }

  private func write(_ rows: ExportedRows, bytes: ByteWriter) throws {
    let own = rows.mayMissValues ? [ExchangeName.id, ExchangeName.missing] : [ExchangeName.id]
    bytes.write(
      (own + rows.columns.map(\.name)).map(CSVText.field).joined(separator: ",") + "\r\n")
    try rows.forEach { row in
      row.writeName(to: bytes)
      if rows.mayMissValues {
        bytes.write(byte: UInt8(ascii: ","))
        let missing = rows.columns.enumerated().filter { index, column in
          if column.isToMany { return false }
          return ExportedRows.isMissing(row.cell(index), column: column)
        }
        bytes.write(missing.map(\.element.name).joined(separator: " "))
      }
      for (index, column) in rows.columns.enumerated() {
        bytes.write(byte: UInt8(ascii: ","))
        if column.isToMany {
          for (position, member) in row.members(index).enumerated() {
            if position > 0 { bytes.write(byte: UInt8(ascii: " ")) }
            member.write(to: bytes)
          }
        } else {
          writeField(row.cell(index), column: column, bytes: bytes)
        }
      }
      bytes.write("\r\n" as StaticString)
      try bytes.endRow()
      bar.advance()
    }
  }

  private func writeField(
    _ cell: TableCell, column: ExportedRows.Column, bytes: ByteWriter
  ) {
    switch cell {
    case .null: break
    case .integer(let value): bytes.write(value)
    case .date(let seconds): ExchangeText.write(seconds, to: bytes)
    case let cell:
      guard let text = ExportedRows.text(cell), !ExportedRows.isMissing(cell, column: column) else {
        return
      }
      bytes.write(CSVText.field(text))
    }
  }
}
