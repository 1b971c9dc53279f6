/// Reads the history of a store with one connection, inside of one transaction.
struct HistoryReader {
  let history: StoreHistory
  let connection: SQLiteConnection
  let identities: IdentitySpace

  /// The plan's transactions, from the oldest to the newest. Throws 134301 if some of its part has
  /// been deleted.
  func transactions(_ plan: HistoryPlan) throws -> [NSPersistentHistoryTransaction] {
    try checkComplete(plan.part)
    var found = try records(plan.part, limit: plan.limit).map { NSPersistentHistoryTransaction($0) }
    if let matches = plan.matchesTransaction { found = try found.filter(matches) }
    guard plan.readsChanges else { return found }
    let changes = try changes(of: found, plan.matchesChange)
    if plan.matchesChange != nil { found = found.filter { changes[$0.record.number] != nil } }
    return found.map {
      NSPersistentHistoryTransaction($0.record, changes: changes[$0.record.number] ?? [])
    }
  }

  /// Throws if transactions after the token have been deleted. Numbers have no gaps, so a deletion
  /// from the beginning shows in the lowest one.
  private func checkComplete(_ part: HistoryPlan.Part) throws {
    guard case .after(let number) = part else { return }
    let first = try connection.integer("SELECT MIN(Z_PK) FROM ATRANSACTION") ?? 0
    let oldest = first > 0 ? first : try history.lastNumber(connection) + 1
    guard number + 1 < oldest else { return }
    throw HistoryError.expired(NSPersistentHistoryToken([history.storeUUID: number]))
  }

  // MARK: - Transactions

  private static func condition(_ part: HistoryPlan.Part) -> (sql: String, value: SQLValue?) {
    switch part {
    case .all: ("1", nil)
    case .none: ("0", nil)
    case .after(let number): ("t.Z_PK > ?", .integer(number))
    case .before(let number): ("t.Z_PK < ?", .integer(number))
    case .afterDate(let date): ("t.ZTIMESTAMP > ?", .real(date.timeIntervalSinceReferenceDate))
    case .beforeDate(let date): ("t.ZTIMESTAMP < ?", .real(date.timeIntervalSinceReferenceDate))
    }
  }

  /// Author, bundle, context and process as SQL, whether columns hold texts or keys of texts.
  private var texts: String {
    ["AUTHOR", "BUNDLEID", "CONTEXTNAME", "PROCESSID"].map { name in
      guard history.hasTexts else { return "t.Z\(name)" }
      return
        "COALESCE((SELECT ZNAME FROM ATRANSACTIONSTRING WHERE Z_PK = t.Z\(name)TS), t.Z\(name))"
    }.joined(separator: ", ")
  }

  private func records(
    _ part: HistoryPlan.Part, limit: Int?
  ) throws -> [NSPersistentHistoryTransaction.Record] {
    let (condition, value) = Self.condition(part)
    let sql =
      "SELECT t.Z_PK, t.ZTIMESTAMP, \(texts) FROM ATRANSACTION t WHERE \(condition) ORDER BY t.Z_PK "
      + "LIMIT \(limit ?? -1)"
    return try connection.withStatement(sql) { statement in
      statement.bind([value].compactMap { $0 }, from: 1)
      var records: [NSPersistentHistoryTransaction.Record] = []
      while try statement.step() {
        records.append(
          NSPersistentHistoryTransaction.Record(
            number: statement.integer(0), storeUUID: history.storeUUID,
            timestamp: Date(timeIntervalSinceReferenceDate: statement.real(1)),
            author: statement.text(2), contextName: statement.text(4),
            bundleID: statement.text(3), processID: statement.text(5)))
      }
      return records
    }
  }

  // MARK: - Changes

