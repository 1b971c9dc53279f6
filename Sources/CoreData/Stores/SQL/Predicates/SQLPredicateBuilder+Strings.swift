import Predicates

extension SQLPredicateBuilder {
  /// BEGINSWITH, ENDSWITH, CONTAINS, LIKE, MATCHES on strings. Nothing is found in nil, nor nil in
  /// anything.
  func match(
    _ text: SQLOperand, _ pattern: SQLOperand, _ type: Operator, _ comparison: NSComparisonPredicate
  ) throws -> SQLFragment {
    if text.isNilConstant || pattern.isNilConstant { return "0" }
    let sql = try string(text, comparison)
    guard case .constant(let value) = pattern, case .string(let constant) = TypedValue(value) else {
      return call(sql, try string(pattern, comparison), type, comparison.options)
    }
    if constant.isEmpty, [.beginsWith, .contains, .endsWith].contains(type) { return never([sql]) }
    if comparison.options.foldsNothing, let plain = plainMatch(sql, constant, type) { return plain }
    return call(sql, SQLFragment(.text(constant)), type, comparison.options)
  }

  /// What SQL does by itself, with an index where there is one.
  private func plainMatch(
    _ text: SQLFragment, _ pattern: String, _ type: Operator
  ) -> SQLFragment? {
    switch type {
    case .beginsWith: return "(\(range(text, pattern)))"
    case .contains: return context.dialect.contains(text, SQLFragment(.text(pattern)))
    case .like: return like(text, pattern)
    case .matches:
      let prefix = ConstantPrefix(ofExpression: pattern).text
      return prefix.isEmpty ? nil : within(text, prefix, pattern, type)
    default: return nil
    }
  }

  /// What comes before the first wildcard is a range; a lone `*` after it adds nothing.
  private func like(_ text: SQLFragment, _ pattern: String) -> SQLFragment? {
    let prefix = ConstantPrefix(ofLike: pattern)
    if prefix.isWhole { return "\(text) = \(SQLFragment(.text(prefix.text)))" }
    if prefix.text.isEmpty { return nil }
    if prefix.isFollowedByAnything { return "(\(range(text, prefix.text)))" }
    return within(text, prefix.text, pattern, .like)
  }

  private func within(
    _ text: SQLFragment, _ prefix: String, _ pattern: String, _ type: Operator
  ) -> SQLFragment {
    "(\(range(text, prefix)) AND \(call(text, SQLFragment(.text(pattern)), type, [])))"
  }

  /// All strings that begin with a prefix, which is not empty.
  private func range(_ text: SQLFragment, _ prefix: String) -> SQLFragment {
    var end = Array(prefix.utf8)
    // No byte of UTF-8 is 0xFF, so the next one is a byte.
    end[end.count - 1] += 1
    return "\(text) >= \(SQLFragment(.text(prefix))) AND \(text) < \(SQLFragment(.bytes(end)))"
  }

  func call(
    _ text: SQLFragment, _ pattern: SQLFragment, _ type: Operator,
    _ options: NSComparisonPredicate.Options
  ) -> SQLFragment {
    "\(raw: SQLFunction.match)(\(text), \(pattern), \(raw: String(type.rawValue)), \(raw: String(options.rawValue)))"
  }

  /// A side that has to be a string.
  private func string(
    _ operand: SQLOperand, _ comparison: NSComparisonPredicate
  ) throws -> SQLFragment {
    switch operand {
    case .expression(let sql, .text), .expression(let sql, .uri): return sql
    case .constant(let value):
      if case .value(let value) = SQLConstant(value, as: .text, context: context) {
        return SQLFragment(value)
      }
    default: break
    }
    throw SQLGeneration.unsupported("an operator for strings with other values", in: comparison)
  }
}
