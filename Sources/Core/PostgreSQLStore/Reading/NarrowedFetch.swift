import CoreData

/// A fetch in two steps: SQL for the part that the server evaluates exactly as memory does, and the
/// rest in memory.
///
///     title CONTAINS[l] "x" AND year > 1999        ordered by title, localized; 10 of them
///     SQL      WHERE year > 1999 ORDER BY _key     more rows than requested, never fewer
///     memory   the whole predicate, the order, the first 10
/// If the server can evaluate everything, memory has nothing to do. Case- and diacritic-insensitive
/// comparisons are exact on the server as long as the texts are ASCII, which it is asked first; see
/// ``PlainFetch``.
struct NarrowedFetch {
  /// The SQL after the table and its alias.
  private(set) var tail: String
  let values: [SQLValue]
  /// Whether the rows are exactly those that match the predicate.
  let isFiltered: Bool
  /// Whether the rows are sorted and limited as requested. Implies `isFiltered`.
  let isOrdered: Bool
  /// Whether the rows are sorted as requested, even if memory still has to filter them.
  let isSorted: Bool
  /// The fetch that the server can evaluate alone if the texts are ASCII; nil if it could not even
  /// then.
  private(set) var plain: PlainFetch?
  /// Query of key, entity and doubt of each row that matches or is doubtful, because it has a text
  /// that is not ASCII; in order, without limit and offset. Memory has to check the doubtful rows
  /// only. nil if the server cannot evaluate this.
  private(set) var divided: (sql: String, values: [SQLValue])?

  init(_ plan: FetchPlan, entity: EntityMapping, store context: SQLQueryContext) throws {
    if let whole = try? Self.tail(plan, entity: entity, in: context) {
      self.init(whole)
    } else {
      self.init(narrowing: plan, entity, in: context)
    }
  }

  private init(narrowing plan: FetchPlan, _ entity: EntityMapping, in context: SQLQueryContext) {
    let builder = SQLPredicateBuilder(context: context)
    let scope = Self.scope(builder, plan: plan)
    let condition = NarrowedCondition(plan, entity: entity, builder: builder, scope: scope)
    isFiltered = condition.isExact
    isOrdered = false
    let order = try? builder.order(plan.sortDescriptors, scope: scope)
    isSorted = order != nil || plan.sortDescriptors.isEmpty
    let terms = order ?? SQLFragment(text: scope.evaluated.key)
    let ordered: SQLFragment = "\(condition.tail(condition.known)) ORDER BY \(terms)"
    (self.tail, values) = ordered.rendered(context.dialect)
    // Too many values fail in any other form too.
    if condition.hasTooManyValues { return }
    plain = PlainFetch(entity, builder: builder, condition: condition) {
      let conditions = try condition.exact(builder)
      let order = try Self.order(plan, builder: builder, scope: scope)
      return "\(condition.tail(conditions))\(order)"
    }
    if isSorted {
      divided = Self.divided(entity, builder: builder, condition: condition, by: terms)
    }
  }

  private static func divided(
    _ entity: EntityMapping, builder: SQLPredicateBuilder, condition: NarrowedCondition,
    by terms: SQLFragment
  ) -> (sql: String, values: [SQLValue])? {
    guard let (exact, doubts) = try? builder.plainly({ try condition.exact(builder) }),
      let doubt = SQLPredicateBuilder.oneOf(doubts)
    else { return nil }
    let quoted = SchemaNames.quoted
    let names = [SchemaNames.key, SchemaNames.entity].map { "t0.\(quoted($0))" }
    let wanted: SQLFragment = "(\(doubt) OR (\(exact.joined(separator: " AND "))))"
    let select: SQLFragment =
      "SELECT \(raw: names.joined(separator: ", ")), \(doubt) FROM \(raw: quoted(entity.table)) t0"
    let whole: SQLFragment =
      "\(select)\(condition.tail(condition.known + [wanted])) ORDER BY \(terms)"
    return try? whole.sendable()
  }

  /// A fetch that the server evaluates completely.
  fileprivate init(_ whole: (sql: String, values: [SQLValue])) {
    (tail, values) = (whole.sql, whole.values)
    (isFiltered, isOrdered, isSorted) = (true, true, true)
  }

  /// The fetch, limited to this number of rows.
  func first(_ count: Int) -> NarrowedFetch {
    var first = self
    first.tail += " LIMIT \(count)"
    return first
  }

  private static func tail(
    _ plan: FetchPlan, entity: EntityMapping, in context: SQLQueryContext
  ) throws -> (String, [SQLValue]) {
    let builder = SQLPredicateBuilder(context: context)
    let scope = scope(builder, plan: plan)
    // Without sort descriptors, ordered by key, as in the other stores.
    if plan.sortDescriptors.isEmpty {
      var unlimited = plan
      (unlimited.limit, unlimited.offset) = (0, 0)
      let rows = try builder.tail(unlimited, entity: entity, scope: scope)
      return try ("\(rows)\(try order(plan, builder: builder, scope: scope))" as SQLFragment)
        .sendable()
    }
    return try builder.tail(plan, entity: entity, scope: scope).sendable()
  }

