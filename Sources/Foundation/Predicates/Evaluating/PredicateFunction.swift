import Foundation
import KeyValueCoding

/// A built-in function of expressions (Apple's `expressionForFunction:arguments:`).
struct PredicateFunction: Sendable {
  typealias Body = @Sendable ([TypedValue], _ name: String) throws -> TypedValue

  /// The name with its colons.
  let name: String
  let body: Body

  init(_ name: String, body: @escaping Body) {
    self.name = name
    self.body = body
  }

  func call(_ arguments: [TypedValue]) throws -> TypedValue { try body(arguments, name) }

  /// The function with a name in any case, with or without colons: `sum:`, `SUM`, `add`. Of
  /// several, prefers the one with `argumentCount` arguments.
  static func named(_ name: String, argumentCount: Int) -> PredicateFunction? {
    let key = name.lowercased()
    if let found = byName[key] { return found }
    guard !key.contains(":") else { return nil }
    let candidates = byFirstWord[key] ?? []
    return candidates.first { $0.name.count { $0 == ":" } == argumentCount } ?? candidates.first
  }

  /// The expression for a call. Two functions have expression kinds of their own.
  func content(_ arguments: [NSExpression]) -> ExpressionContent {
    switch (name, arguments.count) {
    case ("objectFrom:withIndex:", 2): return .element(of: arguments[0], at: arguments[1])
    case ("castObject:toType:", 2):
      guard case .constant(let value) = arguments[1].content, let type = value as? String else {
        return .function(name, arguments)
      }
      return .cast(arguments[0], type: type)
    default: return .function(name, arguments)
    }
  }

  /// Returns whether SQL gives NULL where memory has an error: an operation with nil, a division by
  /// zero.
  func isNullInSQL(_ arguments: [TypedValue]) -> Bool {
    if Self.isAggregate(name) { return false }
    if arguments.contains(where: \.isNull) { return true }
    guard name == "divide:by:" || name == "modulus:by:", arguments.count == 2 else { return false }
    return arguments[1] == .integer(0)
  }

  static func isAggregate(_ name: String) -> Bool { aggregateNames.contains(name) }

  private static let aggregateNames = Set(aggregates.map(\.name))

  private static let all: [PredicateFunction] =
    aggregates + arithmetic + rounding + bitwise + strings + others

  private static let byName = Dictionary(
    all.map { ($0.name.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })

  private static let byFirstWord = Dictionary(grouping: all) {
    $0.name.lowercased().split(separator: ":").first.map(String.init) ?? ""
  }
}

extension PredicateFunction {
  /// The value as a number. Throws ``PredicateEvaluationError``, where Apple's raises an exception,
  /// if it is not one.
  static func number(_ value: TypedValue, name: String) throws -> Number {
    if let number = value.number { return number }
    throw PredicateEvaluationError("\(name) needs numbers, not \(value.kindName).")
  }

  static func integer(_ value: TypedValue, name: String) throws -> Int64 {
    if let integer = try number(value, name: name).integerValue { return integer }
    throw PredicateEvaluationError("\(name) needs a number that fits 64 bits.")
  }

  static func text(_ value: TypedValue, name: String) throws -> String {
    if case .string(let text) = value { return text }
    throw PredicateEvaluationError("\(name) needs a string, not \(value.kindName).")
  }

  static func expect(_ count: Int, arguments: [TypedValue], name: String) throws {
    guard arguments.count == count else {
      throw PredicateEvaluationError(
        "\(name) takes \(count) arguments, and \(arguments.count) were given.")
    }
  }

  /// Makes a function of two numbers.
  static func binary(
    _ name: String, body: @escaping @Sendable (Number, Number) throws -> Number
  ) -> PredicateFunction {
    PredicateFunction(name) { arguments, name in
      try expect(2, arguments: arguments, name: name)
      return try body(number(arguments[0], name: name), number(arguments[1], name: name)).typedValue
    }
  }

  /// Makes a function of one number, computed as a double.
  static func real(
    _ name: String, body: @escaping @Sendable (Double) -> Double
  ) -> PredicateFunction {
    PredicateFunction(name) { arguments, name in
      try expect(1, arguments: arguments, name: name)
      return .double(body(try number(arguments[0], name: name).doubleValue))
    }
  }

  /// Makes a function of a string; nil for nil.
  static func string(
    _ name: String, body: @escaping @Sendable (String) -> TypedValue
  ) -> PredicateFunction {
    PredicateFunction(name) { arguments, name in
      try expect(1, arguments: arguments, name: name)
      return arguments[0].isNull ? .null : body(try text(arguments[0], name: name))
    }
  }

  /// Makes a function of two integers.
  static func bits(
    _ name: String, body: @escaping @Sendable (Int64, Int64) -> Int64
  ) -> PredicateFunction {
    PredicateFunction(name) { arguments, name in
      try expect(2, arguments: arguments, name: name)
      return .integer(
        try body(integer(arguments[0], name: name), integer(arguments[1], name: name)))
    }
  }
}
