import CoreData

/// Mark of a transaction in the database, which shows whether it was committed when the answer was
/// lost.
///
///     _coredata_savers   saver (of a connection), save (number of its marked transactions,
///                        or -1), time
///
/// Asking about an uncommitted transaction also forbids it: its COMMIT may still be on the way to
/// the server and would otherwise be executed after the save has been repeated. All later marks of
/// this saver fail.
///
/// The server's transaction ID cannot be used: after a failover, the new server may reuse IDs that
/// the old one had assigned to transactions that were never replicated.
struct TransactionMark {
  static let table = "_coredata_savers"
  static let creation =
    "CREATE TABLE \(table) (saver uuid PRIMARY KEY, save bigint NOT NULL, time timestamptz NOT NULL)"

  /// Fails with a division by zero if the saver's transactions have been forbidden.
  private static let marking =
    "INSERT INTO \(table) AS t (saver, save, time) VALUES ($1, $2, now()) "
    + "ON CONFLICT (saver) DO UPDATE SET save = $2 / (t.save >= 0)::integer, time = now()"

  private static let question =
    "INSERT INTO \(table) AS t (saver, save, time) VALUES ($1, -1, now()) "
    + "ON CONFLICT (saver) DO UPDATE SET save = CASE t.save WHEN $2 THEN t.save ELSE -1 END, "
    + "time = now() RETURNING t.save"

  private let saver: UUID
  private let save: Int64

  /// A mark for the next transaction of a connection.
  init(next connection: PostgreSQLConnection) {
    connection.marks += 1
    saver = connection.saver
    save = connection.marks
  }

  /// The last statement of the transaction.
  var statement: PostgreSQLConnection.Statement {
    .init(sql: Self.marking, parameters: [.uuid(saver), .integer(save)])
  }

  /// Returns whether the transaction was committed. Waits if it is still being committed, since it
  /// locks the same row.
  func wasCommitted(_ connection: PostgreSQLConnection) throws -> Bool {
    let result = try connection.query(Self.question, parameters: [.uuid(saver), .integer(save)])
    return result.integer(0, column: 0) == save
  }

  /// Deletes the marks of connections that are more than 7 days old.
  static func removeOld(_ connection: PostgreSQLConnection) throws {
    try connection.query("DELETE FROM \(table) WHERE time < now() - interval '7 days'")
  }
}