  /// ORDER BY, LIMIT and OFFSET. May add joins to the scope.
  private static func order(
    _ plan: FetchPlan, builder: SQLPredicateBuilder, scope: SQLScope
  ) throws -> SQLFragment {
    let terms = try builder.order(plan.sortDescriptors, scope: scope)
    let order = terms ?? SQLFragment(text: scope.evaluated.key)
    return " ORDER BY \(order)\(builder.window(plan))"
  }

  private static func scope(_ builder: SQLPredicateBuilder, plan: FetchPlan) -> SQLScope {
    SQLScope(builder.row("t0", layout: plan.layout), includesSubentities: plan.includesSubentities)
  }
}

/// A fetch that the server can evaluate alone if all texts of the rows that it compares are ASCII.
struct PlainFetch {
  /// Query whether any text among the candidate rows is not ASCII.
  private let doubt: (sql: String, values: [SQLValue])
  private let whole: (sql: String, values: [SQLValue])

  /// nil if the server cannot evaluate the fetch even for ASCII texts, or can evaluate it for all
  /// texts.
  ///
  /// - Parameter whole: makes the SQL of the fetch.
  init?(
    _ entity: EntityMapping, builder: SQLPredicateBuilder, condition: NarrowedCondition,
    whole: () throws -> SQLFragment
  ) {
    guard let (whole, doubts) = try? builder.plainly(whole), let whole = try? whole.sendable(),
      let doubt = SQLPredicateBuilder.oneOf(doubts)
    else { return nil }
    self.whole = whole
    // The ASCII tests come first, since they are cheapest.
    let tail = condition.tail([doubt] + condition.known)
    let question: SQLFragment =
      "SELECT EXISTS (SELECT 1 FROM \(raw: SchemaNames.quoted(entity.table)) t0\(tail))"
    guard let doubt = try? question.sendable() else { return nil }
    self.doubt = doubt
  }

  /// The fetch; nil if memory has to finish it. Call it in the transaction of the fetch.
  func fetch(_ connection: PostgreSQLConnection) throws -> NarrowedFetch? {
    try query(connection).map(NarrowedFetch.init)
  }

  /// The SQL of the fetch; nil if memory has to finish it.
  func query(_ connection: PostgreSQLConnection) throws -> (sql: String, values: [SQLValue])? {
    let isDoubtful = try connection.query(
      doubt.sql, parameters: doubt.values.map { PostgreSQLParameter($0) })
    return isDoubtful.integer(0, column: 0) != 0 ? nil : whole
  }
}

/// The conditions of a fetch plan in SQL.
struct NarrowedCondition {
  /// Distinguishes the entity's rows from others in its table.
  private let kinds: [SQLFragment]
  /// A condition that is true for at least the rows that match the predicate; nil if there is none.
  private let sql: SQLFragment?
  /// Whether `sql` is true for no other rows.
  let isExact: Bool
  /// Whether the predicate was translatable but has too many values.
  let hasTooManyValues: Bool
  private let predicate: NSPredicate?
  private let scope: SQLScope

  init(
    _ plan: FetchPlan, entity: EntityMapping, builder: SQLPredicateBuilder, scope: SQLScope
  ) {
    kinds =
      entity.kindCondition(
        includesSubentities: plan.includesSubentities, dialect: builder.context.dialect
      ).map { [SQLFragment(text: $0)] } ?? []
    predicate = plan.predicate
    self.scope = scope
    let whole = plan.predicate.flatMap { try? builder.wholeCondition($0, scope: scope) }
    let exact = whole.flatMap { try? $0.checkedForSending() }
    hasTooManyValues = whole != nil && exact == nil
    isExact = plan.predicate == nil || exact != nil
    sql =
      exact
      ?? (hasTooManyValues
        ? nil
        : plan.predicate.flatMap { try? builder.widened($0, scope: scope)?.checkedForSending() })
  }

  /// The conditions that every matching row meets.
  var known: [SQLFragment] { kinds + (sql.map { [$0] } ?? []) }

  /// The conditions that exactly the matching rows meet; throws if `builder` cannot express them.
  func exact(_ builder: SQLPredicateBuilder) throws -> [SQLFragment] {
    kinds + (try predicate.map { [try builder.wholeCondition($0, scope: scope)] } ?? [])
  }

  /// Joins and WHERE clause. Call it last, because other parts of the query may add joins.
  func tail(_ conditions: [SQLFragment]) -> SQLFragment {
    let joins: SQLFragment = "\(raw: scope.evaluated.select.joinText)"
    if conditions.isEmpty { return joins }
    return "\(joins) WHERE \(conditions.joined(separator: " AND "))"
  }
}

extension SQLFragment {
  /// The maximum number of values of a predicate, which leaves room for other parameters.
  private static let mostValues = PostgreSQLConnection.parameterLimit - 1024

  /// Throws if there are more values than the protocol allows.
  fileprivate func checkedForSending() throws -> SQLFragment {
    if valueCount > Self.mostValues { throw NotInDialect() }
    return self
  }

  func sendable() throws -> (sql: String, values: [SQLValue]) {
    try checkedForSending().rendered(.postgreSQL)
  }
}
