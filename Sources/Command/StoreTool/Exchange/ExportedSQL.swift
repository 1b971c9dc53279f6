import CoreData

/// Objects as SQL: a table for each entity, and one for each to-many relationship.
///
///     "Book"          "$id" TEXT PRIMARY KEY, a column for each attribute and to-one relationship
///     "Book.tags"     "$id", "$member", "$position"
///
/// Every name is quoted, since it may be a keyword. SQL names are not case-sensitive: a name that
/// differs from another one in case only gets a number.
struct ExportedSQL {
  private struct Table {
    let rows: ExportedRows
    let name: String
    /// The name of each column, or of the table of a to-many relationship.
    let columns: [String]
  }

  private let tables: [Table]

  init(_ entities: [ExportedRows]) {
    var names: Set<String> = []
    tables = entities.map { rows in
      let entity = rows.entity.name ?? ""
      let name = Self.unique(entity, among: &names)
      var own: Set<String> = []
      let columns = rows.columns.map { column in
        if column.isToMany {
          Self.unique("\(name).\(column.name)", among: &names)
        } else {
          Self.unique(column.name, among: &own)
        }
      }
      return Table(rows: rows, name: name, columns: columns)
    }
  }

  private static func unique(_ name: String, among names: inout Set<String>) -> String {
    var (candidate, number) = (name, 1)
    while !names.insert(candidate.lowercased()).inserted {
      number += 1
      candidate = "\(name)$\(number)"
    }
    return candidate
  }

  func write(_ bytes: ByteWriter, advance: () -> Void) throws {
    bytes.write("BEGIN;\n")
    for table in tables {
      writeTables(table, bytes: bytes)
      let single = table.columns.indices.filter { Self.isSingle(table.rows.columns[$0]) }
      let many = table.columns.indices.filter { !Self.isSingle(table.rows.columns[$0]) }
      let head = "INSERT INTO \(Self.quoted(table.name)) VALUES ('"
      let heads = many.map { "INSERT INTO \(Self.quoted(table.columns[$0])) VALUES ('" }
      try table.rows.forEach { row in
        bytes.write(head)
        row.writeName(to: bytes)
        bytes.write(byte: UInt8(ascii: "'"))
        var missing: [String] = []
        for column in single {
          bytes.write(", " as StaticString)
          let cell = row.cell(column)
          if ExportedRows.isMissing(cell, column: table.rows.columns[column]) {
            missing.append(table.rows.columns[column].name)
            bytes.write("NULL" as StaticString)
          } else {
            write(cell, bytes: bytes)
          }
        }
        if table.rows.mayMissValues {
          bytes.write(
            missing.isEmpty ? ", NULL" : ", \(Self.literal(missing.joined(separator: " ")))")
        }
        bytes.write(");\n" as StaticString)
        for (head, column) in zip(heads, many) {
          for (position, member) in row.members(column).enumerated() {
            bytes.write(head)
            row.writeName(to: bytes)
            bytes.write("', '" as StaticString)
            member.write(to: bytes)
            bytes.write("', " as StaticString)
            bytes.write(Int64(position))
            bytes.write(");\n" as StaticString)
          }
        }
        try bytes.endRow()
        advance()
      }
    }
    bytes.write("COMMIT;\n")
  }

  private static func isSingle(_ column: ExportedRows.Column) -> Bool {
    !column.isToMany
  }

  private func writeTables(_ table: Table, bytes: ByteWriter) {
    var columns = ["\(Self.quoted(ExchangeName.id)) TEXT PRIMARY KEY"]
    for (name, column) in zip(table.columns, table.rows.columns) where Self.isSingle(column) {
      columns.append("\(Self.quoted(name)) \(Self.type(of: column.name, table.rows.entity))")
    }
    if table.rows.mayMissValues { columns.append("\(Self.quoted(ExchangeName.missing)) TEXT") }
    bytes.write("CREATE TABLE \(Self.quoted(table.name)) (\(columns.joined(separator: ", ")));\n")
    for (name, column) in zip(table.columns, table.rows.columns) where !Self.isSingle(column) {
      bytes.write(
        "CREATE TABLE \(Self.quoted(name)) (\(Self.quoted(ExchangeName.id)) TEXT, "
          + "\(Self.quoted(ExchangeName.member)) TEXT, \(Self.quoted(ExchangeName.position)) INTEGER);\n"
      )
    }
  }

  private func write(_ cell: TableCell, bytes: ByteWriter) {
    switch cell {
    case .null: bytes.write("NULL" as StaticString)
    case .integer(let value): bytes.write(value)
    case .boolean(let value): bytes.write(value ? "1" : "0" as StaticString)
    case .real(let value): bytes.write("'\(value)'")
    case .text(let value) where value.allSatisfy(Self.isPlain):
      bytes.write(byte: UInt8(ascii: "'"))
      bytes.write(value)
      bytes.write(byte: UInt8(ascii: "'"))
    case .date(let seconds):
      bytes.write(byte: UInt8(ascii: "'"))
      ExchangeText.write(seconds, to: bytes)
      bytes.write(byte: UInt8(ascii: "'"))
    case let cell: bytes.write(ExportedRows.text(cell).map(Self.literal) ?? "NULL")
    }
  }

  private static func type(of key: String, _ entity: NSEntityDescription) -> String {
    switch entity.attributesByName[key]?.attributeType {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
      .booleanAttributeType:
      "INTEGER"
    case .doubleAttributeType, .floatAttributeType: "REAL"
    case .decimalAttributeType: "NUMERIC"
    default: "TEXT"
    }
  }

  private static func quoted(_ name: String) -> String {
    "\"\(name.replacing("\"", with: "\"\""))\""
  }

  /// Whether a byte stands for itself in a literal.
  private static func isPlain(_ byte: UInt8) -> Bool {
    byte != 0 && byte < 0x80 && byte != UInt8(ascii: "'")
  }

  private static func literal(_ text: String) -> String {
    "'\(text.replacing("'", with: "''").replacing("\0", with: ""))'"
  }
}
