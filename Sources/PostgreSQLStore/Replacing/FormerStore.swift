import CoreData

/// A store that another one takes the place of.
///
/// Who follows a history learns from the count of its transactions whether some are missing. Of a history that does not come
/// along only the count does: who has followed it to its end goes on, and all others begin anew (134301). Where the same
/// store was before, in another state, nobody's place in it means anything any more: the count goes beyond both.
struct FormerStore {
  /// Whether it notes a history: who follows it goes on to follow.
  let hasHistory: Bool
  private let uuid: String
  private let lastTransaction: Int64

  /// Nil where there is none.
  init?(_ connection: PostgreSQLConnection) throws {
    guard try StoreTables.exist(connection) else { return nil }
    let result = try connection.query("SELECT uuid, last_transaction FROM \(SchemaNames.store)")
    hasHistory = try StoreTables.haveHistory(connection)
    // One that is damaged goes as well.
    let isWhole = result.count > 0
    (uuid, lastTransaction) = isWhole ? (result.text(0, 0), result.integer(0, 1)) : ("", 0)
  }

  /// Sets the count of a new store.
  static func count(
    _ last: Int64, of uuid: String, after former: FormerStore?
  ) -> PostgreSQLConnection.Statement {
    var number = last
    if let former, former.uuid == uuid { number = max(last, former.lastTransaction) + 1 }
    return .init(
      sql: "UPDATE \(SchemaNames.store) SET last_transaction = $1",
      parameters: [.integer(number)])
  }

  /// After a history has come along: where that ends before this one did, nobody can go on in it.
  func supersede(_ connection: PostgreSQLConnection) throws {
    let new = try connection.query("SELECT uuid, last_transaction FROM \(SchemaNames.store)")
    if new.text(0, 0) == uuid, new.integer(0, 1) < lastTransaction {
      if try StoreTables.haveHistory(connection) {
        try connection.execute("DELETE FROM \(HistoryTables.changes)")
        try connection.execute("DELETE FROM \(HistoryTables.transactions)")
      }
      try connection.query(Self.count(new.integer(0, 1), of: uuid, after: self))
    }
    try tell(connection)
  }

  /// Tells who listens to this store that there is something new, once the transaction is committed.
  func tell(_ connection: PostgreSQLConnection) throws {
    try connection.query(
      "SELECT pg_notify($1, $2)",
      [.text(HistoryTables.channel), .text("\(uuid) \(lastTransaction + 1)")])
  }
}
