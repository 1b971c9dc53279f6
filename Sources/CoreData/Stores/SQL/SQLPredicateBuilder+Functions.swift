extension SQLPredicateBuilder {
  /// Arithmetic that means the same in SQL as in memory.
  private static let operators = [
    "add:to:": "+", "from:subtract:": "-", "multiply:by:": "*",
  ]

  func function(
    _ name: String, _ arguments: [NSExpression], _ scope: SQLScope
  ) throws -> SQLOperand {
    if name == "now", arguments.isEmpty { return .constant(Date()) }
    guard let symbol = Self.operators[name], arguments.count == 2 else {
      throw SQLGeneration.unsupported("the function \(name)")
    }
    let left = try number(operand(arguments[0], scope), of: name)
    let right = try number(operand(arguments[1], scope), of: name)
    return .expression("(\(left) \(raw: symbol) \(right))", .number)
  }

  private func number(_ operand: SQLOperand, of function: String) throws -> SQLFragment {
    switch operand {
    case .expression(let sql, .number): return sql
    case .constant(let value):
      if case .value(let value) = SQLConstant(value, as: .number, context: context) {
        return SQLFragment(value)
      }
    default: break
    }
    throw SQLGeneration.unsupported("the function \(function) of what is no number")
  }
}
