import CoreData

/// New rows of one entity: their columns, and a line of values for each.
struct NewRows {
  /// From so many rows on, COPY costs less than statements.
  static let copied = 16

  let entity: EntityMapping
  let columns: [String]
  private let encoder: ValueEncoder

  /// - Parameter isCopy: whether rows come with the derived values that they have elsewhere.
  init(_ layout: EntityLayout, _ schema: StoreSchema, isCopy: Bool = false) throws {
    entity = try schema.entity(layout)
    encoder = ValueEncoder(entity: entity, schema: schema, isCopy: isCopy)
    var columns = [SchemaNames.key, SchemaNames.version, SchemaNames.entity]
    for slot in layout.slots.indices { columns += encoder.columns(slot) }
    self.columns = columns
  }

  func values(_ row: Row, key: Int64) throws -> [PostgreSQLParameter] {
    var values: [PostgreSQLParameter] = []
    values.reserveCapacity(columns.count)
    try append(row, key: key, to: &values)
    return values
  }

  func append(_ row: Row, key: Int64, to values: inout [PostgreSQLParameter]) throws {
    values.append(.integer(key))
    values.append(.integer(1))
    values.append(.entity(entity.entityNumber))
    for slot in row.layout.slots.indices { try encoder.append(slot, of: row, to: &values) }
  }

  /// Up to the end of VALUES.
  var insertion: String {
    let marks = (1...columns.count).map { "$\($0)" }.joined(separator: ", ")
    return "INSERT INTO \(SchemaNames.quoted(entity.table)) AS t0 "
      + "(\(columns.map(SchemaNames.quoted).joined(separator: ", "))) VALUES (\(marks))"
  }
}