  private func changes(
    of transactions: [NSPersistentHistoryTransaction],
    _ matches: ((NSPersistentHistoryChange) throws -> Bool)?
  ) throws -> [Int64: [NSPersistentHistoryChange]] {
    let tombstones = (0..<history.tombstoneCount).map { ", \(HistorySchema.tombstone($0))" }
      .joined()
    let sql =
      "SELECT Z_PK, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZCOLUMNS\(tombstones) FROM ACHANGE "
      + "WHERE ZTRANSACTIONID = ? ORDER BY Z_PK"
    var changes: [Int64: [NSPersistentHistoryChange]] = [:]
    try connection.withStatement(sql) { statement in
      for transaction in transactions {
        statement.reset()
        statement.bind(transaction.record.number, at: 1)
        while try statement.step() {
          guard let change = change(statement, transaction: transaction.record) else { continue }
          guard try matches?(change) ?? true else { continue }
          changes[transaction.record.number, default: []].append(change)
        }
      }
    }
    return changes
  }

  /// The change of a statement's row; nil if its entity is not in the model any more.
  private func change(
    _ statement: SQLiteStatement, transaction: NSPersistentHistoryTransaction.Record
  ) -> NSPersistentHistoryChange? {
    let key = statement.integer(3)
    guard let type = NSPersistentHistoryChangeType(rawValue: Int(statement.integer(1))),
      let layout = history.mapping.layout(entityNumber: statement.integer(2)),
      let notes = history.layout(layout), key > 0, key < 1 << 40
    else { return nil }
    return NSPersistentHistoryChange(
      statement.integer(0), type, of: identities.identity(layout, key: key), in: transaction,
      tombstone: type == .delete ? tombstone(statement, notes: notes) : nil,
      updatedProperties: type == .update ? notes.properties(in: statement.data(4) ?? Data()) : nil)
  }

  private func tombstone(
    _ statement: SQLiteStatement, notes: HistoryLayout
  ) -> [AnyHashable: Any]? {
    var values: [AnyHashable: Any] = [:]
    for (index, tombstone) in notes.tombstones.prefix(history.tombstoneCount).enumerated() {
      let decoder = SlotDecoder(
        tombstone.column, column: Int32(5 + index), entityColumn: nil, codec: tombstone.codec)
      let value = decoder.attributeValue(statement).boxed(tombstone.attribute.attributeType)
      if let value { Self.enter(value, path: tombstone.path[...], in: &values) }
    }
    return values.isEmpty ? nil : values
  }

  /// Sets a value by its path; a composite attribute is a dictionary within the dictionary.
  private static func enter(
    _ value: Any, path: ArraySlice<String>, in values: inout [AnyHashable: Any]
  ) {
    guard let name = path.first, path.count > 1 else {
      if let name = path.first { values[name] = value }
      return
    }
    var elements = values[name] as? [AnyHashable: Any] ?? [:]
    enter(value, path: path.dropFirst(), in: &elements)
    values[name] = elements
  }

  // MARK: - Deleting

  func delete(_ plan: HistoryPlan) throws {
    guard plan.matchesTransaction == nil else { return try deleteMatching(plan) }
    let (condition, value) = Self.condition(plan.part)
    try delete(
      "SELECT t.Z_PK FROM ATRANSACTION t WHERE \(condition)", values: [value].compactMap { $0 })
  }

  private func deleteMatching(_ plan: HistoryPlan) throws {
    let numbers = try transactions(plan).map(\.record.number)
    try delete("SELECT value FROM json_each(?)", values: [.text(numbers.json)])
  }

  /// - Parameter numbers: a SELECT of the transactions' numbers, with `values` for its parameters.
  private func delete(_ numbers: String, values: [SQLValue]) throws {
    for sql in [
      "DELETE FROM ACHANGE WHERE ZTRANSACTIONID IN (\(numbers))",
      "DELETE FROM ATRANSACTION WHERE Z_PK IN (\(numbers))",
    ] {
      try connection.withStatement(sql) {
        $0.bind(values, from: 1)
        try $0.run()
      }
    }
    if history.hasTexts {
      try connection.withStatement(HistorySchema.deletionOfTexts) { try $0.run() }
    }
  }
}
