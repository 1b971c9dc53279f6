import CoreData

/// A dictionary fetch that the server evaluates: columns, groups and aggregates.
///
///     name and sum:(pages), by name, ordered by name
///     ──►  SELECT t0."name", CASE WHEN … THEN SUM(t0."pages")::bigint END, … FROM "Book" t0
///          GROUP BY t0."name" ORDER BY t0."name" ASC NULLS FIRST, MIN(t0."_key")
///
/// Groups are ordered as memory would find them: by the sort descriptors, which must sort by
/// grouped values, then by the smallest key. Distinct rows are groups by all columns.
struct TableFetch {
  let readings: [TableReading]
  /// The query, if it is exact for all texts; nil if it is exact for ASCII texts only.
  let whole: (sql: String, values: [SQLValue])?
  private let plain: PlainFetch?
  /// Whether the results are complete. If not, memory removes duplicates and applies limit and
  /// offset.
  let isFinished: Bool

  /// nil if memory has to evaluate the fetch.
  init?(_ plan: TablePlan, contents: StoreContents) {
    guard let entity = contents.schema.mapping[plan.rows.layout] else { return nil }
    func writer() -> TableWriter {
      TableWriter(plan, schema: contents.schema, in: contents.queryContext)
    }
    let exact = writer()
    if let whole = try? exact.sql(entity).sendable() {
      (self.whole, plain) = (whole, nil)
      (readings, isFinished) = (exact.readings, exact.isFinished)
      return
    }
    let other = writer()
    let condition = NarrowedCondition(
      plan.rows, entity: entity, builder: other.builder, scope: other.scope)
    guard
      let plain = PlainFetch(
        entity, builder: other.builder, condition: condition, whole: { try other.sql(entity) })
    else { return nil }
    (whole, self.plain) = (nil, plain)
    (readings, isFinished) = (other.readings, other.isFinished)
  }

  /// The results; nil if memory has to evaluate the fetch after all: because texts are not ASCII,
  /// or because sums are too large for memory to add them exactly. Call it in a transaction.
  func table(
    _ plan: TablePlan, contents: StoreContents, connection: PostgreSQLConnection
  ) throws -> [[Any?]]? {
    guard let (sql, values) = try whole ?? plain?.query(connection) else { return nil }
    let entity = try contents.schema.entity(plan.rows.layout)
    let decoder = contents.decoder(contents.selection(of: entity))
    var table: [[Any?]] = []
    var isExact = true
    try contents.results(of: sql, values, limit: plan.rows.limit, connection: connection) {
      result in
      for line in 0..<result.count where isExact {
        guard readings.allSatisfy({ $0.isExact(result, line: line) }) else {
          isExact = false
          return
        }
        table.append(try readings.map { try $0.value(result, line: line, decoder: decoder) })
      }
    }
    guard isExact else { return nil }
    return isFinished ? table : TableReader.finished(table, plan: plan)
  }
}

/// The decoding of one dictionary column.
enum TableReading {
  /// An object ID: the entity's number, then the key.
  case identity(column: Int, EntityLayout)
  /// A stored value. `promised` is the type that the expression description declares, for a
  /// computed column.
  case stored(ValueDecoder, NSAttributeType, promised: Promise?)
  case count(column: Int, promised: Promise)
  /// Three columns: the sum, the number of values, and whether memory would compute the same sum.
  case sum(ColumnType, column: Int, isAverage: Bool, promised: Promise)

  struct Promise {
    let name: String
    let type: NSAttributeType
  }

  func isExact(_ result: QueryResult, line: Int) -> Bool {
    guard case .sum(_, let column, _, _) = self else { return true }
    // null if there are no values.
    return result.isNull(line, column: column + 2) || result.integer(line, column: column + 2) != 0
  }

  func value(_ result: QueryResult, line: Int, decoder: RowDecoder) throws -> Any? {
    switch self {
    case .identity(let column, let layout):
      let kind = decoder.layout(number: result.integer(line, column: column)) ?? layout
      return decoder.packed(result.integer(line, column: column + 1), layout: kind)
        .map { decoder.identities.identity($0) }
    case .stored(let value, let type, let promise):
      let value = value.value(result, line: line, decoder: decoder).boxed(type)
      guard let promise, value != nil else { return value }
      return try promise.kept(value)
    case .count(let column, let promise):
      if result.isNull(line, column: column) { return nil }
      return try promise.kept(NSNumber(value: result.integer(line, column: column)))
    case .sum(let type, let column, let isAverage, let promise):
      let count = result.integer(line, column: column + 1)
      if count == 0 { return isAverage ? nil : try promise.kept(NSNumber(value: 0)) }
      let sum = number(type, result: result, line: line, column: column)
      guard isAverage else { return try promise.kept(sum) }
      if let sum = sum as? NSDecimalNumber {
        return try promise.kept(NSDecimalNumber(decimal: sum.decimalValue / Decimal(Int(count))))
      }
      return try promise.kept(NSNumber(value: sum.doubleValue / Double(count)))
    }
  }

  private func number(
    _ type: ColumnType, result: QueryResult, line: Int, column: Int
  ) -> NSNumber {
    switch type {
    case .real: return NSNumber(value: result.real(line, column: column))
    case .decimal:
      return Decimal(string: result.text(line, column: column)).map { NSDecimalNumber(decimal: $0) }
        ?? .notANumber
    default: return NSNumber(value: result.integer(line, column: column))
    }
  }
}

extension TableReading.Promise {
  fileprivate func kept(_ value: Any?) throws -> Any? {
    try TableReader.typed(value, type: type, name: name)
  }
}
