import Foundation
import KeyValueCoding

extension PredicateFunction {
  static let arithmetic: [PredicateFunction] = [
    binary("add:to:") { $0 + $1 },
    binary("from:subtract:") { $0 - $1 },
    binary("multiply:by:") { $0 * $1 },
    binary("divide:by:", body: divide),
    binary("modulus:by:", body: modulus),
    binary("raise:toPower:", body: power),
    real("sqrt:") { $0.squareRoot() },
    real("log:") { log10($0) },
    real("ln:") { log($0) },
    real("exp:") { exp($0) },
  ]

  static let rounding: [PredicateFunction] = [
    real("floor:") { $0.rounded(.down) },
    real("ceiling:") { $0.rounded(.up) },
    real("trunc:") { $0.rounded(.towardZero) },
    PredicateFunction("abs:") { arguments, name in
      try expect(1, arguments: arguments, name: name)
      let value = try number(arguments[0], name: name)
      let isNegative = value.order(to: .integer(0)) == .orderedAscending
      return (isNegative ? .integer(0) - value : value).typedValue
    },
  ]

  /// Operands are truncated to 64-bit integers.
  static let bitwise: [PredicateFunction] = [
    bits("bitwiseAnd:with:") { $0 & $1 },
    bits("bitwiseOr:with:") { $0 | $1 },
    bits("bitwiseXor:with:") { $0 ^ $1 },
    bits("leftshift:by:") { $0 << $1 },
    bits("rightshift:by:") { $0 >> $1 },
    PredicateFunction("onesComplement:") { arguments, name in
      try expect(1, arguments: arguments, name: name)
      return .integer(~(try integer(arguments[0], name: name)))
    },
  ]

  @Sendable private static func divide(_ left: Number, _ right: Number) throws -> Number {
    guard let quotient = left / right else { throw PredicateEvaluationError("Division by zero.") }
    return quotient
  }

  @Sendable private static func modulus(_ left: Number, _ right: Number) throws -> Number {
    guard case .integer(let left) = left, case .integer(let right) = right else {
      return .double(fmod(left.doubleValue, right.doubleValue))
    }
    if right == 0 { throw PredicateEvaluationError("Division by zero.") }
    return .integer(left.remainderReportingOverflow(dividingBy: right).partialValue)
  }

  /// The power: an integer while the result is exact, otherwise a double.
  @Sendable private static func power(_ base: Number, exponent: Number) -> Number {
    let result = pow(base.doubleValue, exponent.doubleValue)
    guard case .integer = base, case .integer(let power) = exponent, power >= 0,
      abs(result) < 0x1p53
    else { return .double(result) }
    return .integer(Int64(result))
  }
}
