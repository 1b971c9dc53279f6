/// The tables of the persistent history, with Apple's names.
///
///     ATRANSACTION         one row per save or batch request
///       Z_PK               its number; the last one is also in row 16002 of Z_PRIMARYKEY
///       Z…TS               author, bundle, context and process, as keys of ATRANSACTIONSTRING
///       ZTIMESTAMP         seconds since 2001
///       ZAUTHOR …          these four as texts, from frameworks without ATRANSACTIONSTRING
///     ACHANGE              one row for each object of a transaction
///       ZCHANGETYPE        0 inserted, 1 updated, 2 deleted
///       ZENTITY ZENTITYPK  the object: Z_ENT and Z_PK of its row
///       ZCOLUMNS           the changed properties of an update, see HistoryLayout
///       ZTOMBSTONE<n>      the n-th preserved attribute of a deleted object, in order of names
///     ATRANSACTIONSTRING   texts, each once
///
/// Z_ENT is 16001 for changes, 16002 for transactions, 16003 for texts; Z_OPT is NULL.
enum HistorySchema {
  static let changeEntity: Int64 = 16001
  static let transactionEntity: Int64 = 16002
  static let textEntity: Int64 = 16003

  private static let entities: [(Int64, String)] = [
    (changeEntity, "CHANGE"), (transactionEntity, "TRANSACTION"), (textEntity, "TRANSACTIONSTRING"),
  ]
  private static let textKeys = ["ZAUTHORTS", "ZBUNDLEIDTS", "ZCONTEXTNAMETS", "ZPROCESSIDTS"]

  private static let transactions =
    "CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
    + textKeys.map { "\($0) INTEGER, " }.joined()
    + "ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, "
    + "ZPROCESSID VARCHAR, ZQUERYGEN BLOB )"
  private static let texts =
    "CREATE TABLE ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
    + "ZNAME VARCHAR )"
  private static let changeIndex =
    "CREATE INDEX ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID)"
  private static let textKeyIndexes = textKeys.map {
    "CREATE INDEX ATRANSACTION_\($0)_INDEX ON ATRANSACTION (\($0))"
  }
  private static let transactionIndexes = [
    "CREATE INDEX Z_TRANSACTION_TransactionAuthorIndex ON ATRANSACTION "
      + "(ZAUTHOR COLLATE BINARY ASC)",
    "CREATE INDEX Z_TRANSACTION_TransactionTimestampIndex ON ATRANSACTION "
      + "(ZTIMESTAMP COLLATE BINARY ASC)",
  ]
  private static let textIndex =
    "CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING "
    + "(ZNAME COLLATE BINARY ASC)"

  /// The statement that deletes the texts which no transaction has any more: names of contexts may
  /// be others each time.
  static let deletionOfTexts =
    "DELETE FROM ATRANSACTIONSTRING WHERE "
    + textKeys.map {
      "NOT EXISTS (SELECT 1 FROM ATRANSACTION t WHERE t.\($0) = ATRANSACTIONSTRING.Z_PK)"
    }.joined(separator: " AND ")

  static func tombstone(_ index: Int) -> String { "ZTOMBSTONE\(index)" }

  /// The statements that create the tables and indexes, in Apple's order.
  static func statements(tombstones: Int) -> [String] {
    let values = (0..<tombstones).map { ", \(tombstone($0)) BLOB" }.joined()
    let changes =
      "CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
      + "ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, "
      + "ZCOLUMNS BLOB\(values) )"
    return [changes, transactions, texts, changeIndex] + textKeyIndexes + transactionIndexes
      + [textIndex]
  }

  /// Creates the tables, or adds columns and tables that a history of an earlier framework or model
  /// lacks.
  static func prepare(on connection: SQLiteConnection, tombstones: Int) throws {
    guard try !isComplete(StoreCatalog(connection), tombstones: tombstones) else { return }
    try connection.writeTransaction {
      let catalog = try StoreCatalog(connection)
      let missing =
        catalog.hasHistory
        ? try additions(to: catalog, tombstones) : statements(tombstones: tombstones)
      for statement in missing { try connection.execute(statement) }
      for (number, name) in entities {
        try connection.execute(
          "INSERT OR IGNORE INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) "
            + "VALUES (\(number), '\(name)', 0, 0)")
      }
    }
  }

  private static func isComplete(_ catalog: StoreCatalog, tombstones: Int) throws -> Bool {
    try catalog.hasHistory && additions(to: catalog, tombstones).isEmpty
  }

  private static func additions(to catalog: StoreCatalog, _ tombstones: Int) throws -> [String] {
    let changes = try catalog.columns(of: "ACHANGE")
    let transactions = try catalog.columns(of: "ATRANSACTION")
    let values = (0..<tombstones).map(tombstone).filter { !changes.contains($0) }
    let keys = textKeys.filter { !transactions.contains($0) }
    return values.map { "ALTER TABLE ACHANGE ADD COLUMN \($0) BLOB" }
      + keys.map { "ALTER TABLE ATRANSACTION ADD COLUMN \($0) INTEGER" }
      + keys.map { "CREATE INDEX ATRANSACTION_\($0)_INDEX ON ATRANSACTION (\($0))" }
      + (catalog.has("ATRANSACTIONSTRING") ? [] : [texts, textIndex])
  }
}
