import CoreData

/// A store that is being replaced.
///
/// Clients that follow a history use the count of transactions to notice missing ones. If a history
/// is not copied, its count still is: clients that have read it to the end continue, all others
/// start again (134301). If the replaced store has the same UUID, all former positions become
/// invalid: the new count is larger than both.
struct FormerStore {
  /// Whether the store has a history, so that its clients can continue to follow it.
  let hasHistory: Bool
  private let uuid: String
  private let lastTransaction: Int64

  /// nil if there is no store.
  init?(_ connection: PostgreSQLConnection) throws {
    guard try StoreTables.exist(connection) else { return nil }
    let result = try connection.query("SELECT uuid, last_transaction FROM \(SchemaNames.store)")
    hasHistory = try StoreTables.haveHistory(connection)
    // A damaged store without its row can be replaced too.
    let isWhole = result.count > 0
    (uuid, lastTransaction) =
      isWhole ? (result.text(0, column: 0), result.integer(0, column: 1)) : ("", 0)
  }

  /// Sets the transaction count of the new store.
  static func count(
    _ last: Int64, of uuid: String, after former: FormerStore?
  ) -> PostgreSQLConnection.Statement {
    var number = last
    if let former, former.uuid == uuid { number = max(last, former.lastTransaction) + 1 }
    return .init(
      sql: "UPDATE \(SchemaNames.store) SET last_transaction = $1",
      parameters: [.integer(number)])
  }

  /// Call it after a history has been copied. If the copied history ends before the former one, it
  /// is deleted, so that no client continues at a wrong position.
  func supersede(_ connection: PostgreSQLConnection) throws {
    let new = try connection.query("SELECT uuid, last_transaction FROM \(SchemaNames.store)")
    if new.text(0, column: 0) == uuid, new.integer(0, column: 1) < lastTransaction {
      if try StoreTables.haveHistory(connection) {
        try connection.execute("DELETE FROM \(HistoryTables.changes)")
        try connection.execute("DELETE FROM \(HistoryTables.transactions)")
      }
      try connection.query(Self.count(new.integer(0, column: 1), of: uuid, after: self))
    }
    try tell(connection)
  }

  /// Notifies listeners of this store when the transaction commits.
  func tell(_ connection: PostgreSQLConnection) throws {
    try connection.query(
      "SELECT pg_notify($1, $2)",
      parameters: [.text(HistoryTables.channel), .text("\(uuid) \(lastTransaction + 1)")])
  }
}
