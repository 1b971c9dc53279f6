extension SQLPredicateBuilder {
  /// Operators that compute the same in SQL and in memory.
  private static let operators = [
    "add:to:": "+", "from:subtract:": "-", "multiply:by:": "*", "divide:by:": "/",
    "bitwiseAnd:with:": "&", "bitwiseOr:with:": "|", "leftshift:by:": "<<", "rightshift:by:": ">>",
  ]

  func function(
    _ name: String, arguments: [NSExpression], scope: SQLScope
  ) throws -> SQLOperand {
    if let aggregate = try aggregate(name, arguments: arguments, scope: scope) { return aggregate }
    if let aggregate = try rowAggregate(name, arguments: arguments, scope: scope) {
      return aggregate
    }
    var operands = try arguments.map { try operand($0, scope: scope) }
    if ExpressionFunction.isAggregate(name), operands.count == 1 {
      guard case .list(let list) = operands[0] else { throw SQLGeneration.singleValue(name) }
      operands = list
    }
    switch (name, operands.count) {
    case ("now", 0): return .constant(Date())
    case ("noindex:", 1): return try withoutIndex(operands[0])
    case ("onesComplement:", 1):
      try requireOwnFunctions()
      return .expression("~\(try sql(operands[0], as: .number, in: name))", .number)
    default: break
    }
    if let symbol = Self.operators[name], operands.count == 2 {
      // Engines differ in division, overflow, and integers beside doubles.
      try requireOwnFunctions()
      let sides = try operands.map { try sql($0, as: .number, in: name) }
      return .expression("(\(sides[0]) \(raw: symbol) \(sides[1]))", .number)
    }
    return try call(name, operands: operands)
  }

  /// The value with a plus sign, for which SQLite uses no index.
  private func withoutIndex(_ operand: SQLOperand) throws -> SQLOperand {
    guard case .expression(let sql, let kind) = operand else { return operand }
    return context.dialect.hasOwnFunctions ? .expression("+\(sql)", kind) : operand
  }

  private func call(_ name: String, operands: [SQLOperand]) throws -> SQLOperand {
    guard let result = SQLFunction.ofExpressions[name] else { throw SQLGeneration.function(name) }
    try requireOwnFunctions()
    let isOfText = result == .text || name == "length:"
    let common = isOfText ? .text : try commonKind(of: operands)
    guard let kind = common, isOfText || result == .likeArguments || kind.isNumber else {
      throw SQLGeneration.unsupported("the function \(name) of values of these types")
    }
    let values = try operands.map { try sql($0, as: kind, in: name) }
    let call: SQLFragment =
      "\(raw: SQLFunction.name(of: name))(\(values.joined(separator: ", ")))"
    switch result {
    case .number: return .expression(call, .number)
    case .text: return .expression(call, .text)
    case .likeArguments: return .expression(call, kind.isNumber ? .number : kind)
    }
  }

  // MARK: - FUNCTION

  /// A message to a value of the row. Messages to constants are evaluated earlier, with other
  /// constant expressions.
  func message(
    _ receiver: NSExpression, selector: String, arguments: [NSExpression], scope: SQLScope
  ) throws -> SQLOperand {
    let isOfTime = ["dateByAddingTimeInterval:", "timeIntervalSinceDate:"].contains(selector)
    guard isOfTime, arguments.count == 1,
      case .expression(let date, .date) = try operand(receiver, scope: scope)
    else { throw SQLGeneration.function("FUNCTION(…, \"\(selector)\")") }
    try requireOwnFunctions()
    let argument = try operand(arguments[0], scope: scope)
    if selector == "timeIntervalSinceDate:" {
      return .expression("(\(date) - \(try sql(argument, as: .date, in: selector)))", .number)
    }
    return .expression("(\(date) + \(try sql(argument, as: .number, in: selector)))", .date)
  }

  // MARK: - CAST

  func cast(_ operand: SQLOperand, to type: String) throws -> SQLOperand {
    try requireOwnFunctions()
    guard case .expression(let sql, let kind) = operand else {
      throw SQLGeneration.unsupported("CAST of a list")
    }
    switch (type, kind) {
    case ("NSDate", .date), ("Date", .date), ("NSString", .text), ("String", .text),
      ("NSUUID", .uuid), ("UUID", .uuid):
      return operand
    case ("NSDate", .number), ("NSDate", .decimal), ("Date", .number), ("Date", .decimal):
      return .expression(real(sql), .date)
    case ("NSNumber", .number), ("NSDecimalNumber", .decimal): return operand
    case ("NSNumber", .decimal): return .expression(real(sql), .number)
    case ("NSNumber", .date): return .expression(sql, .number)
    case ("NSDecimalNumber", .number): return .expression(sql, .decimal)
    default: return try callCast(sql, kind: kind, to: type)
    }
  }

  private static let castKinds: [String: SQLOperand.Kind] = [
    "NSDate": .date, "Date": .date, "NSString": .text, "String": .text, "NSNumber": .number,
    "NSDecimalNumber": .decimal, "NSUUID": .uuid, "UUID": .uuid,
  ]

  private func callCast(
    _ sql: SQLFragment, kind: SQLOperand.Kind, to type: String
  ) throws -> SQLOperand {
    guard let result = Self.castKinds[type], kind.code >= 0 else {
      throw SQLGeneration.unsupported("CAST to \(type)")
    }
    let value = try self.sql(.expression(sql, kind), as: kind, in: "CAST")
    let call: SQLFragment =
      "\(raw: SQLFunction.cast)(\(value), \(raw: String(kind.code)), \(raw: "'\(type)'"))"
    return .expression(call, result)
  }
}
