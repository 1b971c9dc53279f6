import CoreData

/// A fetch in two steps: SQL for what the server says exactly as memory does, and what is left for memory.
///
///     title CONTAINS[c] "x" AND year > 1999        order by title, localized; 10 of them
///     SQL      WHERE year > 1999 ORDER BY _key     more rows than are wanted, never fewer
///     memory   the whole predicate, the order, the first 10
///
/// When the server can say all of it, memory has nothing to do.
struct NarrowedFetch {
  /// What follows the table and its alias.
  let tail: String
  let values: [SQLValue]
  /// Whether the rows are those that hold.
  let isFiltered: Bool
  /// Whether they come in their order and within offset and limit. Holds for filtered ones alone.
  let isOrdered: Bool

  init(_ plan: FetchPlan, entity: EntityMapping, store context: SQLQueryContext) throws {
    if let whole = try? Self.tail(plan, entity, context) {
      (tail, values) = whole
      (isFiltered, isOrdered) = (true, true)
      return
    }
    var wide = plan
    (wide.predicate, wide.sortDescriptors, wide.limit, wide.offset) = (nil, [], 0, 0)
    let builder = SQLPredicateBuilder(context: context)
    let scope = Self.scope(builder, plan)
    let condition = plan.predicate.map { Self.narrowing($0, builder, scope) }
    isFiltered = condition?.isExact ?? true
    isOrdered = false
    let kinds = entity.kindCondition(
      includesSubentities: plan.includesSubentities, alias: "t0", dialect: context.dialect)
    let conditions =
      (kinds.map { [SQLFragment(text: $0)] } ?? [])
      + (condition?.sql.map { [$0] } ?? [])
    var tail: SQLFragment = "\(raw: scope.evaluated.select.joinText)"
    if !conditions.isEmpty { tail = "\(tail) WHERE \(conditions.joined(separator: " AND "))" }
    let ordered: SQLFragment = "\(tail) ORDER BY \(raw: scope.evaluated.key)"
    (self.tail, values) = ordered.rendered(context.dialect)
  }

  private static func tail(
    _ plan: FetchPlan, _ entity: EntityMapping, _ context: SQLQueryContext
  ) throws -> (String, [SQLValue]) {
    let builder = SQLPredicateBuilder(context: context)
    let scope = scope(builder, plan)
    // Without an order of the caller's that of the keys, as the other stores have it.
    if plan.sortDescriptors.isEmpty {
      var unlimited = plan
      (unlimited.limit, unlimited.offset) = (0, 0)
      var window = plan
      window.predicate = nil
      let rows = try builder.tail(unlimited, entity, scope)
      let whole: SQLFragment =
        "\(rows) ORDER BY \(raw: scope.evaluated.key)\(builder.window(window))"
      return whole.rendered(context.dialect)
    }
    return try builder.tail(plan, entity, scope).rendered(context.dialect)
  }

  private static func scope(_ builder: SQLPredicateBuilder, _ plan: FetchPlan) -> SQLScope {
    SQLScope(builder.row("t0", plan.layout), includesSubentities: plan.includesSubentities)
  }

  /// A condition that holds wherever the predicate does; nil when nothing can be said of it.
  ///
  /// Why something has no SQL does not matter here: memory finishes, and says what is wrong with what it cannot
  /// evaluate either.
  private static func narrowing(
    _ predicate: NSPredicate, _ builder: SQLPredicateBuilder, _ scope: SQLScope
  ) -> (sql: SQLFragment?, isExact: Bool) {
    if let exact = try? builder.wholeCondition(predicate, scope) { return (exact, true) }
    guard let compound = predicate as? Foundation.NSCompoundPredicate else { return (nil, false) }
    let parts = compound.subpredicates.map { narrowing($0, builder, scope).sql }
    switch compound.compoundPredicateType {
    case .and:
      let known = parts.compactMap { $0 }
      return known.isEmpty ? (nil, false) : ("(\(known.joined(separator: " AND ")))", false)
    case .or:
      // One that may hold for any row makes the whole so.
      guard !parts.isEmpty, parts.allSatisfy({ $0 != nil }) else { return (nil, false) }
      return ("(\(parts.compactMap { $0 }.joined(separator: " OR ")))", false)
    default: return (nil, false)
    }
  }
}
