import CoreData

/// The statements that record a transaction in the history. They are sent with the transaction.
///
/// Deletions are recorded before the rows are deleted. Used by one thread for one transaction.
struct HistoryNotes {
  typealias Statement = PostgreSQLConnection.Statement

  let schema: StoreSchema
  let storeUUID: String
  /// Whether the store has a history; without one the transaction is only counted and announced.
  let hasHistory: Bool
  let origin = TransactionOrigin.current

  // MARK: - The transaction

  /// The first statements of the transaction.
  var beginning: [Statement] {
    let who: [PostgreSQLParameter] = [
      origin?.author, origin?.contextName, HistoryTables.bundle, HistoryTables.process,
    ].map { $0.map(PostgreSQLParameter.text) ?? .null(.text) }
    let count = Statement(
      sql: "UPDATE \(SchemaNames.store) SET last_transaction = last_transaction + 1",
      parameters: [])
    guard hasHistory else { return [count] }
    return [
      count,
      Statement(
        sql: "INSERT INTO \(HistoryTables.transactions) "
          + "(number, time, author, context, bundle, process) "
          + "SELECT last_transaction, clock_timestamp(), $1, $2, $3, $4 FROM \(SchemaNames.store)",
        parameters: who),
    ]
  }

  /// The statements that revert ``beginning``.
  var cancellation: [Statement] {
    let deletion = Statement(
      sql: "DELETE FROM \(HistoryTables.transactions) WHERE number = "
        + "(SELECT last_transaction FROM \(SchemaNames.store))", parameters: [])
    let count = Statement(
      sql: "UPDATE \(SchemaNames.store) SET last_transaction = last_transaction - 1",
      parameters: [])
    return hasHistory ? [deletion, count] : [count]
  }

  /// The last statement: announces the transaction to listeners and returns its number.
  var end: Statement {
    Statement(
      sql: "SELECT last_transaction, pg_notify($1, $2 || ' ' || last_transaction) "
        + "FROM \(SchemaNames.store)",
      parameters: [.text(HistoryTables.channel), .text(storeUUID)])
  }

  /// Reads the transaction's number from the result of ``end``.
  func didEnd(_ result: QueryResult) {
    if hasHistory { origin?.note(result.integer(0, column: 0), of: storeUUID) }
  }

  // MARK: - Changes

  private static let insertion =
    "INSERT INTO \(HistoryTables.changes) (transaction, type, entity, key, properties) "
    + "SELECT s.last_transaction, $1, c.entity, c.key, $2 FROM \(SchemaNames.store) s, "
    + "unnest($3, $4) WITH ORDINALITY AS c (entity, key, place) ORDER BY c.place"

  func changes(
    _ type: NSPersistentHistoryChangeType, objects: [(layout: EntityLayout, key: Int64)],
    properties: String? = nil
  ) -> [Statement] {
    if objects.isEmpty || !hasHistory { return [] }
    return [
      Statement(
        sql: Self.insertion,
        parameters: [
          .integer(Int64(type.rawValue)),
          properties.map(PostgreSQLParameter.text) ?? .null(.text),
          .integers(objects.map { Int64(schema.mapping[$0.layout]?.entityNumber ?? 0) }),
          .integers(objects.map(\.key)),
        ])
    ]
  }

  /// The names of the changed properties, sorted and separated by spaces.
  static func properties(
    _ layout: EntityLayout, slots: [Int], relationships: [Int] = []
  ) -> String {
    // An element of a composite attribute counts as a change of the attribute.
    let attributes = slots.map { String(layout.slots[$0].name.prefix { $0 != "." }) }
    return Set(attributes + relationships.map { layout.toMany[$0].name }).sorted()
      .joined(separator: " ")
  }

  /// The statement that records rows that are about to be deleted, with their preserved values.
  func deletions(_ layout: EntityLayout, keys: [Int64]) throws -> [Statement] {
    guard hasHistory else { return [] }
    let entity = try schema.entity(layout)
    let quoted = SchemaNames.quoted
    return [
      Statement(
        sql: "INSERT INTO \(HistoryTables.changes) (transaction, type, entity, key, tombstone) "
          + "SELECT s.last_transaction, 2, t0.\(quoted(SchemaNames.entity)), "
          + "t0.\(quoted(SchemaNames.key)), \(Tombstone.sql(entity, schema: schema)) "
          + "FROM \(SchemaNames.store) s, \(quoted(entity.table)) t0 "
          + "WHERE t0.\(quoted(SchemaNames.key)) = ANY($1) ORDER BY t0.\(quoted(SchemaNames.key))",
        parameters: [.integers(keys)])
    ]
  }
}
