import KeyValueCoding

/// The functions of expressions, for callers outside of an evaluation: SQL calls them.
package enum ExpressionFunction {
  /// The value of a built-in function, given by its name with colons. Throws the errors of its
  /// evaluation.
  package static func value(
    of name: String, _ arguments: [TypedValue], nilRule: NilRule
  ) throws -> TypedValue {
    guard let function = PredicateFunction.named(name, argumentCount: arguments.count) else {
      throw PredicateEvaluationError("There is no function \(name).")
    }
    return try function.value(arguments, nilRule: nilRule)
  }

  /// Returns whether a function combines several values, such as `sum:`.
  package static func isAggregate(_ name: String) -> Bool { PredicateFunction.isAggregate(name) }

  /// The value of `CAST(value, "Type")`. Throws ``PredicateEvaluationError`` if the value cannot be
  /// converted.
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
  /// The value of the function. Under a rule that computes as SQL, an operation with nil, a
  /// division by zero and a result that is not a number give nil, where memory has an error;
  /// decimals count as doubles, as SQL stores them.
  func value(_ arguments: [TypedValue], nilRule: NilRule) throws -> TypedValue {
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
  /// The number as a 64-bit integer; the nearest one if it does not fit, as SQL converts doubles.
  fileprivate var clamped: TypedValue {
    guard case .double(let value) = self, Int64(exactly: value.rounded(.towardZero)) == nil else {
      return self
    }
    return value.isNaN ? .null : .integer(value < 0 ? .min : .max)
  }

  /// The value as SQL stores it: decimals become doubles, or integers where no double is exact.
  var inSQL: TypedValue {
    guard case .decimal(let value) = self else { return self }
    let number = Number.decimal(value)
    if abs(number.doubleValue) < 0x1p53 { return .double(number.doubleValue) }
    return number.exactInteger.map { .integer($0) } ?? .double(number.doubleValue)
  }
}
