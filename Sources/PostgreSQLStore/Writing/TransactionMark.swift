import CoreData

/// What a transaction leaves of itself, by which it is known whether it was committed when the answer was lost.
///
///     _coredata_savers     saver (of a connection), save (how many transactions it has marked, or -1), time
///
/// Who asks about a transaction that has not been committed forbids it: one that was sent and never answered may still
/// lie before the server, and would be carried out after its repetition. The saver's marks fail from then on.
///
/// The transaction's number would not do: a server that takes the place of another one gives numbers anew that the
/// other had given to what never arrived.
struct TransactionMark {
  static let table = "_coredata_savers"
  static let creation =
    "CREATE TABLE \(table) (saver uuid PRIMARY KEY, save bigint NOT NULL, time timestamptz NOT NULL)"

  /// Divides by zero where the saver's transactions were given up.
  private static let marking =
    "INSERT INTO \(table) AS t (saver, save, time) VALUES ($1, $2, now()) "
    + "ON CONFLICT (saver) DO UPDATE SET save = $2 / (t.save >= 0)::integer, time = now()"

  private static let question =
    "INSERT INTO \(table) AS t (saver, save, time) VALUES ($1, -1, now()) "
    + "ON CONFLICT (saver) DO UPDATE SET save = CASE t.save WHEN $2 THEN t.save ELSE -1 END, "
    + "time = now() RETURNING t.save"

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
    .init(sql: Self.marking, parameters: [.uuid(saver), .integer(save)])
  }

  /// Waits for the transaction if it is still being committed: it holds the row that this takes.
  func wasCommitted(_ connection: PostgreSQLConnection) throws -> Bool {
    let result = try connection.query(Self.question, [.uuid(saver), .integer(save)])
    return result.integer(0, 0) == save
  }

  /// Forgets connections that nobody can ask about any more.
  static func removeOld(_ connection: PostgreSQLConnection) throws {
    try connection.query("DELETE FROM \(table) WHERE time < now() - interval '7 days'")
  }
}
