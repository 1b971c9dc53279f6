import Predicates

extension SQLPredicateBuilder {
  /// A predicate that is nested deeper is an error: SQL is built as deep as it is, and SQLite refuses
  /// operators nested a thousand deep.
  private static let deepest = 500
  /// Beyond this depth chains of one connective are looked for.
  private static let ordinaryDepth = 16

  /// The condition of a whole predicate.
  package func wholeCondition(_ predicate: NSPredicate, _ scope: SQLScope) throws -> SQLFragment {
    let isDeep = predicate.nestingDepth > Self.ordinaryDepth
    let predicate = isDeep ? predicate.withoutChains : predicate
    try Self.check(depth: predicate.nestingDepth)
    return try condition(predicate, scope)
  }

  /// The value of a whole expression.
  package func wholeOperand(_ expression: NSExpression, _ scope: SQLScope) throws -> SQLOperand {
    try Self.check(depth: expression.depth)
    return try operand(expression, scope)
  }

  private static func check(depth: Int) throws {
    if depth > deepest { throw SQLGeneration.tooDeep(limit: deepest) }
  }
}
