import Predicates

/// Converts predicates and expressions to SQL.
///
///     author.name BEGINSWITH "A" AND ANY tags = %@
///     ──►  (t1.ZNAME >= ? AND t1.ZNAME < ?) AND EXISTS (SELECT 1 FROM Z_1TAGS j2 … WHERE …)
///
/// ``condition(_:_:)`` returns the condition of a predicate, ``operand(_:scope:)`` the value of an
/// expression; both read key paths from a ``SQLScope``. An element without SQL throws an error that
/// names it.
///
/// Under SQL's rule for nil a comparison with nil is unknown, and so is its negation; only a
/// comparison with a literal nil tests for nil. Unknown differs from false only under a NOT.
/// Elsewhere the SQL may return either, so it is the simplest that can use an index. Under memory's
/// rule nothing is unknown: NOT treats it as false, and `!=` holds for nil.
///
/// Used by one thread, while one query is built.
package final class SQLPredicateBuilder {
  package let context: SQLQueryContext
  private var aliasCount = 0
  private var isNegated = false
  /// Whether the current comparison tests membership: nil then equals nothing, under either rule.
  private var isMembership = false
  /// This and the next two properties are explained at ``TextReading``.
  var reading = TextReading.exact
  var doubts: [SQLFragment] = []
  var polarity = Polarity.positive

  package init(context: SQLQueryContext) { self.context = context }

  /// The row of the fetch's own table.
  package func row(_ alias: String, layout: EntityLayout) -> SQLRow {
    SQLRow(alias: alias, layout: layout, dialect: context.dialect)
  }

  /// Throws ``NotInDialect`` if the engine lacks SQLite's behaviour or the registered functions.
  func requireOwnFunctions() throws {
    if !context.dialect.hasOwnFunctions { throw NotInDialect() }
  }

  func makeAlias() -> String {
    aliasCount += 1
    return "t\(aliasCount)"
  }

  /// Whether nil is compared by memory's rule.
  var comparesAsInMemory: Bool { context.nilRule != .sql && !isMembership }

  /// Whether conditions must distinguish false and unknown.
  var tellsUnknown: Bool { isNegated && !comparesAsInMemory }

  /// Runs `body` for a condition of which only the truth matters: in a subquery or a CASE.
  func separately<Result>(_ body: () throws -> Result) rethrows -> Result {
    let outer = isNegated
    isNegated = false
    defer { isNegated = outer }
    return try body()
  }

  /// Runs `body` for a test of membership: nil is not a member and has none.
  func asMembership<Result>(_ body: () throws -> Result) rethrows -> Result {
    let outer = isMembership
    isMembership = true
    defer { isMembership = outer }
    return try body()
  }

  func condition(_ predicate: NSPredicate, scope: SQLScope) throws -> SQLFragment {
    switch predicate {
    case let comparison as NSComparisonPredicate:
      try orWidest { try condition(comparison, scope: scope) }
    case let compound as Foundation.NSCompoundPredicate: try condition(compound, scope: scope)
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
    _ compound: Foundation.NSCompoundPredicate, scope: SQLScope
  ) throws -> SQLFragment {
    if compound.compoundPredicateType == .not { return try negation(compound, scope: scope) }
    let parts = try Self.cheapFirst(compound.subpredicates).map { try condition($0, scope: scope) }
    if reading == .widened { return Self.short(parts, type: compound.compoundPredicateType) }
    switch compound.compoundPredicateType {
    case .and: return parts.isEmpty ? .yes : Self.nested(parts[...], separator: " AND ")
    case .or: return parts.isEmpty ? .no : Self.nested(parts[...], separator: " OR ")
    default: throw SQLGeneration.unsupported("an unknown connective", in: compound)
    }
  }

  /// The predicates with plain comparisons first, then those with functions and subqueries: SQLite
  /// evaluates conditions in the order of the text.
  private static func cheapFirst(_ predicates: [NSPredicate]) -> [NSPredicate] {
    let cheap = predicates.filter(\.isCheap)
    if cheap.isEmpty || cheap.count == predicates.count { return predicates }
    return cheap + predicates.filter { !$0.isCheap }
  }

  private func negation(
    _ compound: Foundation.NSCompoundPredicate, scope: SQLScope
  ) throws -> SQLFragment {
    guard let negated = compound.subpredicates.first else {
      throw SQLGeneration.unsupported("NOT of nothing", in: compound)
    }
    let outer = isNegated
    isNegated = true
    defer { isNegated = outer }
    let part = try flipped { try condition(negated, scope: scope) }
    if reading == .widened, let truth = part.truth { return truth ? .no : .yes }
    return comparesAsInMemory ? "(\(part)) IS NOT TRUE" : "NOT (\(part))"
  }

  /// The compound without parts that do not restrict it.
  private static func short(
    _ parts: [SQLFragment], type: Foundation.NSCompoundPredicate.LogicalType
  ) -> SQLFragment {
    let isAnd = type == .and
    if parts.contains(where: { $0.truth == !isAnd }) { return isAnd ? .no : .yes }
    let telling = parts.filter { $0.truth == nil }
    if telling.isEmpty { return isAnd ? .yes : .no }
    return nested(telling[...], separator: isAnd ? " AND " : " OR ")
  }

  /// The compound of the parts. SQLite nests operators without parentheses to the left, at most
  /// 1000 levels deep; halving keeps many conditions shallow.
  private static func nested(_ parts: ArraySlice<SQLFragment>, separator: String) -> SQLFragment {
    guard parts.count > 64 else { return "(\(parts.joined(separator: separator)))" }
    let middle = parts.startIndex + parts.count / 2
    let left = nested(parts[..<middle], separator: separator)
    let right = nested(parts[middle...], separator: separator)
    return "(\(left)\(raw: separator)\(right))"
  }

  // MARK: - False and unknown

  /// False, but unknown if one of `operands` is nil.
  func never(_ operands: [SQLFragment]) -> SQLFragment {
    guard tellsUnknown, !operands.isEmpty else { return .no }
    return "((\(Self.isMissing(operands))) AND NULL)"
  }

  /// True, but unknown if one of `operands` is nil.
  func always(_ operands: [SQLFragment]) -> SQLFragment {
    if comparesAsInMemory || operands.isEmpty { return .yes }
    return "(NOT (\(Self.isMissing(operands))) OR NULL)"
  }

  /// The condition, but unknown if one of `operands` is nil.
  func unknown(where operands: [SQLFragment], else condition: SQLFragment) -> SQLFragment {
    guard tellsUnknown, !operands.isEmpty else { return condition }
    return "CASE WHEN NOT (\(Self.isMissing(operands))) THEN (\(condition)) END"
  }

  private static func isMissing(_ operands: [SQLFragment]) -> SQLFragment {
    operands.map { "\($0) IS NULL" }.joined(separator: " OR ")
  }
}

extension NSPredicate {
  /// Whether the predicate compares plain values only.
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
