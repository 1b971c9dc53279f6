import CoreData

/// A fetch in two steps: SQL for what the server says exactly as memory does, and what is left for memory.
///
///     title CONTAINS[l] "x" AND year > 1999        order by title, localized; 10 of them
///     SQL      WHERE year > 1999 ORDER BY _key     more rows than are wanted, never fewer
///     memory   the whole predicate, the order, the first 10
///
/// When the server can say all of it, memory has nothing to do. So it is where case and accents do not count, as long
/// as no text has other characters than ASCII, which the server is asked first: see ``PlainFetch``.
struct NarrowedFetch {
  /// What follows the table and its alias.
  let tail: String
  let values: [SQLValue]
  /// Whether the rows are those that hold.
  let isFiltered: Bool
  /// Whether they come in their order and within offset and limit. Holds for filtered ones alone.
  let isOrdered: Bool
  /// The fetch as the server alone can do it where texts are plain; nil where that would not be enough.
  private(set) var plain: PlainFetch?

  init(_ plan: FetchPlan, entity: EntityMapping, store context: SQLQueryContext) throws {
    if let whole = try? Self.tail(plan, entity, context) {
      self.init(whole)
    } else {
      self.init(narrowing: plan, entity, context)
    }
  }

  private init(narrowing plan: FetchPlan, _ entity: EntityMapping, _ context: SQLQueryContext) {
    let builder = SQLPredicateBuilder(context: context)
    let scope = Self.scope(builder, plan)
    let condition = plan.predicate.map { NarrowedCondition($0, builder, scope) }
    isFiltered = condition?.isExact ?? true
    isOrdered = false
    let kinds =
      entity.kindCondition(
        includesSubentities: plan.includesSubentities, alias: "t0", dialect: context.dialect
      ).map { [SQLFragment(text: $0)] } ?? []
    func tail(_ conditions: [SQLFragment]) -> SQLFragment {
      let joins: SQLFragment = "\(raw: scope.evaluated.select.joinText)"
      if conditions.isEmpty { return joins }
      return "\(joins) WHERE \(conditions.joined(separator: " AND "))"
    }
    let known = kinds + (condition?.sql.map { [$0] } ?? [])
    let ordered: SQLFragment = "\(tail(known)) ORDER BY \(raw: scope.evaluated.key)"
    (self.tail, values) = ordered.rendered(context.dialect)
    guard let condition, let exact = condition.exactIfPlain, !condition.doubts.isEmpty,
      let order = try? Self.order(plan, builder, scope)
    else { return }
    // Doubts come first: they cost the least.
    let doubts: SQLFragment = "(\(condition.doubts.joined(separator: " OR ")))"
    let asked = tail([doubts] + known).rendered(context.dialect)
    let whole: SQLFragment = "\(tail(kinds + [exact]))\(order)"
    plain = PlainFetch(
      doubt: "SELECT EXISTS (SELECT 1 FROM \(SchemaNames.quoted(entity.table)) t0\(asked.sql))",
      values: asked.values, whole: whole.rendered(context.dialect))
  }

  /// Of what the server says whole.
  fileprivate init(_ whole: (sql: String, values: [SQLValue])) {
    (tail, values) = (whole.sql, whole.values)
    (isFiltered, isOrdered) = (true, true)
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
      let rows = try builder.tail(unlimited, entity, scope)
      return ("\(rows)\(try order(plan, builder, scope))" as SQLFragment).rendered(context.dialect)
    }
    return try builder.tail(plan, entity, scope).rendered(context.dialect)
  }

  /// ORDER BY, LIMIT and OFFSET. May add to what is joined.
  private static func order(
    _ plan: FetchPlan, _ builder: SQLPredicateBuilder, _ scope: SQLScope
  ) throws -> SQLFragment {
    let terms = try builder.order(plan.sortDescriptors, scope)
    let order = terms ?? SQLFragment(text: scope.evaluated.key)
    return " ORDER BY \(order)\(builder.window(plan))"
  }

  private static func scope(_ builder: SQLPredicateBuilder, _ plan: FetchPlan) -> SQLScope {
    SQLScope(builder.row("t0", plan.layout), includesSubentities: plan.includesSubentities)
  }
}

/// A fetch that the server does alone where no text of the rows that it looks at has other characters than ASCII.
struct PlainFetch {
  /// Whether there is such a text, among what may be found.
  fileprivate let doubt: String
  fileprivate let values: [SQLValue]
  fileprivate let whole: (sql: String, values: [SQLValue])

  /// The fetch; nil when memory has to finish. Asked in the transaction in which it is made.
  func fetch(_ connection: PostgreSQLConnection) throws -> NarrowedFetch? {
    let isDoubtful = try connection.query(doubt, values.map { PostgreSQLParameter($0) })
    return isDoubtful.integer(0, 0) != 0 ? nil : NarrowedFetch(whole)
  }
}

/// What SQL says of a predicate.
private struct NarrowedCondition {
  /// Holds wherever the predicate does; nil when nothing can be said of it.
  private(set) var sql: SQLFragment?
  private(set) var isExact = false
  /// Holds where the predicate does, as long as none of `doubts` holds; nil when nothing does.
  private(set) var exactIfPlain: SQLFragment?
  private(set) var doubts: [SQLFragment] = []

  /// Why something has no SQL does not matter here: memory finishes, and says what is wrong with what it cannot
  /// evaluate either.
  init(_ predicate: NSPredicate, _ builder: SQLPredicateBuilder, _ scope: SQLScope) {
    if let exact = try? builder.wholeCondition(predicate, scope) {
      (sql, isExact, exactIfPlain) = (exact, true, exact)
    } else if let plain = Self.plain(predicate, builder, scope) {
      (sql, exactIfPlain, doubts) = (plain.widened, plain.condition, [plain.isDoubtful])
    } else if let compound = predicate as? Foundation.NSCompoundPredicate {
      let parts = compound.subpredicates.map { NarrowedCondition($0, builder, scope) }
      combine(parts, compound.compoundPredicateType)
    }
  }

  /// Of a comparison, and of NOT before one.
  private static func plain(
    _ predicate: NSPredicate, _ builder: SQLPredicateBuilder, _ scope: SQLScope
  ) -> PlainTextCondition? {
    if let comparison = predicate as? NSComparisonPredicate {
      return try? builder.plainTextCondition(comparison, scope)
    }
    guard let compound = predicate as? Foundation.NSCompoundPredicate,
      compound.compoundPredicateType == .not, compound.subpredicates.count == 1
    else { return nil }
    return plain(compound.subpredicates[0], builder, scope)?.negated
  }

  private mutating func combine(
    _ parts: [NarrowedCondition], _ type: Foundation.NSCompoundPredicate.LogicalType
  ) {
    let known = parts.compactMap(\.sql)
    let plain = parts.compactMap(\.exactIfPlain)
    let separator: String
    switch type {
    case .and: separator = " AND "
    case .or:
      // One that may hold for any row makes the whole so.
      guard known.count == parts.count else { return }
      separator = " OR "
    default: return
    }
    guard !known.isEmpty else { return }
    sql = "(\(known.joined(separator: separator)))"
    guard plain.count == parts.count else { return }
    exactIfPlain = "(\(plain.joined(separator: separator)))"
    doubts = parts.flatMap(\.doubts)
  }
}
