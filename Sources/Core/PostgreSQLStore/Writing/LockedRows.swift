import CoreData

/// The rows of a batch request, while other transactions save:
///
///     found     all from one snapshot, before the transaction begins
///     locked    in the transaction, in the order of keys; from here on, other saves of them wait
///     changed   rows that differ from the snapshot are read again and filtered in memory
///
/// So no concurrent save makes the batch start again. Rows that others add meanwhile are not part
/// of it.
struct LockedRows {
  private let plan: FetchPlan
  private let contents: StoreContents
  private let found: [Row]

  init(_ plan: FetchPlan, contents: StoreContents) throws {
    self.plan = plan
    self.contents = contents
    found = try contents.pool.reading { connection in
      try connection.snapshot { try ReadSession(contents, connection: connection).rows(plan) }
    }
  }

  /// Locks the rows and returns those that still exist and still match, as they are until the
  /// transaction ends.
  func locked(_ connection: PostgreSQLConnection) throws -> [Row] {
    if found.isEmpty { return [] }
    let versions = try lock(connection)
    let changed = found.filter { versions[$0.packed.key] != $0.version }
    if changed.isEmpty { return found }
    let session = ReadSession(contents, connection: connection)
    let now = try contents.rows(
      changed.map(\.packed.key).filter { versions[$0] != nil }, of: plan.layout,
      connection: connection)
    let wanted = try RowReader(source: session, nilRule: contents.nilRule).filtered(now, by: plan)
    var rows = Dictionary(wanted.map { ($0.packed.key, $0) }, uniquingKeysWith: { $1 })
    for row in found where versions[row.packed.key] == row.version { rows[row.packed.key] = row }
    return found.compactMap { rows[$0.packed.key] }
  }

  /// Locks the rows and returns their versions by key.
  private func lock(_ connection: PostgreSQLConnection) throws -> [Int64: Int64] {
    let quoted = SchemaNames.quoted
    let (key, version) = (quoted(SchemaNames.key), quoted(SchemaNames.version))
    let table = quoted(try contents.schema.entity(plan.layout).table)
    let result = try connection.query(
      "SELECT \(key), \(version) FROM \(table) WHERE \(key) = ANY($1) ORDER BY \(key) FOR UPDATE",
      parameters: [.integers(found.map(\.packed.key))])
    return Dictionary(
      (0..<result.count).map { (result.integer($0, column: 0), result.integer($0, column: 1)) },
      uniquingKeysWith: { $1 })
  }
}
