import CoreData

/// What a transaction leaves of itself, by which it is known whether it was committed when the answer was lost.
///
///     _coredata_savers     saver (of a connection), save (how many transactions it has marked), time
///
/// The transaction's number would not do: a server that takes the place of another one gives numbers anew that the
/// other had given to what never arrived.
struct TransactionMark {
  static let table = "_coredata_savers"
  static let creation =
    "CREATE TABLE \(table) (saver uuid PRIMARY KEY, save bigint NOT NULL, time timestamptz NOT NULL)"

  private let saver: UUID
  private let save: Int64

  /// Of the next transaction of a connection.
  init(next connection: PostgreSQLConnection) {
    connection.marks += 1
    saver = connection.saver
    save = connection.marks
  }

  /// Sent with the transaction, as its last statement.
  var statement: PostgreSQLConnection.Statement {
    .init(
      sql: "INSERT INTO \(Self.table) (saver, save, time) VALUES ($1, $2, now()) "
        + "ON CONFLICT (saver) DO UPDATE SET save = $2, time = now()",
      parameters: [.uuid(saver), .integer(save)])
  }

  /// Waits for the transaction if it is still being committed: it holds the row that this takes.
  func wasCommitted(_ connection: PostgreSQLConnection) throws -> Bool {
    let result = try connection.query(
      "INSERT INTO \(Self.table) AS t (saver, save, time) VALUES ($1, 0, now()) "
        + "ON CONFLICT (saver) DO UPDATE SET time = now() RETURNING t.save", [.uuid(saver)])
    return result.integer(0, 0) == save
  }

  /// Forgets connections that nobody can ask about any more.
  static func removeOld(_ connection: PostgreSQLConnection) throws {
    try connection.query("DELETE FROM \(table) WHERE time < now() - interval '7 days'")
  }
}
