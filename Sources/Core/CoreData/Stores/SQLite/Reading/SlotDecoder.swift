/// Reads a column of the current row as the value of a slot.
///
/// Made once per entity and plan. Part of every fetch's inner loop: no boxing, no names, no
/// dictionaries.
struct SlotDecoder {
  private enum Kind {
    case integer, real, text, data, markedData, decimal, uri, uuid, transformable
    case toOne, toOneOfKind, missing
  }

  private let kind: Kind
  private let column: Int32
  private let entityColumn: Int32
  // `Unmanaged` is sound: the store keeps its codecs as long as the selections that have these
  // decoders (see ``PreparedRows``). Retaining would make all reading threads write one count.
  private let codec: Unmanaged<SlotCodec>?
  /// The number of a relationship's destination entity in the model.
  private let destination: Int

  /// The decoder of a slot without a column.
  static let missing = SlotDecoder()

  private init() {
    kind = .missing
    column = 0
    entityColumn = 0
    codec = nil
    destination = 0
  }

  init(_ mapping: ColumnMapping, column: Int32, entityColumn: Int32?, codec: SlotCodec) {
    self.column = column
    self.entityColumn = entityColumn ?? 0
    self.codec = .passUnretained(codec)
    destination = codec.destination?.number ?? 0
    kind =
      switch mapping.kind {
      case .integer: .integer
      case .real: .real
      case .text: .text
      case .decimal: .decimal
      case .uri: .uri
      case .uuid: .uuid
      case .transformable: .transformable
      case .data: codec.isMarked ? .markedData : .data
      case .toOne: entityColumn == nil ? .toOne : .toOneOfKind
      }
  }

  @inline(__always)
  func value(_ statement: SQLiteStatement, reader: RowDecoder) -> Value {
    switch kind {
    case .integer:
      let value = statement.integer(column)
      return value == 0 && statement.isNull(column) ? .null : .integer(value)
    case .real:
      let value = statement.real(column)
      return value == 0 && statement.isNull(column) ? .null : .real(value)
    case .text: return statement.text(column).map(Value.text) ?? .null
    case .toOne, .toOneOfKind:
      return target(statement, reader: reader).map { .identity(reader.identities.identity($0)) }
        ?? .null
    case .missing: return .null
    default: return rareValue(statement)
    }
  }

  /// Reads the column into a slot of a new row, which must be empty.
  @inline(__always)
  func fill(_ slot: Int, of row: Row, statement: SQLiteStatement, reader: RowDecoder) {
    switch kind {
    case .integer:
      let value = statement.integer(column)
      if value != 0 || !statement.isNull(column) { row.initialize(slot, integer: value) }
    case .real:
      let value = statement.real(column)
      if value != 0 || !statement.isNull(column) { row.initialize(slot, real: value) }
    case .text:
      if let text = statement.text(column) { row.initialize(slot, text: text) }
    case .toOne, .toOneOfKind:
      if let target = target(statement, reader: reader) { row.initialize(slot, packed: target) }
    case .missing: break
    default: row.initialize(slot, value: value(statement, reader: reader))
    }
  }

  /// The value as a cell of a table for immediate use: text stays in SQLite's memory. `type` is the
  /// attribute's.
  func cell(
    _ statement: SQLiteStatement, reader: RowDecoder, type: NSAttributeType
  ) -> TableCell {
    if statement.isNull(column) { return .null }
    switch kind {
    case .integer:
      let value = statement.integer(column)
      return type == .booleanAttributeType ? .boolean(value != 0) : .integer(value)
    case .real:
      let value = statement.real(column)
      switch type {
      case .dateAttributeType: return .date(value)
      case .floatAttributeType: return .single(Float(value))
      default: return .real(value)
      }
    case .text, .uri: return statement.bytes(column).map(TableCell.text) ?? .null
    case .toOne, .toOneOfKind:
      return target(statement, reader: reader).map {
        .reference(reader.mapping.name(ofLayout: $0.entityNumber), $0.key)
      } ?? .null
    case .missing: return .null
    default: return value(statement, reader: reader).boxed(type).map(TableCell.object) ?? .null
    }
  }

  /// The value of an attribute's column, which needs no row decoder.
  func attributeValue(_ statement: SQLiteStatement) -> Value {
    switch kind {
    case .integer: statement.isNull(column) ? .null : .integer(statement.integer(column))
    case .real: statement.isNull(column) ? .null : .real(statement.real(column))
    case .text: statement.text(column).map(Value.text) ?? .null
    default: rareValue(statement)
    }
  }

  @inline(__always)
  private func target(_ statement: SQLiteStatement, reader: RowDecoder) -> PackedIdentity? {
    let key = statement.integer(column)
    if key == 0 { return nil }
    if kind == .toOne { return reader.target(key, entityNumber: destination) }
    let number = reader.entityNumber(statement.integer(entityColumn), else: destination)
    return reader.target(key, entityNumber: number)
  }

  @inline(never)
  private func rareValue(_ statement: SQLiteStatement) -> Value {
    guard !statement.isNull(column), let codec = codec?.takeUnretainedValue() else {
      return .null
    }
    switch kind {
    case .data: return statement.data(column).map(Value.data) ?? .null
    case .markedData: return codec.unmarked(statement.data(column) ?? Data())
    case .decimal: return decimal(statement)
    case .uri: return codec.url(statement.text(column) ?? "")
    case .uuid: return codec.uuid(statement.data(column) ?? Data())
    case .transformable: return codec.decoded(statement.data(column) ?? Data())
    default: return .null
    }
  }

  private func decimal(_ statement: SQLiteStatement) -> Value {
    if statement.isInteger(column) {
      return .object(NSDecimalNumber(decimal: Decimal(statement.integer(column))))
    }
    // Through SQLite's text of 15 digits: 9.99 stays 9.99, even if Apple's framework has written
    // the neighbouring double.
    let text = statement.text(column) ?? ""
    return .object(Decimal(string: text).map { NSDecimalNumber(decimal: $0) } ?? .notANumber)
  }
}
