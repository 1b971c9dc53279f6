import CoreData

/// Encodes a row's values as parameters.
struct ValueEncoder {
  private let entity: EntityMapping
  private let schema: StoreSchema
  /// By slot; nil for slots that are not written: not stored, or derived unless this is a copy.
  private let fields: [Field?]

  /// The facts about a slot that each row needs. A plain value, to avoid reference counting.
  private struct Field {
    let type: ColumnType
    let hasEntityColumn: Bool
  }

  init(entity: EntityMapping, schema: StoreSchema, isCopy: Bool = false) {
    self.entity = entity
    self.schema = schema
    fields = zip(entity.columns, schema.types(of: entity.layout)).map { column, type in
      guard let column, isCopy || !column.isDerived else { return nil }
      return Field(type: type ?? .integer, hasEntityColumn: column.entityColumn != nil)
    }
  }

  /// The columns of a slot, in the order of ``parameters(_:of:)``; empty for a slot that is not
  /// written.
  func columns(_ slot: Int) -> [String] {
    guard fields[slot] != nil, let mapping = entity.columns[slot] else { return [] }
    return [mapping.name] + (mapping.entityColumn.map { [$0] } ?? [])
  }

  func parameters(_ slot: Int, of row: Row) throws -> [PostgreSQLParameter] {
    var parameters: [PostgreSQLParameter] = []
    try append(slot, of: row, to: &parameters)
    return parameters
  }

  func append(
    _ slot: Int, of row: Row, to parameters: inout [PostgreSQLParameter]
  ) throws {
    guard let field = fields[slot] else { return }
    let value = row[slot]
    guard field.type == .reference else {
      return parameters.append(try parameter(value.loaded, type: field.type, slot: slot))
    }
    guard case .identity(let identity) = value else {
      parameters.append(.null(.bigint))
      if field.hasEntityColumn { parameters.append(.null(.integer)) }
      return
    }
    guard !identity.isTemporaryID else { throw unsaved(slot) }
    parameters.append(.integer(identity.packed.key))
    if !field.hasEntityColumn { return }
    let number = schema.mapping[identity.layout]?.entityNumber ?? identity.layout.number
    parameters.append(.entity(number))
  }

  /// Writes the fields of a slot in a row of COPY. Common types need no intermediate parameter.
  func write(_ slot: Int, of row: Row, to buffer: inout CopyBuffer) throws {
    guard let field = fields[slot] else { return }
    if field.type == .reference, !field.hasEntityColumn,
      let identity = row.permanentIdentity(slot)
    {
      return buffer.append(field: identity.key)
    }
    switch (field.type, row[slot]) {
    case (.integer, .integer(let value)): buffer.append(field: value)
    case (.boolean, .integer(let value)): buffer.append(field: value == 0 ? 0 : 1 as UInt8)
    case (.real, .real(let value)) where !value.isNaN: buffer.append(field: value.bitPattern)
    case (.timestamp, .real(let value)):
      guard case .timestamp(let time) = try timestamp(value, slot: slot) else {
        return buffer.appendNull()
      }
      buffer.append(field: time)
    case (.text, .text(var value)):
      let hasNUL = value.withUTF8 { text in
        buffer.append(field: UnsafeRawBufferPointer(text))
        return text.baseAddress.map { memchr($0, 0, text.count) != nil } ?? false
      }
      if hasNUL { throw containsNUL(slot) }
    case (_, .null):
      buffer.appendNull()
      if field.hasEntityColumn { buffer.appendNull() }
    default:
      var values: [PostgreSQLParameter] = []
      try append(slot, of: row, to: &values)
      for value in values { buffer.append(field: value) }
    }
  }

  private func parameter(
    _ value: Value, type: ColumnType, slot: Int
  ) throws -> PostgreSQLParameter {
    switch (type, value) {
    case (_, .null): return .null(type.parameterType)
    case (.integer, .integer(let value)): return .integer(value)
    case (.boolean, .integer(let value)): return .boolean(value != 0)
    // NaN becomes null, as in SQLite.
    case (.real, .real(let value)): return value.isNaN ? .null(.double) : .real(value)
    case (.real, .integer(let value)): return .real(Double(value))
    case (.timestamp, .real(let value)): return try timestamp(value, slot: slot)
    case (.text, .text(let value)): return .text(try checked(value, slot: slot))
    case (.data, .data(let value)): return .data(value)
    case (.data, .object(let value as UndecodedValue)): return .data(value.data)
    case (.decimal, .object(let value as NSNumber)):
      let decimal = value.decimalValue
      guard let digits = NumericDigits(decimal.isNaN ? "NaN" : decimal.description) else {
        throw misfit(slot, what: "number of that form")
      }
      return .decimal(digits)
    case (.uri, .object(let value as NSURL)):
      return .text(try checked(value.absoluteString, slot: slot))
    case (.uuid, .object(let value as NSUUID)): return .uuid(value as UUID)
    case (.transformable, .object(let value)): return .data(try transformed(value, slot: slot))
    case (_, .object(let value)): throw misfit(slot, what: "\(Swift.type(of: value))")
    default: throw misfit(slot, what: "value of another type")
    }
  }

  private func timestamp(
    _ seconds: Double, slot: Int
  ) throws -> PostgreSQLParameter {
    if seconds.isNaN { return .null(.timestamp) }
    guard let value = Timestamps.microseconds(seconds) else {
      throw CoreDataError.make(
        .coreData,
        reason: "“\(path(slot))” of the entity “\(name)” has a date outside of the years that "
          + "PostgreSQL keeps, 4713 BC to 294276.")
    }
    return .timestamp(value)
  }

  private func checked(_ text: String, slot: Int) throws -> String {
    guard text.utf8.contains(0) else { return text }
    throw containsNUL(slot)
  }

  private func transformed(_ object: AnyObject, slot: Int) throws -> Data {
    if let undecoded = object as? UndecodedValue { return undecoded.data }
    guard let attribute = entity.layout.slots[slot].property as? NSAttributeDescription else {
      throw misfit(slot, what: "\(Swift.type(of: object))")
    }
    let codec = TransformableCodec(attribute)
    if let data = codec.encode(object) { return data }
    throw CoreDataError.make(
      .coreData,
      reason: "The value of “\(path(slot))” could not be made into data: "
        + codec.refusal(of: object))
  }

  // MARK: - Errors

  private func path(_ slot: Int) -> String { entity.layout.slots[slot].name }

  private var name: String { entity.layout.entity.name ?? "" }

  private func containsNUL(_ slot: Int) -> NSError {
    CoreDataError.make(
      .coreData,
      reason: "“\(path(slot))” of the entity “\(name)” has a text with the character U+0000, which "
        + "PostgreSQL cannot keep. Remove it, or keep the text as binary data.")
  }

  private func misfit(_ slot: Int, what: String) -> NSError {
    CoreDataError.make(
      .coreData, reason: "“\(path(slot))” of the entity “\(name)” cannot hold a \(what).")
  }

  private func unsaved(_ slot: Int) -> NSError {
    CoreDataError.make(
      .coreData,
      reason: "“\(path(slot))” of the entity “\(name)” leads to an object that "
        + "was never saved; save it with this one.")
  }
}
