import Predicates

extension SQLPredicateBuilder {
  /// The condition of BEGINSWITH, ENDSWITH, CONTAINS, LIKE or MATCHES. Nothing is found in nil, and
  /// nil in nothing.
  func match(
    _ text: SQLOperand, pattern: SQLOperand, type: Operator, comparison: NSComparisonPredicate
  ) throws -> SQLFragment {
    if text.isNilConstant || pattern.isNilConstant { return .no }
    let sql = try string(text, comparison: comparison)
    guard case .constant(let value) = pattern, case .string(let constant) = TypedValue(value) else {
      return try call(
        sql, pattern: try string(pattern, comparison: comparison), type: type,
        options: comparison.options)
    }
    if constant.isEmpty, [.beginsWith, .contains, .endsWith].contains(type) { return never([sql]) }
    if comparison.options.foldsNothing,
      let plain = try plainMatch(sql, pattern: constant, type: type)
    {
      return plain
    }
    return try call(sql, pattern: constant, type: type, options: comparison.options)
  }

  /// The condition in plain SQL, which can use an index; nil if it needs a function.
  private func plainMatch(
    _ text: SQLFragment, pattern: String, type: Operator
  ) throws -> SQLFragment? {
    switch type {
    case .beginsWith: return "(\(try range(text, prefix: pattern)))"
    case .contains: return context.dialect.contains(text, try self.text(pattern))
    case .like: return try like(text, pattern: pattern)
    // A text cannot end inside of a character, so comparing the last characters compares the last
    // bytes.
    case .endsWith where !context.dialect.hasOwnFunctions:
      let count = pattern.unicodeScalars.count
      return "right(\(text), \(raw: String(count))) = \(try self.text(pattern))"
    case .matches:
      let prefix = ConstantPrefix(ofExpression: pattern).text
      return prefix.isEmpty ? nil : try within(text, prefix: prefix, pattern: pattern, type: type)
    default: return nil
    }
  }

  /// The condition of LIKE: the text before the first wildcard becomes a range, which is enough if
  /// only `*` follows.
  private func like(_ text: SQLFragment, pattern: String) throws -> SQLFragment? {
    let prefix = ConstantPrefix(ofLike: pattern)
    if prefix.isWhole { return "\(text) = \(try self.text(prefix.text))" }
    if prefix.text.isEmpty { return nil }
    if prefix.isFollowedByAnything { return "(\(try range(text, prefix: prefix.text)))" }
    return try within(text, prefix: prefix.text, pattern: pattern, type: .like)
  }

  private func within(
    _ text: SQLFragment, prefix: String, pattern: String, type: Operator
  ) throws -> SQLFragment {
    "(\(try range(text, prefix: prefix)) AND \(try orWidest { try call(text, pattern: pattern, type: type, options: []) }))"
  }

  /// The condition that a text begins with a prefix, which is not empty.
  private func range(_ text: SQLFragment, prefix: String) throws -> SQLFragment {
    // Checks first whether the engine can represent the text.
    _ = try self.text(prefix)
    return context.dialect.beginsWith(text, prefix)
  }

  private func text(_ constant: String) throws -> SQLFragment {
    try context.dialect.constant(.text(constant), .text)
  }

  private func call(
    _ text: SQLFragment, pattern: String, type: Operator,
    options: NSComparisonPredicate.Options
  ) throws -> SQLFragment {
    guard context.dialect.hasOwnFunctions else {
      return try matchPlainly(text, pattern: pattern, type: type, options: options)
    }
    return try call(text, pattern: SQLFragment(.text(pattern)), type: type, options: options)
  }

  func call(
    _ text: SQLFragment, pattern: SQLFragment, type: Operator,
    options: NSComparisonPredicate.Options
  ) throws -> SQLFragment {
    guard context.dialect.hasOwnFunctions else {
      return try matchPlainly(text, pattern: pattern, type: type, options: options)
    }
    return
      "\(raw: SQLFunction.match)(\(text), \(pattern), \(raw: String(type.rawValue)), \(raw: String(options.rawValue)))"
  }

  /// The SQL of an operand that must be a string.
  private func string(
    _ operand: SQLOperand, comparison: NSComparisonPredicate
  ) throws -> SQLFragment {
    switch operand {
    case .expression(let sql, .text), .expression(let sql, .uri): return sql
    case .constant(let value):
      if case .value(let value) = SQLConstant(value, as: .text, context: context) {
        return try context.dialect.constant(value, .text)
      }
    default: break
    }
    throw SQLGeneration.unsupported("an operator for strings with other values", in: comparison)
  }
}
