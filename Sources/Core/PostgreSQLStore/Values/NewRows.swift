import CoreData

/// The columns of new rows of one entity, and the values of each row.
///
/// Sendable: constants of immutable values.
struct NewRows: @unchecked Sendable {
  /// The number of rows from which COPY is faster than statements.
  static let copied = 16

  let entity: EntityMapping
  let columns: [String]
  /// The statement up to the end of VALUES.
  let insertion: String
  private let encoder: ValueEncoder

  /// - Parameter isCopy: whether derived values are copied too.
  init(_ layout: EntityLayout, schema: StoreSchema, isCopy: Bool = false) throws {
    entity = try schema.entity(layout)
    encoder = ValueEncoder(entity: entity, schema: schema, isCopy: isCopy)
    var columns = [SchemaNames.key, SchemaNames.version, SchemaNames.entity]
    for slot in layout.slots.indices { columns += encoder.columns(slot) }
    self.columns = columns
    let marks = (1...columns.count).map { "$\($0)" }.joined(separator: ", ")
    insertion =
      "INSERT INTO \(SchemaNames.quoted(entity.table)) AS t0 "
      + "(\(columns.map(SchemaNames.quoted).joined(separator: ", "))) VALUES (\(marks))"
  }

  func values(_ row: Row, key: Int64, version: Int64 = 1) throws -> [PostgreSQLParameter] {
    var values: [PostgreSQLParameter] = []
    values.reserveCapacity(columns.count)
    values.append(.integer(key))
    values.append(.integer(version))
    values.append(.entity(entity.entityNumber))
    for slot in row.layout.slots.indices { try encoder.append(slot, of: row, to: &values) }
    return values
  }

  /// Writes a row of COPY.
  func write(_ row: Row, key: Int64, to buffer: inout CopyBuffer) throws {
    buffer.append(Int16(columns.count))
    buffer.append(field: key)
    buffer.append(field: 1 as Int64)
    buffer.append(field: Int32(entity.entityNumber))
    for slot in 0..<row.count { try encoder.write(slot, of: row, to: &buffer) }
  }
}
