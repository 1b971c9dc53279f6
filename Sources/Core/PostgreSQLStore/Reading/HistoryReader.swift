import CoreData

/// Reads the history of a store, on one connection and in one transaction.
struct HistoryReader {
  let contents: StoreContents
  let connection: PostgreSQLConnection

  private var storeUUID: String { contents.identities.storeUUID }

  var lastNumber: Int64 {
    get throws {
      try connection.query("SELECT last_transaction FROM \(SchemaNames.store)").integer(
        0, column: 0)
    }
  }

  /// The transactions, oldest first. Throws 134301 (`NSPersistentHistoryTokenExpiredError`) if part
  /// of the requested history has been deleted.
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

  /// Throws 134301 if part of the history has been deleted. Numbers have no gaps, so a deleted
  /// beginning is noticed. The store may also have been replaced by another one.
  private func checkComplete(_ part: HistoryPlan.Part) throws {
    guard case .after(let number) = part else { return }
    let first = try connection.query(
      "SELECT COALESCE((SELECT min(number) FROM \(HistoryTables.transactions)), "
        + "last_transaction + 1), uuid FROM \(SchemaNames.store)")
    if first.text(0, column: 1) == storeUUID, number + 1 >= first.integer(0, column: 0) { return }
    throw HistoryError.expired(NSPersistentHistoryToken([storeUUID: number]))
  }

  // MARK: - Transactions

  private static func condition(
    _ part: HistoryPlan.Part
  ) -> (sql: String, values: [PostgreSQLParameter]) {
    switch part {
    case .all: ("TRUE", [])
    case .none: ("FALSE", [])
    case .after(let number): ("number > $1", [.integer(number)])
    case .before(let number): ("number < $1", [.integer(number)])
    case .afterDate(let date): ("time > $1", [timestamp(date)])
    case .beforeDate(let date): ("time < $1", [timestamp(date)])
    }
  }

  private static func timestamp(_ date: Date) -> PostgreSQLParameter {
    let seconds = date.timeIntervalSinceReferenceDate
    return .timestamp(Timestamps.microseconds(seconds) ?? (seconds > 0 ? .max : .min))
  }

  private func records(
    _ part: HistoryPlan.Part, limit: Int?
  ) throws -> [NSPersistentHistoryTransaction.Record] {
    let (condition, values) = Self.condition(part)
    let result = try connection.query(
      "SELECT number, time, author, context, bundle, process FROM \(HistoryTables.transactions) "
        + "WHERE \(condition) ORDER BY number LIMIT \(limit.map { "\($0)" } ?? "ALL")",
      parameters: values)
    return (0..<result.count).map { line in
      func text(_ column: Int) -> String? {
        result.isNull(line, column: column) ? nil : result.text(line, column: column)
      }
      return NSPersistentHistoryTransaction.Record(
        number: result.integer(line, column: 0), storeUUID: storeUUID,
        timestamp: Date(
          timeIntervalSinceReferenceDate: Timestamps.seconds(result.integer(line, column: 1))),
        author: text(2), contextName: text(3), bundleID: text(4), processID: text(5))
    }
  }

  // MARK: - Changes

  private func changes(
    of transactions: [NSPersistentHistoryTransaction],
    _ matches: ((NSPersistentHistoryChange) throws -> Bool)?
  ) throws -> [Int64: [NSPersistentHistoryChange]] {
    let records = Dictionary(
      transactions.map { ($0.record.number, $0.record) }, uniquingKeysWith: { first, _ in first })
    let result = try connection.query(
      "SELECT number, transaction, type, entity, key, properties, tombstone::text "
        + "FROM \(HistoryTables.changes) WHERE transaction = ANY($1) ORDER BY number",
      parameters: [.integers(transactions.map(\.record.number))])
    var changes: [Int64: [NSPersistentHistoryChange]] = [:]
    for line in 0..<result.count {
      guard let record = records[result.integer(line, column: 1)],
        let change = change(result, line: line, record: record)
      else { continue }
      guard try matches?(change) ?? true else { continue }
      changes[record.number, default: []].append(change)
    }
    return changes
  }

  /// The change; nil if the model no longer has the entity.
  private func change(
    _ result: QueryResult, line: Int, record: NSPersistentHistoryTransaction.Record
  ) -> NSPersistentHistoryChange? {
    let key = result.integer(line, column: 4)
    guard let type = NSPersistentHistoryChangeType(rawValue: Int(result.integer(line, column: 2))),
      let layout = contents.schema.mapping.layout(entityNumber: result.integer(line, column: 3)),
      key > 0
    else { return nil }
    let names = result.text(line, column: 5).split(separator: " ").map(String.init)
    let properties = layout.entity.propertiesByName
    return NSPersistentHistoryChange(
      result.integer(line, column: 0), type, of: contents.identities.identity(layout, key: key),
      in: record,
      tombstone: type == .delete
        ? Tombstone.values(result.text(line, column: 6), layout: layout) : nil,
      updatedProperties: type == .update ? Set(names.compactMap { properties[$0] }) : nil)
  }

  // MARK: - Deleting

  func delete(_ plan: HistoryPlan) throws {
    var (condition, values) = Self.condition(plan.part)
    if plan.matchesTransaction != nil {
      condition = "number = ANY($1)"
      values = [.integers(try transactions(plan).map(\.record.number))]
    }
    try connection.query(
      "DELETE FROM \(HistoryTables.changes) WHERE transaction IN "
        + "(SELECT number FROM \(HistoryTables.transactions) WHERE \(condition))",
      parameters: values)
    try connection.query(
      "DELETE FROM \(HistoryTables.transactions) WHERE \(condition)", parameters: values)
  }
}
