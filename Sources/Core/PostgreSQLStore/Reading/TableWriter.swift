import CoreData

/// Makes the SELECT of a ``TableFetch``. Throws ``NotInDialect`` for anything that the server
/// computes differently from memory.
///
/// Used by one thread to build one query.
final class TableWriter {
  let builder: SQLPredicateBuilder
  let scope: SQLScope
  private let plan: TablePlan
  private let schema: StoreSchema
  /// The grouped columns: nil for a result per row, empty for a single group of all rows.
  private let groups: [TablePlan.Column]?
  private var columns: [SQLFragment] = []
  private(set) var readings: [TableReading] = []
  /// Whether no duplicates have to be removed from the results.
  let isFinished: Bool

  init(_ plan: TablePlan, schema: StoreSchema, in context: SQLQueryContext) {
    self.plan = plan
    self.schema = schema
    builder = SQLPredicateBuilder(context: context)
    scope = SQLScope(
      builder.row("t0", layout: plan.rows.layout),
      includesSubentities: plan.rows.includesSubentities)
    groups = plan.isGrouped ? plan.groups : plan.isDistinct ? plan.columns : nil
    isFinished =
      !plan.isGrouped || !plan.isDistinct
      || plan.groups.allSatisfy { plan.columns.contains(where: $0.hasSameSource) }
  }

  func sql(_ entity: EntityMapping) throws -> SQLFragment {
    (columns, readings) = ([], [])
    for column in plan.columns { readings.append(try read(column)) }
    if columns.isEmpty { throw NotInDialect() }
    var conditions =
      entity.kindCondition(
        includesSubentities: plan.rows.includesSubentities, dialect: builder.context.dialect
      ).map { [SQLFragment(text: $0)] } ?? []
    if let predicate = plan.rows.predicate {
      conditions.append(try builder.wholeCondition(predicate, scope: scope))
    }
    var tail = try groups.map(grouping) ?? " ORDER BY \(try order())"
    if isFinished { tail = "\(tail)\(builder.window(plan.rows))" }
    if !conditions.isEmpty { tail = " WHERE \(conditions.joined(separator: " AND "))\(tail)" }
    let table = SchemaNames.quoted(entity.table)
    let joins = scope.evaluated.select.joinText
    return "SELECT \(columns.joined(separator: ", ")) FROM \(raw: table) t0\(raw: joins)\(tail)"
  }

  // MARK: - Order and groups

  /// The sort order of the rows.
  private func order() throws -> SQLFragment {
    try builder.order(plan.rows.sortDescriptors, scope: scope)
      ?? SQLFragment(text: scope.evaluated.key)
  }

  private func grouping(_ groups: [TablePlan.Column]) throws -> SQLFragment {
    if groups.isEmpty { return "" }
    for descriptor in plan.rows.sortDescriptors {
      let column = try TablePlan.Column(
        descriptor.key ?? "", of: plan.rows.layout, in: "sortDescriptors")
      guard groups.contains(where: column.hasSameSource) else { throw NotInDialect() }
    }
    let terms = try builder.terms(of: plan.rows.sortDescriptors, scope)
    let order = terms + ["MIN(\(raw: scope.evaluated.key))"]
    let values = try groups.flatMap { try grouped($0) }
    return " GROUP BY \(values.joined(separator: ", ")) ORDER BY \(order.joined(separator: ", "))"
  }

  /// The columns by which values are distinguished.
  private func grouped(_ column: TablePlan.Column) throws -> [SQLFragment] {
    switch column.source {
    case .identity: return identity
    case .path(let steps):
      let place = try place(steps)
      // Excluded: memory compares the decoded values, not the bytes.
      if place.type == .transformable { throw NotInDialect() }
      return [place.sql] + (place.entity.map { [$0] } ?? [])
    case .expression: throw NotInDialect()
    }
  }

  private var identity: [SQLFragment] {
    let alias = scope.evaluated.alias
    return [
      "\(raw: alias).\(raw: SchemaNames.quoted(SchemaNames.entity))",
      SQLFragment(text: scope.evaluated.key),
    ]
  }

  // MARK: - Columns

  private func add(_ sql: SQLFragment) -> Int {
    columns.append(sql)
    return columns.count - 1
  }

  private func read(_ column: TablePlan.Column) throws -> TableReading {
    if let (function, argument) = column.aggregate, case .expression(_, let type) = column.source {
      return try read(function, argument: argument, promise: .init(name: column.name, type: type))
    }
    // A column outside of the groups has no single value per group.
    if let groups, !groups.contains(where: column.hasSameSource) { throw NotInDialect() }
    switch column.source {
    case .identity:
      let place = identity.map(add)
      return .identity(column: place[0], plan.rows.layout)
    case .path(let steps): return try stored(try place(steps), promise: nil)
    case .expression(let expression, let type):
      return try read(expression, promise: .init(name: column.name, type: type))
    }
  }

  private func read(
    _ expression: NSExpression, promise: TableReading.Promise
  ) throws -> TableReading {
    guard let path = expression.path else { throw NotInDialect() }
    if path.hasSuffix(".@count") {
      guard case .expression(let sql, .number) = try builder.wholeOperand(expression, scope: scope)
      else {
        throw NotInDialect()
      }
      return .count(column: add(sql), promised: promise)
    }
    return try stored(try place(path), promise: promise)
  }

