/// Reads one column of a fetch of dictionaries, boxed as key-value coding does.
struct TableColumnDecoder {
  private enum Kind {
    case slot(SlotDecoder, NSAttributeType)
    case identity(EntityMapping, column: Int32)
    case value(NSAttributeType, SQLOperand.Kind, column: Int32)
  }

  private let kind: Kind
  private let rows: RowDecoder

  init(
    _ reading: SQLTableQuery.Reading, contents: StoreContents, entity: EntityMapping,
    rows: RowDecoder
  ) {
    self.rows = rows
    kind =
      switch reading {
      case .slot(let step, let mapping, let column, let entityColumn):
        .slot(
          SlotDecoder(
            mapping, column: column, entityColumn: entityColumn,
            codec: contents.codec(of: step.layout.slots[step.slot])), step.type)
      case .identity(let column): .identity(entity, column: column)
      case .value(let type, let kind, let column): .value(type, kind, column: column)
      }
  }

  /// The value as a cell for immediate use: text stays in SQLite's memory.
  func cell(_ statement: SQLiteStatement) -> TableCell {
    switch kind {
    case .slot(let decoder, let type): return decoder.cell(statement, reader: rows, type: type)
    case .identity(let entity, let column):
      let number = rows.entityNumber(statement.integer(column), else: entity.layout.number)
      return rows.target(statement.integer(column + 1), entityNumber: number)
        .map { .reference(rows.mapping.name(ofLayout: $0.entityNumber), $0.key) } ?? .null
    case .value(let type, let kind, let column):
      if statement.isNull(column) { return .null }
      if type == .undefinedAttributeType, kind == .number {
        return statement.isInteger(column)
          ? .integer(statement.integer(column)) : .real(statement.real(column))
      }
      if kind == .text { return statement.bytes(column).map(TableCell.text) ?? .null }
      return value(statement).map(TableCell.object) ?? .null
    }
  }

  func value(_ statement: SQLiteStatement) -> Any? {
    switch kind {
    case .slot(let decoder, let type): return decoder.value(statement, reader: rows).boxed(type)
    case .identity(let entity, let column):
      let number = rows.entityNumber(statement.integer(column), else: entity.layout.number)
      return rows.target(statement.integer(column + 1), entityNumber: number)
        .map { rows.identities.identity($0) }
    case .value(let type, let kind, let column):
      if statement.isNull(column) { return nil }
      return type == .undefinedAttributeType
        ? natural(statement, kind: kind, column: column)
        : typed(statement, type: type, kind: kind, column: column)
    }
  }

  private func typed(
    _ statement: SQLiteStatement, type: NSAttributeType, kind: SQLOperand.Kind,
    column: Int32
  ) -> Any? {
    switch type {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
      .booleanAttributeType:
      Value.integer(statement.integer(column)).boxed(type)
    case .doubleAttributeType, .floatAttributeType, .dateAttributeType:
      Value.real(statement.real(column)).boxed(type)
    // All digits of the double; columns of decimals are read through SQLite's text of 15 digits.
    case .decimalAttributeType where kind == .number && statement.type(of: column) == .real:
      NSDecimalNumber(string: "\(statement.real(column))")
    case .decimalAttributeType:
      NSDecimalNumber(string: statement.text(column))
    case .binaryDataAttributeType: statement.data(column)
    default: statement.text(column)
    }
  }

  private func uuid(_ data: Data) -> UUID {
    var uuid = UUID().uuid
    withUnsafeMutableBytes(of: &uuid) { $0.copyBytes(from: data.prefix(16)) }
    return UUID(uuid: uuid)
  }

  private func natural(
    _ statement: SQLiteStatement, kind: SQLOperand.Kind, column: Int32
  ) -> Any? {
    switch kind {
    case .date: Date(timeIntervalSinceReferenceDate: statement.real(column))
    case .number where statement.isInteger(column): NSNumber(value: statement.integer(column))
    case .number: NSNumber(value: statement.real(column))
    case .decimal: NSDecimalNumber(string: statement.text(column))
    case .data: statement.data(column)
    case .uuid: statement.data(column).map(uuid)
    default: statement.text(column)
    }
  }
}
