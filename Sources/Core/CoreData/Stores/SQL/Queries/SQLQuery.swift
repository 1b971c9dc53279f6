/// The SELECT of a plan after its table: joins, condition, order and limits.
///
/// Rows that the sort descriptors leave equal are ordered by key, so that a fetch's order is always
/// the same. Without sort descriptors the order is SQLite's.
struct SQLQuery {
  let tail: String
  let values: [SQLValue]

  init(_ plan: FetchPlan, entity: EntityMapping, store context: SQLQueryContext) throws {
    let builder = SQLPredicateBuilder(context: context)
    let scope = SQLScope(
      builder.row("t0", layout: plan.layout), includesSubentities: plan.includesSubentities)
    (tail, values) = try builder.tail(plan, entity: entity, scope: scope).rendered(context.dialect)
  }
}

extension SQLPredicateBuilder {
  /// The SELECT of a plan after its table and alias.
  package func tail(
    _ plan: FetchPlan, entity: EntityMapping, scope: SQLScope,
    groupedBy groups: [SQLFragment] = []
  ) throws -> SQLFragment {
    var conditions: [SQLFragment] = []
    let kinds = entity.kindCondition(
      includesSubentities: plan.includesSubentities, alias: scope.evaluated.alias,
      dialect: context.dialect)
    if let kinds { conditions.append(SQLFragment(text: kinds)) }
    if let predicate = plan.predicate {
      conditions.append(try wholeCondition(predicate, scope: scope))
    }
    let order = try order(plan.sortDescriptors, scope: scope)
    var tail: SQLFragment = "\(raw: scope.evaluated.select.joinText)"
    if !conditions.isEmpty { tail = "\(tail) WHERE \(conditions.joined(separator: " AND "))" }
    if !groups.isEmpty { tail = "\(tail) GROUP BY \(groups.joined(separator: ", "))" }
    if let order { tail = "\(tail) ORDER BY \(order)" }
    return "\(tail)\(window(plan))"
  }

  package func window(_ plan: FetchPlan) -> SQLFragment {
    guard plan.limit > 0 || plan.offset > 0 else { return "" }
    let limit =
      plan.limit > 0
      ? SQLFragment(.integer(Int64(plan.limit))) : SQLFragment(text: context.dialect.words.noLimit)
    guard plan.offset > 0 else { return " LIMIT \(limit)" }
    return " LIMIT \(limit) OFFSET \(SQLFragment(.integer(Int64(plan.offset))))"
  }
}

extension EntityMapping {
  /// The condition that separates the entity's rows from others in its table; nil if all rows are
  /// its own.
  package func kindCondition(
    includesSubentities: Bool, alias: String = "t0", dialect: SQLDialect = .sqlite
  ) -> String? {
    let column = "\(alias).\(dialect.quoted(dialect.entityColumn))"
    let isRoot = entityNumber == rootEntityNumber
    if !sharesTable || includesSubentities && isRoot { return nil }
    let numbers = includesSubentities ? kindNumbers : [entityNumber]
    if numbers.count == 1 { return "\(column) = \(numbers[0])" }
    return "\(column) IN (\(numbers.sorted().map(String.init).joined(separator: ", ")))"
  }
}
