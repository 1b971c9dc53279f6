import CoreData

/// Rows for a batch request, which others save meanwhile:
///
///     found     all of one moment, before the transaction begins
///     locked    in it, in the order of their keys: who saves one of them waits from here on
///     changed   what is not as it was found is looked at again, in memory, as it is now
///
/// So nobody who saves makes the batch begin anew. What others add meanwhile is not part of it.
struct LockedRows {
  private let plan: FetchPlan
  private let contents: StoreContents
  private let found: [Row]

  init(_ plan: FetchPlan, _ contents: StoreContents) throws {
    self.plan = plan
    self.contents = contents
    found = try contents.pool.reading { connection in
      try connection.snapshot { try ReadSession(contents, connection).rows(plan) }
    }
  }

  /// Those that are there still and are wanted still, as they are until the transaction ends.
  func locked(_ connection: PostgreSQLConnection) throws -> [Row] {
    if found.isEmpty { return [] }
    let versions = try lock(connection)
    let changed = found.filter { versions[$0.packed.key] != $0.version }
    if changed.isEmpty { return found }
    let session = ReadSession(contents, connection)
    let now = try contents.rows(
      changed.map(\.packed.key).filter { versions[$0] != nil }, of: plan.layout, connection)
    let wanted = try RowReader(source: session, nilRule: contents.nilRule).filtered(now, by: plan)
    var rows = Dictionary(wanted.map { ($0.packed.key, $0) }, uniquingKeysWith: { $1 })
    for row in found where versions[row.packed.key] == row.version { rows[row.packed.key] = row }
    return found.compactMap { rows[$0.packed.key] }
  }

  /// By key.
  private func lock(_ connection: PostgreSQLConnection) throws -> [Int64: Int64] {
    let quoted = SchemaNames.quoted
    let (key, version) = (quoted(SchemaNames.key), quoted(SchemaNames.version))
    let table = quoted(try contents.schema.entity(plan.layout).table)
    let result = try connection.query(
      "SELECT \(key), \(version) FROM \(table) WHERE \(key) = ANY($1) ORDER BY \(key) FOR UPDATE",
      [.integers(found.map(\.packed.key))])
    return Dictionary(
      (0..<result.count).map { (result.integer($0, 0), result.integer($0, 1)) },
      uniquingKeysWith: { $1 })
  }
}
