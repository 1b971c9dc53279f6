extension SQLPredicateBuilder {
  /// BEGINSWITH, ENDSWITH, CONTAINS, LIKE, MATCHES on strings.
  func match(
    _ text: SQLOperand, _ pattern: SQLOperand, _ type: Operator, _ comparison: NSComparisonPredicate
  ) throws -> SQLFragment {
    let text = try string(text, comparison)
    let constant = constantPattern(pattern)
    if comparison.options.foldsNothing, let constant,
      let plain = plainMatch(text, constant, type)
    {
      return plain
    }
    return call(text, try string(pattern, comparison), type, comparison.options)
  }

  /// What SQL does by itself, with an index where there is one. An empty pattern is found nowhere.
  private func plainMatch(
    _ text: SQLFragment, _ pattern: String, _ type: Operator
  ) -> SQLFragment? {
    switch type {
    case .beginsWith, .contains, .endsWith:
      if pattern.isEmpty { return Self.never(text) }
    default: return nil
    }
    switch type {
    case .beginsWith:
      var end = Array(pattern.utf8)
      // No byte of UTF-8 is 0xFF, so the next one is a byte.
      end[end.count - 1] += 1
      return "(\(text) >= \(SQLFragment(.text(pattern))) AND \(text) < \(SQLFragment(.bytes(end))))"
    case .contains:
      let dialect = context.dialect.contains
      return dialect(text, SQLFragment(.text(pattern)))
    default: return nil
    }
  }

  func call(
    _ text: SQLFragment, _ pattern: SQLFragment, _ type: Operator,
    _ options: NSComparisonPredicate.Options
  ) -> SQLFragment {
    "\(raw: context.dialect.matchFunction)(\(text), \(pattern), \(raw: String(type.rawValue)), \(raw: String(options.rawValue)))"
  }

  private func constantPattern(_ operand: SQLOperand) -> String? {
    guard case .constant(let value) = operand, case .string(let text) = TypedValue(value) else {
      return nil
    }
    return text
  }

  /// A side that has to be a string; nil matches nothing.
  private func string(
    _ operand: SQLOperand, _ comparison: NSComparisonPredicate
  ) throws -> SQLFragment {
    switch operand {
    case .expression(let sql, .text), .expression(let sql, .uri): return sql
    case .constant(let value):
      switch SQLConstant(value, as: .text, context: context) {
      case .value(let value): return SQLFragment(value)
      case .null: return "NULL"
      case .unequal: break
      }
    default: break
    }
    throw SQLGeneration.unsupported("an operator for strings with other values", in: comparison)
  }
}
