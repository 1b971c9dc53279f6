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
  private(set) var tail: String
  let values: [SQLValue]
  /// Whether the rows are those that hold.
  let isFiltered: Bool
  /// Whether they come in their order and within offset and limit. Holds for filtered ones alone.
  let isOrdered: Bool
  /// Whether they come in their order, also where memory has to choose among them.
  let isSorted: Bool
  /// The fetch as the server alone can do it where texts are plain; nil where that would not be enough.
  private(set) var plain: PlainFetch?
  /// Key and entity of each row that is wanted or has a text that is not plain, in their order, and whether it has one:
  /// memory has to look at no others. Without limit and offset. Nil where the server cannot say this.
  private(set) var divided: (sql: String, values: [SQLValue])?

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
    let condition = NarrowedCondition(plan, entity, builder, scope)
    isFiltered = condition.isExact
    isOrdered = false
    let order = try? builder.order(plan.sortDescriptors, scope)
    isSorted = order != nil || plan.sortDescriptors.isEmpty
    let terms = order ?? SQLFragment(text: scope.evaluated.key)
    let ordered: SQLFragment = "\(condition.tail(condition.known)) ORDER BY \(terms)"
    (self.tail, values) = ordered.rendered(context.dialect)
    plain = PlainFetch(entity, builder, condition) {
      let conditions = try condition.exact(builder)
      let order = try Self.order(plan, builder, scope)
      return "\(condition.tail(conditions))\(order)"
    }
    if isSorted {
      divided = Self.divided(entity, builder, condition, by: terms)
    }
  }

  private static func divided(
    _ entity: EntityMapping, _ builder: SQLPredicateBuilder, _ condition: NarrowedCondition,
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

  /// Of what the server says whole.
  fileprivate init(_ whole: (sql: String, values: [SQLValue])) {
    (tail, values) = (whole.sql, whole.values)
    (isFiltered, isOrdered, isSorted) = (true, true, true)
  }

  /// The same for no more rows than that.
  func first(_ count: Int) -> NarrowedFetch {
    var first = self
    first.tail += " LIMIT \(count)"
    return first
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
      return try ("\(rows)\(try order(plan, builder, scope))" as SQLFragment).sendable()
    }
    return try builder.tail(plan, entity, scope).sendable()
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
  private let doubt: (sql: String, values: [SQLValue])
  private let whole: (sql: String, values: [SQLValue])

  /// Nil for what the server would not do alone either, and for what it does in any case.
  ///
  /// - Parameter whole: makes the SQL of the fetch.
  init?(
    _ entity: EntityMapping, _ builder: SQLPredicateBuilder, _ condition: NarrowedCondition,
    _ whole: () throws -> SQLFragment
  ) {
    guard let (whole, doubts) = try? builder.plainly(whole), let whole = try? whole.sendable(),
      let doubt = SQLPredicateBuilder.oneOf(doubts)
    else { return nil }
    self.whole = whole
    // Doubts come first: they cost the least.
    let tail = condition.tail([doubt] + condition.known)
    let question: SQLFragment =
      "SELECT EXISTS (SELECT 1 FROM \(raw: SchemaNames.quoted(entity.table)) t0\(tail))"
    guard let doubt = try? question.sendable() else { return nil }
    self.doubt = doubt
  }

  /// The fetch; nil when memory has to finish. Asked in the transaction in which it is made.
  func fetch(_ connection: PostgreSQLConnection) throws -> NarrowedFetch? {
    try query(connection).map(NarrowedFetch.init)
  }

  /// Its SQL; nil when memory has to finish.
  func query(_ connection: PostgreSQLConnection) throws -> (sql: String, values: [SQLValue])? {
    let isDoubtful = try connection.query(
      doubt.sql, doubt.values.map { PostgreSQLParameter($0) })
    return isDoubtful.integer(0, 0) != 0 ? nil : whole
  }
}

/// What SQL says of the rows of a plan.
struct NarrowedCondition {
  /// What tells the entity's rows from others of its table.
  private let kinds: [SQLFragment]
  /// Holds wherever the predicate does; nil when nothing can be said of it.
  private let sql: SQLFragment?
  /// Whether it holds nowhere else.
  let isExact: Bool
  private let predicate: NSPredicate?
  private let scope: SQLScope

  init(
    _ plan: FetchPlan, _ entity: EntityMapping, _ builder: SQLPredicateBuilder, _ scope: SQLScope
  ) {
    kinds =
      entity.kindCondition(
        includesSubentities: plan.includesSubentities, dialect: builder.context.dialect
      ).map { [SQLFragment(text: $0)] } ?? []
    predicate = plan.predicate
    self.scope = scope
    let exact = plan.predicate.flatMap {
      try? builder.wholeCondition($0, scope).checkedForSending()
    }
    isExact = plan.predicate == nil || exact != nil
    sql =
      exact ?? plan.predicate.flatMap { try? builder.widened($0, scope)?.checkedForSending() }
  }

  /// What holds of every row that is wanted.
  var known: [SQLFragment] { kinds + (sql.map { [$0] } ?? []) }

  /// What holds of these rows alone, as far as `builder` can say it now.
  func exact(_ builder: SQLPredicateBuilder) throws -> [SQLFragment] {
    kinds + (try predicate.map { [try builder.wholeCondition($0, scope)] } ?? [])
  }

  /// Joins and conditions. Asked for when everything else has been said, which may have added to the joins.
  func tail(_ conditions: [SQLFragment]) -> SQLFragment {
    let joins: SQLFragment = "\(raw: scope.evaluated.select.joinText)"
    if conditions.isEmpty { return joins }
    return "\(joins) WHERE \(conditions.joined(separator: " AND "))"
  }
}

extension SQLFragment {
  /// Leaves room for what is said beside a predicate.
  private static let mostValues = PostgreSQLConnection.parameterLimit - 1024

  /// Throws for what has more values than the protocol can count.
  fileprivate func checkedForSending() throws -> SQLFragment {
    if valueCount > Self.mostValues { throw NotInDialect() }
    return self
  }

  func sendable() throws -> (sql: String, values: [SQLValue]) {
    try checkedForSending().rendered(.postgreSQL)
  }
}
