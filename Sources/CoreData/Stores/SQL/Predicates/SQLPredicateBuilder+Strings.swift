import Predicates

extension SQLPredicateBuilder {
  /// The condition of BEGINSWITH, ENDSWITH, CONTAINS, LIKE or MATCHES. Nothing is found in nil, and
  /// nil in nothing.
  func match(
    _ text: SQLOperand, _ pattern: SQLOperand, _ type: Operator, _ comparison: NSComparisonPredicate
  ) throws -> SQLFragment {
    if text.isNilConstant || pattern.isNilConstant { return .no }
    let sql = try string(text, comparison)
    guard case .constant(let value) = pattern, case .string(let constant) = TypedValue(value) else {
      return try call(sql, try string(pattern, comparison), type, comparison.options)
    }
    if constant.isEmpty, [.beginsWith, .contains, .endsWith].contains(type) { return never([sql]) }
    if comparison.options.foldsNothing, let plain = try plainMatch(sql, constant, type) {
      return plain
    }
    return try call(sql, constant, type, comparison.options)
  }

  /// The condition in plain SQL, which can use an index; nil if it needs a function.
  private func plainMatch(
    _ text: SQLFragment, _ pattern: String, _ type: Operator
  ) throws -> SQLFragment? {
    switch type {
    case .beginsWith: return "(\(try range(text, pattern)))"
    case .contains: return context.dialect.contains(text, try self.text(pattern))
    case .like: return try like(text, pattern)
    // A text cannot end inside of a character, so comparing the last characters compares the last
    // bytes.
    case .endsWith where !context.dialect.hasOwnFunctions:
      let count = pattern.unicodeScalars.count
      return "right(\(text), \(raw: String(count))) = \(try self.text(pattern))"
    case .matches:
      let prefix = ConstantPrefix(ofExpression: pattern).text
      return prefix.isEmpty ? nil : try within(text, prefix, pattern, type)
    default: return nil
    }
  }

  /// The condition of LIKE: the text before the first wildcard becomes a range, which is enough if
  /// only `*` follows.
  private func like(_ text: SQLFragment, _ pattern: String) throws -> SQLFragment? {
    let prefix = ConstantPrefix(ofLike: pattern)
    if prefix.isWhole { return "\(text) = \(try self.text(prefix.text))" }
    if prefix.text.isEmpty { return nil }
    if prefix.isFollowedByAnything { return "(\(try range(text, prefix.text)))" }
    return try within(text, prefix.text, pattern, .like)
  }

  private func within(
    _ text: SQLFragment, _ prefix: String, _ pattern: String, _ type: Operator
  ) throws -> SQLFragment {
    "(\(try range(text, prefix)) AND \(try orWidest { try call(text, pattern, type, []) }))"
  }

  /// The condition that a text begins with a prefix, which is not empty.
  private func range(_ text: SQLFragment, _ prefix: String) throws -> SQLFragment {
    // Checks first whether the engine can represent the text.
    _ = try self.text(prefix)
    return context.dialect.beginsWith(text, prefix)
  }

  private func text(_ constant: String) throws -> SQLFragment {
    try context.dialect.constant(.text(constant), .text)
  }

  private func call(
    _ text: SQLFragment, _ pattern: String, _ type: Operator,
    _ options: NSComparisonPredicate.Options
  ) throws -> SQLFragment {
    guard context.dialect.hasOwnFunctions else {
      return try matchPlainly(text, pattern, type, options)
    }
    return try call(text, SQLFragment(.text(pattern)), type, options)
  }

  func call(
    _ text: SQLFragment, _ pattern: SQLFragment, _ type: Operator,
    _ options: NSComparisonPredicate.Options
  ) throws -> SQLFragment {
    guard context.dialect.hasOwnFunctions else {
      return try matchPlainly(text, pattern, type, options)
    }
    return
      "\(raw: SQLFunction.match)(\(text), \(pattern), \(raw: String(type.rawValue)), \(raw: String(options.rawValue)))"
  }

  /// The SQL of an operand that must be a string.
  private func string(
    _ operand: SQLOperand, _ comparison: NSComparisonPredicate
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
