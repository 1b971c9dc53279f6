import Predicates

/// Puts predicates and expressions into SQL.
///
///     author.name BEGINSWITH "A" AND ANY tags = %@
///     ──►  (t1.ZNAME >= ? AND t1.ZNAME < ?) AND EXISTS (SELECT 1 FROM Z_1TAGS j2 … WHERE …)
///
/// ``condition(_:_:)`` gives a condition for a predicate, ``operand(_:_:)`` a value for an expression; both
/// read key paths from a ``SQLScope``. What has no SQL throws an error that names it.
///
/// Under SQL's rule for nil a comparison with nil is neither true nor false, and so is its negation; only a
/// comparison with a literal nil asks for nil itself. What comes out unknown matters under a NOT alone:
/// elsewhere it counts as false, and the SQL is the simplest that can use an index. Under the rule of memory
/// nothing is unknown: NOT takes it for false, and `!=` holds for nil.
///
/// Used while one query is built, by one thread.
package final class SQLPredicateBuilder {
  package let context: SQLQueryContext
  private var aliasCount = 0
  private var isNegated = false
  /// Whether membership is being tested, where nil is equal to nothing by either rule.
  private var isMembership = false
  /// See SQLPredicateBuilder+PlainText.swift, as for the next two.
  var reading = TextReading.exact
  var doubts: [SQLFragment] = []
  var polarity = Polarity.positive

  package init(context: SQLQueryContext) { self.context = context }

  /// The row of the fetch's own table.
  package func row(_ alias: String, _ layout: EntityLayout) -> SQLRow {
    SQLRow(alias: alias, layout: layout, dialect: context.dialect)
  }

  /// Throws ``NotInDialect`` where the engine lacks what SQLite has by itself or from us.
  func requireOwnFunctions() throws {
    if !context.dialect.hasOwnFunctions { throw NotInDialect() }
  }

  func makeAlias() -> String {
    aliasCount += 1
    return "t\(aliasCount)"
  }

  /// Whether nil is compared as in memory.
  var comparesAsInMemory: Bool { context.nilRule != .sql && !isMembership }

  /// Whether it matters if a condition is false or unknown.
  var tellsUnknown: Bool { isNegated && !comparesAsInMemory }

  /// A condition of its own, of which only matters whether it is true: that of a subquery, of a CASE.
  func separately<Result>(_ body: () throws -> Result) rethrows -> Result {
    let outer = isNegated
    isNegated = false
    defer { isNegated = outer }
    return try body()
  }

  /// Runs `body` for equality with a member: nil is no member and has none.
  func asMembership<Result>(_ body: () throws -> Result) rethrows -> Result {
    let outer = isMembership
    isMembership = true
    defer { isMembership = outer }
    return try body()
  }

  func condition(_ predicate: NSPredicate, _ scope: SQLScope) throws -> SQLFragment {
    switch predicate {
    case let comparison as NSComparisonPredicate:
      try orWidest { try condition(comparison, scope) }
    case let compound as Foundation.NSCompoundPredicate: try condition(compound, scope)
    default: try orWidest { try constantCondition(predicate) }
    }
  }

  private func constantCondition(_ predicate: NSPredicate) throws -> SQLFragment {
    switch predicate.printedFormat {
    case "TRUEPREDICATE": return .yes
    case "FALSEPREDICATE": return .no
    default: throw SQLGeneration.unsupported("a block", in: predicate)
    }
  }

  private func condition(
    _ compound: Foundation.NSCompoundPredicate, _ scope: SQLScope
  ) throws -> SQLFragment {
    if compound.compoundPredicateType == .not { return try negation(compound, scope) }
    let parts = try Self.cheapFirst(compound.subpredicates).map { try condition($0, scope) }
    if reading == .widened { return Self.short(parts, compound.compoundPredicateType) }
    switch compound.compoundPredicateType {
    case .and: return parts.isEmpty ? .yes : Self.nested(parts[...], " AND ")
    case .or: return parts.isEmpty ? .no : Self.nested(parts[...], " OR ")
    default: throw SQLGeneration.unsupported("an unknown connective", in: compound)
    }
  }

  /// SQLite tests conditions in the order in which they are written: what it can do by itself comes before
  /// functions and subqueries.
  private static func cheapFirst(_ predicates: [NSPredicate]) -> [NSPredicate] {
    let cheap = predicates.filter(\.isCheap)
    if cheap.isEmpty || cheap.count == predicates.count { return predicates }
    return cheap + predicates.filter { !$0.isCheap }
  }

  private func negation(
    _ compound: Foundation.NSCompoundPredicate, _ scope: SQLScope
  ) throws -> SQLFragment {
    guard let negated = compound.subpredicates.first else {
      throw SQLGeneration.unsupported("NOT of nothing", in: compound)
    }
    let outer = isNegated
    isNegated = true
    defer { isNegated = outer }
    let part = try flipped { try condition(negated, scope) }
    if reading == .widened, let truth = part.truth { return truth ? .no : .yes }
    return comparesAsInMemory ? "(\(part)) IS NOT TRUE" : "NOT (\(part))"
  }

  /// Without the parts that say nothing.
  private static func short(
    _ parts: [SQLFragment], _ type: Foundation.NSCompoundPredicate.LogicalType
  ) -> SQLFragment {
    let isAnd = type == .and
    if parts.contains(where: { $0.truth == !isAnd }) { return isAnd ? .no : .yes }
    let telling = parts.filter { $0.truth == nil }
    if telling.isEmpty { return isAnd ? .yes : .no }
    return nested(telling[...], isAnd ? " AND " : " OR ")
  }

  /// SQLite nests operators without parentheses to the left and takes no more than a thousand levels; halves
  /// keep a long row of conditions shallow.
  private static func nested(_ parts: ArraySlice<SQLFragment>, _ separator: String) -> SQLFragment {
    guard parts.count > 64 else { return "(\(parts.joined(separator: separator)))" }
    let middle = parts.startIndex + parts.count / 2
    let left = nested(parts[..<middle], separator)
    let right = nested(parts[middle...], separator)
    return "(\(left)\(raw: separator)\(right))"
  }

  // MARK: - False and unknown

  /// False; unknown where one of `operands` is nil.
  func never(_ operands: [SQLFragment]) -> SQLFragment {
    guard tellsUnknown, !operands.isEmpty else { return .no }
    return "((\(Self.isMissing(operands))) AND NULL)"
  }

  /// True; unknown where one of `operands` is nil.
  func always(_ operands: [SQLFragment]) -> SQLFragment {
    if comparesAsInMemory || operands.isEmpty { return .yes }
    return "(NOT (\(Self.isMissing(operands))) OR NULL)"
  }

  /// `condition`, but unknown where one of `operands` is nil.
  func unknown(where operands: [SQLFragment], else condition: SQLFragment) -> SQLFragment {
    guard tellsUnknown, !operands.isEmpty else { return condition }
    return "CASE WHEN NOT (\(Self.isMissing(operands))) THEN (\(condition)) END"
  }

  private static func isMissing(_ operands: [SQLFragment]) -> SQLFragment {
    operands.map { "\($0) IS NULL" }.joined(separator: " OR ")
  }
}

extension NSPredicate {
  /// Whether this compares plain values.
  fileprivate var isCheap: Bool {
    guard let comparison = self as? NSComparisonPredicate, comparison.options.foldsNothing,
      comparison.comparisonPredicateModifier == .direct
    else { return false }
    switch comparison.predicateOperatorType {
    case .endsWith, .like, .matches, .contains, .customSelector: return false
    default: break
    }
    return [comparison.leftExpression, comparison.rightExpression].allSatisfy { side in
      switch side.content {
      case .keyPath(let path, of: nil): !path.contains("@")
      case .constant, .aggregate, .evaluatedObject: true
      default: false
      }
    }
  }
}
