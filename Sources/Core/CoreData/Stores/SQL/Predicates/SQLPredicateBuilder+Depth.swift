import Predicates

extension SQLPredicateBuilder {
  /// The maximum nesting of a predicate, whose SQL is nested as deep; SQLite refuses operators
  /// nested 1000 deep. A deeper predicate is an error.
  private static let deepest = 500
  /// The nesting beyond which chains of one connective are flattened first.
  private static let ordinaryDepth = 16

  /// The condition of a whole predicate. Throws if it is nested too deep.
  package func wholeCondition(_ predicate: NSPredicate, scope: SQLScope) throws -> SQLFragment {
    let isDeep = predicate.nestingDepth > Self.ordinaryDepth
    let predicate = isDeep ? predicate.withoutChains : predicate
    try Self.check(depth: predicate.nestingDepth)
    return try condition(predicate, scope: scope)
  }

  /// The value of a whole expression. Throws if it is nested too deep.
  package func wholeOperand(_ expression: NSExpression, scope: SQLScope) throws -> SQLOperand {
    try Self.check(depth: expression.depth)
    return try operand(expression, scope: scope)
  }

  private static func check(depth: Int) throws {
    if depth > deepest { throw SQLGeneration.tooDeep(limit: deepest) }
  }
}
