import KeyValueCoding

/// The functions of expressions for whoever computes them elsewhere: SQL calls them back.
package enum ExpressionFunction {
  /// The value of a built-in function, by its name with colons. Throws what evaluating it throws.
  package static func value(
    of name: String, _ arguments: [TypedValue], nilRule: NilRule
  ) throws -> TypedValue {
    guard let function = PredicateFunction.named(name, argumentCount: arguments.count) else {
      throw PredicateEvaluationError("There is no function \(name).")
    }
    return try function.value(arguments, nilRule)
  }

  /// Whether a function combines several values: `sum:`.
  package static func isAggregate(_ name: String) -> Bool { PredicateFunction.isAggregate(name) }

  /// `CAST(value, "Type")`
  package static func cast(
    _ value: TypedValue, to type: String, nilRule: NilRule
  ) throws -> TypedValue {
    guard nilRule.computesAsSQL else { return try PredicateCast.cast(value, to: type) }
    let value = value.inSQL
    if type == "NSDecimalNumber", value.number != nil { return value }
    return try PredicateCast.cast(value, to: type).inSQL
  }
}

extension PredicateFunction {
  /// Where memory has an error, SQL has no value: an operation with nil, a division by zero; and what
  /// is not a number is nil there. Decimals count as the doubles that SQL keeps them as.
  func value(_ arguments: [TypedValue], _ nilRule: NilRule) throws -> TypedValue {
    guard nilRule.computesAsSQL else { return try call(arguments) }
    var arguments = arguments.map(\.inSQL)
    if Self.bitwise.contains(where: { $0.name == name }) { arguments = arguments.map(\.clamped) }
    if isNullInSQL(arguments) { return .null }
    let value = try call(arguments)
    if case .double(let number) = value, number.isNaN { return .null }
    return value
  }
}

extension TypedValue {
  /// A number that does not fit 64 bits is the nearest that does, as SQL makes integers of doubles.
  fileprivate var clamped: TypedValue {
    guard case .double(let value) = self, Int64(exactly: value.rounded(.towardZero)) == nil else {
      return self
    }
    return value.isNaN ? .null : .integer(value < 0 ? .min : .max)
  }

  /// The value as SQL knows it: decimals are doubles there, but for whole numbers that no double holds.
  var inSQL: TypedValue {
    guard case .decimal(let value) = self else { return self }
    let number = Number.decimal(value)
    if abs(number.doubleValue) < 0x1p53 { return .double(number.doubleValue) }
    return number.exactInteger.map { .integer($0) } ?? .double(number.doubleValue)
  }
}
