import CoreData

/// A fetch of dictionaries that the server does: columns, groups and aggregates.
///
///     name and sum:(pages), by name, ordered by name
///     ──►  SELECT t0."name", CASE WHEN … THEN SUM(t0."pages")::bigint END, … FROM "Book" t0
///          GROUP BY t0."name" ORDER BY t0."name" ASC NULLS FIRST, MIN(t0."_key")
///
/// Groups come in the order in which memory comes across them: by sort descriptors, which have to be of what is grouped by,
/// then by the least key. Distinct rows are groups of all columns.
struct TableFetch {
  let readings: [TableReading]
  /// What the server does in any case; nil for what it does as long as texts are of ASCII.
  let whole: (sql: String, values: [SQLValue])?
  private let plain: PlainFetch?
  /// Whether the results are those that are wanted; else memory leaves out what is there twice, and counts.
  let isFinished: Bool

  /// Nil for what memory has to do.
  init?(_ plan: TablePlan, _ contents: StoreContents) {
    guard let entity = contents.schema.mapping[plan.rows.layout] else { return nil }
    func writer() -> TableWriter { TableWriter(plan, contents.schema, contents.queryContext) }
    let exact = writer()
    if let whole = try? exact.sql(entity).sendable() {
      (self.whole, plain) = (whole, nil)
      (readings, isFinished) = (exact.readings, exact.isFinished)
      return
    }
    let other = writer()
    let condition = NarrowedCondition(plan.rows, entity, other.builder, other.scope)
    guard
      let plain = PlainFetch(entity, other.builder, condition, { try other.sql(entity) })
    else { return nil }
    (whole, self.plain) = (nil, plain)
    (readings, isFinished) = (other.readings, other.isFinished)
  }

  /// Nil when memory has to do it after all: texts are not plain, or sums are beyond what memory adds up without loss. To be
  /// called inside of a transaction.
  func table(
    _ plan: TablePlan, _ contents: StoreContents, _ connection: PostgreSQLConnection
  ) throws -> [[Any?]]? {
    guard let (sql, values) = try whole ?? plain?.query(connection) else { return nil }
    let entity = try contents.schema.entity(plan.rows.layout)
    let decoder = contents.decoder(contents.selection(of: entity))
    var table: [[Any?]] = []
    var isExact = true
    try contents.results(of: sql, values, limit: plan.rows.limit, connection) { result in
      for line in 0..<result.count where isExact {
        guard readings.allSatisfy({ $0.isExact(result, line) }) else {
          isExact = false
          return
        }
        table.append(try readings.map { try $0.value(result, line, decoder) })
      }
    }
    guard isExact else { return nil }
    return isFinished ? table : TableReader.finished(table, plan)
  }
}

/// What one column of dictionaries is in a result.
enum TableReading {
  /// The number of the entity and the key, in this order.
  case identity(column: Int, EntityLayout)
  /// A stored value, of its own type; as a computed one, of the type that the description promises too.
  case stored(ValueDecoder, NSAttributeType, promised: Promise?)
  case count(column: Int, promised: Promise)
  /// The sum, how many values there were, and whether memory comes to the same.
  case sum(ColumnType, column: Int, isAverage: Bool, promised: Promise)

  struct Promise {
    let name: String
    let type: NSAttributeType
  }

  func isExact(_ result: QueryResult, _ line: Int) -> Bool {
    guard case .sum(_, let column, _, _) = self else { return true }
    // Nil where there is nothing to add.
    return result.isNull(line, column + 2) || result.integer(line, column + 2) != 0
  }

  func value(_ result: QueryResult, _ line: Int, _ decoder: RowDecoder) throws -> Any? {
    switch self {
    case .identity(let column, let layout):
      let kind = decoder.layout(number: result.integer(line, column)) ?? layout
      return decoder.packed(result.integer(line, column + 1), kind)
        .map { decoder.identities.identity($0) }
    case .stored(let value, let type, let promise):
      let value = value.value(result, line, decoder).boxed(type)
      guard let promise, value != nil else { return value }
      return try promise.kept(value)
    case .count(let column, let promise):
      if result.isNull(line, column) { return nil }
      return try promise.kept(NSNumber(value: result.integer(line, column)))
    case .sum(let type, let column, let isAverage, let promise):
      let count = result.integer(line, column + 1)
      if count == 0 { return isAverage ? nil : try promise.kept(NSNumber(value: 0)) }
      let sum = number(type, result, line, column)
      guard isAverage else { return try promise.kept(sum) }
      if let sum = sum as? NSDecimalNumber {
        return try promise.kept(NSDecimalNumber(decimal: sum.decimalValue / Decimal(Int(count))))
      }
      return try promise.kept(NSNumber(value: sum.doubleValue / Double(count)))
    }
  }

  private func number(
    _ type: ColumnType, _ result: QueryResult, _ line: Int, _ column: Int
  ) -> NSNumber {
    switch type {
    case .real: return NSNumber(value: result.real(line, column))
    case .decimal:
      return Decimal(string: result.text(line, column)).map { NSDecimalNumber(decimal: $0) }
        ?? .notANumber
    default: return NSNumber(value: result.integer(line, column))
    }
  }
}

extension TableReading.Promise {
  fileprivate func kept(_ value: Any?) throws -> Any? {
    try TableReader.typed(value, type, name)
  }
}
