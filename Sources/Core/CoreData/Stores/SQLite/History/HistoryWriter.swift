/// Records the changes of one transaction of the store in its history, as part of that transaction.
///
/// Writes nothing for a transaction without changes. Used by one thread for one transaction; a
/// rollback also undoes the history.
final class HistoryWriter {
  private let history: StoreHistory
  private let connection: SQLiteConnection
  private let origin: TransactionOrigin?
  /// The transaction's number; nil until the first change.
  private var number: Int64?
  private var lastChange: Int64 = 0

  init(_ history: StoreHistory, connection: SQLiteConnection) {
    self.history = history
    self.connection = connection
    origin = TransactionOrigin.current
  }

  // MARK: - Single rows

  func noteInsertion(_ layout: EntityLayout, key: Int64) throws {
    try note(.insert, layout: layout, key: key, mask: nil)
  }

  func noteUpdate(_ update: StoreChanges.Update) throws {
    let identity = update.row.identity
    try noteUpdate(
      identity.layout, key: identity.packed.key, slots: update.slots,
      relationships: update.relationships)
  }

  func noteUpdate(
    _ layout: EntityLayout, key: Int64, slots: [Int], relationships: [Int] = []
  ) throws {
    let mask = history.layout(layout)?.mask(slots: slots, relationships: relationships)
    try note(.update, layout: layout, key: key, mask: mask)
  }

  // Static, so that its text is made and hashed once, not for each row.
  private static let insertion = SQLText(
    "INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS) "
      + "VALUES (?, ?, ?, ?, ?, ?, ?)")

  private func note(
    _ type: NSPersistentHistoryChangeType, layout: EntityLayout, key: Int64, mask: Data?
  ) throws {
    guard let entity = history.mapping[layout] else { return }
    let number = try transactionNumber()
    try connection.withStatement(Self.insertion) { statement in
      statement.bind(lastChange + 1, at: 1)
      statement.bind(HistorySchema.changeEntity, at: 2)
      statement.bind(Int64(type.rawValue), at: 3)
      statement.bind(Int64(entity.entityNumber), at: 4)
      statement.bind(key, at: 5)
      statement.bind(number, at: 6)
      if let mask, !mask.isEmpty { statement.bind(mask, at: 7) }
      try statement.run()
    }
    lastChange += 1
  }

  // MARK: - Rows selected by SQL

  /// Records the deletion of the rows that match a condition, before they are deleted, with the
  /// values that are kept.
  func noteDeletions(
    _ layout: EntityLayout, where condition: String, bind: (SQLiteStatement, Int32) -> Void
  ) throws {
    let columns = (history.layout(layout)?.tombstones ?? []).prefix(history.tombstoneCount)
      .map { SQLIdentifier.quoted($0.column.name) }
    try note(.delete, layout: layout, where: condition, mask: "NULL", values: columns, bind: bind)
  }

  /// Records the update of `slots` in the rows that match a condition, before they are updated.
  func noteUpdates(
    _ layout: EntityLayout, slots: [Int], where condition: String,
    bind: (SQLiteStatement, Int32) -> Void
  ) throws {
    guard let entity = history.mapping[layout] else { return }
    let mask = mask(entity, slots: slots)
    try note(.update, layout: layout, where: condition, mask: mask, values: [], bind: bind)
  }

