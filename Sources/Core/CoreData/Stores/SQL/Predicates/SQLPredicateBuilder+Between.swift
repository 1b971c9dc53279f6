extension SQLPredicateBuilder {
  /// The condition of BETWEEN; unknown if a bound is nil.
  func isBetween(
    _ value: SQLOperand, bounds: SQLOperand, comparison: NSComparisonPredicate
  ) throws -> SQLFragment {
    guard let bounds = bounds.elements, bounds.count == 2 else {
      throw SQLGeneration.unsupported("BETWEEN without two bounds", in: comparison)
    }
    if value.isNilConstant { return .no }
    let kinds = ([value] + bounds).compactMap(\.kind)
    // SQL would round a large integer to compare it with a double.
    if kinds.contains(.number), kinds.contains(.decimal) { try requireOwnFunctions() }
    let operands = [value] + bounds
    guard let kind = operands.lazy.compactMap(\.kind).first, kind.isOrdered else {
      return try constant(
        value, right: .constant(bounds.map(\.constantValue)), type: .between, comparison: comparison
      )
    }
    if operands.contains(where: \.isNilConstant) {
      return comparesAsInMemory ? .no : "NULL"
    }
    let sides = try operands.map { try side($0, kind: kind, comparison: comparison) }
    let lower = try compareByOrder(
      .expression(sides[0], kind), right: .expression(sides[1], kind), type: .greaterThanOrEqualTo,
      comparison: comparison)
    let upper = try compareByOrder(
      .expression(sides[0], kind), right: .expression(sides[2], kind), type: .lessThanOrEqualTo,
      comparison: comparison)
    let isPlain = kind != .text || comparison.options.foldsNothing
    let condition: SQLFragment =
      isPlain
      ? "(\(sides[0]) BETWEEN \(sides[1]) AND \(sides[2]))" : "(\(lower) AND \(upper))"
    let nullable = bounds.compactMap(\.expression)
    return nullable.isEmpty
      ? condition : unknown(where: nullable + [sides[0]], else: condition)
  }

  private func side(
    _ operand: SQLOperand, kind: SQLOperand.Kind, comparison: NSComparisonPredicate
  ) throws -> SQLFragment {
    switch operand {
    case .expression(let sql, let other) where other.isComparable(with: kind): return sql
    case .constant(let value):
      let constant = SQLConstant(
        value, comparedWith: kind, isOfMixedList: comparison.rightExpression.isMixedList,
        context: context)
      if case .value(let value) = constant {
        return try context.dialect.constant(value, kind)
      }
    default: break
    }
    throw SQLGeneration.unsupported("a bound of another kind", in: comparison)
  }
}

extension SQLOperand {
  /// The kind of an expression; nil for other operands.
  var kind: Kind? {
    if case .expression(_, let kind) = self { kind } else { nil }
  }

  var expression: SQLFragment? {
    if case .expression(let sql, _) = self { sql } else { nil }
  }

  fileprivate var constantValue: Any? {
    if case .constant(let value) = self { value } else { nil }
  }
}