  private func stored(_ place: Place, promise: TableReading.Promise?) throws -> TableReading {
    // As text, because the binary format of numeric is groups of decimal digits.
    let column = add(place.type == .decimal ? "\(place.sql)::text" : place.sql)
    let decoder = ValueDecoder(
      place.type, column: column, entityColumn: place.entity.map(add), slot: place.slot)
    return .stored(decoder, place.step.type, promised: promise)
  }

  // MARK: - Aggregates

  private func read(
    _ function: String, argument: NSExpression, promise: TableReading.Promise
  ) throws -> TableReading {
    switch function {
    case "count:": return .count(column: add(try count(argument)), promised: promise)
    case "min:", "max:":
      guard let path = argument.path else { throw NotInDialect() }
      return try extreme(
        function == "min:" ? "MIN" : "MAX", place: try place(path), promise: promise)
    case "sum:", "average:":
      guard let path = argument.path else { throw NotInDialect() }
      let place = try place(path)
      let terms = try sum(place)
      let first = add(terms.sum)
      _ = add("COUNT(\(place.sql))")
      _ = add(terms.isExact)
      return .sum(place.type, column: first, isAverage: function == "average:", promised: promise)
    default: throw NotInDialect()
    }
  }

  private func count(_ argument: NSExpression) throws -> SQLFragment {
    if case .evaluatedObject = argument.content { return "COUNT(*)" }
    guard let path = argument.path else { throw NotInDialect() }
    if let place = try? place(path) {
      // Excluded: some bytes decode to no value, and only memory finds out.
      if place.type == .transformable || place.type == .uri { throw NotInDialect() }
      return "COUNT(\(place.sql))"
    }
    // The members of all rows in the group.
    guard
      case .expression(let sql, .number) = try builder.wholeOperand(
        NSExpression(forKeyPath: path + ".@count"), scope: scope)
    else { throw NotInDialect() }
    return "COALESCE(SUM(\(sql)), 0)::bigint"
  }

  private func extreme(
    _ function: String, place: Place, promise: TableReading.Promise
  ) throws -> TableReading {
    var place = place
    switch place.type {
    case .integer, .real, .timestamp, .text: break
    case .boolean: place.sql = "\(place.sql)::integer"
    default: throw NotInDialect()
    }
    place.sql = "\(raw: function)(\(place.sql))"
    return try stored(place, promise: promise)
  }

  /// The sum, and whether it is independent of the order of addition. Doubles are added in the
  /// order in which memory adds them.
  private func sum(_ place: Place) throws -> (sum: SQLFragment, isExact: SQLFragment) {
    let largest: SQLFragment
    switch place.type {
    case .integer, .boolean:
      let number: SQLFragment = place.type == .boolean ? "\(place.sql)::integer" : place.sql
      largest = "COUNT(\(number)) * GREATEST(MAX(\(number))::numeric, -MIN(\(number))::numeric)"
      let isExact: SQLFragment = "\(largest) <= \(raw: String(Int64.max))"
      return ("CASE WHEN \(isExact) THEN SUM(\(number))::bigint END", isExact)
    case .decimal:
      // Within the 38 digits that `Decimal` has in memory.
      largest = "COUNT(\(place.sql)) * GREATEST(MAX(\(place.sql)), -MIN(\(place.sql)))"
      return (
        "SUM(\(place.sql))::text", "\(largest) < 1e20 AND MAX(scale(\(place.sql))) <= 18"
      )
    case .real:
      let order = plan.groups.isEmpty ? try order() : SQLFragment(text: scope.evaluated.key)
      return ("SUM(\(place.sql) ORDER BY \(order))", "TRUE")
    default: throw NotInDialect()
    }
  }

  // MARK: - Columns of paths

  /// The column at the end of a key path.
  private struct Place {
    var sql: SQLFragment
    let entity: SQLFragment?
    let type: ColumnType
    let step: TablePlan.Step
    let slot: EntityLayout.Slot
  }

  private func place(_ path: String) throws -> Place {
    let column = try TablePlan.Column(path, of: plan.rows.layout, in: "setPropertiesToFetch:")
    guard case .path(let steps) = column.source else { throw NotInDialect() }
    return try place(steps)
  }

  private func place(_ steps: [TablePlan.Step]) throws -> Place {
    var row = scope.evaluated
    for step in steps.dropLast() { row = try builder.follow(step.slot, of: row) }
    guard let step = steps.last,
      let column = try schema.entity(step.layout).columns[step.slot],
      let type = schema.types(of: step.layout)[step.slot]
    else { throw NotInDialect() }
    func sql(_ name: String) -> SQLFragment {
      "\(raw: row.alias).\(raw: SchemaNames.quoted(name))"
    }
    return Place(
      sql: sql(column.name), entity: column.entityColumn.map(sql), type: type, step: step,
      slot: step.layout.slots[step.slot])
  }
}

extension NSExpression {
  /// The key path on the fetched object; nil for any other expression.
  fileprivate var path: String? {
    if case .keyPath(let path, of: nil) = content { path } else { nil }
  }
}