  /// The mask of `slots` as SQL. It depends on a row's entity, since a subentity numbers its
  /// properties differently.
  private func mask(_ entity: EntityMapping, slots: [Int]) -> String {
    let masks = entity.kindNumbers.map { number in
      let layout = history.mapping.layout(entityNumber: Int64(number)) ?? entity.layout
      let mask = history.layout(layout)?.mask(slots: slots) ?? Data()
      let digits = mask.map { byte in
        (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
      return (number: number, text: mask.isEmpty ? "NULL" : "x'\(digits.joined())'")
    }
    guard let first = masks.first, masks.contains(where: { $0.text != first.text }) else {
      return masks.first?.text ?? "NULL"
    }
    let cases = masks.map { " WHEN \($0.number) THEN \($0.text)" }.joined()
    return "CASE Z_ENT\(cases) END"
  }

  private func note(
    _ type: NSPersistentHistoryChangeType, layout: EntityLayout, where condition: String,
    mask: String, values: [String], bind: (SQLiteStatement, Int32) -> Void
  ) throws {
    guard let entity = history.mapping[layout],
      try number != nil || hasRows(entity, condition: condition, bind: bind)
    else { return }
    let number = try transactionNumber()
    let names = values.indices.map { ", \(HistorySchema.tombstone($0))" }.joined()
    let sql =
      "INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZTRANSACTIONID, ZCOLUMNS, ZENTITY, ZENTITYPK"
      + "\(names)) SELECT ? + row_number() OVER (ORDER BY Z_PK), ?, ?, ?, \(mask), Z_ENT, Z_PK"
      + values.map { ", \($0)" }.joined()
      + " FROM \(SQLIdentifier.quoted(entity.table)) WHERE \(condition)"
    lastChange += Int64(
      try connection.withStatement(sql) { statement in
        statement.bind(lastChange, at: 1)
        statement.bind(HistorySchema.changeEntity, at: 2)
        statement.bind(Int64(type.rawValue), at: 3)
        statement.bind(number, at: 4)
        bind(statement, 5)
        try statement.run()
        return statement.changes
      })
  }

  private func hasRows(
    _ entity: EntityMapping, condition: String, bind: (SQLiteStatement, Int32) -> Void
  ) throws -> Bool {
    let table = SQLIdentifier.quoted(entity.table)
    return try connection.withStatement("SELECT 1 FROM \(table) WHERE \(condition) LIMIT 1") {
      bind($0, 1)
      return try $0.step()
    }
  }

  // MARK: - The transaction

  private func transactionNumber() throws -> Int64 {
    if let number { return number }
    lastChange = try last(HistorySchema.changeEntity, table: "ACHANGE")
    let new = try last(HistorySchema.transactionEntity, table: "ATRANSACTION") + 1
    try setLast(HistorySchema.transactionEntity, key: new)
    try insert(new)
    number = new
    return new
  }

  private func insert(_ number: Int64) throws {
    let texts = [
      origin?.author, StoreHistory.bundleName, origin?.contextName, StoreHistory.processName,
    ]
    let keys = try texts.map { try $0.map(key) }
    let sql =
      "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP, ZAUTHORTS, ZBUNDLEIDTS, ZCONTEXTNAMETS, "
      + "ZPROCESSIDTS) VALUES (?, ?, ?, ?, ?, ?, ?)"
    try connection.withStatement(sql) { statement in
      statement.bind(number, at: 1)
      statement.bind(HistorySchema.transactionEntity, at: 2)
      statement.bind(Date().timeIntervalSinceReferenceDate, at: 3)
      for (index, key) in keys.enumerated() {
        if let key { statement.bind(key, at: Int32(index) + 4) }
      }
      try statement.run()
    }
  }

  /// The key of a text in ATRANSACTIONSTRING, which has each text once.
  private func key(_ text: String) throws -> Int64 {
    let known = try connection.withStatement("SELECT Z_PK FROM ATRANSACTIONSTRING WHERE ZNAME = ?")
    {
      $0.bind(text, at: 1)
      return try $0.step() ? $0.integer(0) : nil
    }
    if let known { return known }
    let key = try last(HistorySchema.textEntity, table: "ATRANSACTIONSTRING") + 1
    try setLast(HistorySchema.textEntity, key: key)
    try connection.withStatement(
      "INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) VALUES (?, ?, ?)"
    ) {
      $0.bind(key, at: 1)
      $0.bind(HistorySchema.textEntity, at: 2)
      $0.bind(text, at: 3)
      try $0.run()
    }
    return key
  }

  /// The last key of a table, also if a tool has left Z_PRIMARYKEY behind the table.
  private func last(_ entity: Int64, table: String) throws -> Int64 {
    let sql =
      "SELECT MAX(Z_MAX, IFNULL((SELECT MAX(Z_PK) FROM \(table)), 0)) FROM Z_PRIMARYKEY "
      + "WHERE Z_ENT = ?"
    return try connection.withStatement(sql) { statement in
      statement.bind(entity, at: 1)
      guard try statement.step() else { throw StoreDamage.entity(entity, "Z_PRIMARYKEY") }
      return statement.integer(0)
    }
  }

  private func setLast(_ entity: Int64, key: Int64) throws {
    try connection.withStatement("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?") {
      $0.bind(key, at: 1)
      $0.bind(entity, at: 2)
      try $0.run()
    }
  }

  /// Writes the last key of changes. Call it after all changes, before the commit.
  func finish() throws {
    guard let number else { return }
    try setLast(HistorySchema.changeEntity, key: lastChange)
    origin?.note(number, of: history.storeUUID)
  }
}
