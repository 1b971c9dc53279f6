import Foundation

/// A number of one of the three kinds with which key-value coding and predicates compute.
package enum Number: Equatable {
  case integer(Int64)
  case double(Double)
  case decimal(Decimal)

  package static func == (left: Number, right: Number) -> Bool {
    left.order(to: right) == .orderedSame
  }

  package var doubleValue: Double {
    switch self {
    case .integer(let value): Double(value)
    case .double(let value): value
    case .decimal(let value): value.nearestDouble
    }
  }

  private var decimalValue: Decimal {
    switch self {
    case .integer(let value): Decimal(value)
    case .double(let value): Decimal(value)
    case .decimal(let value): value
    }
  }

  /// The number as an integer; nil if it has a fraction or does not fit 64 bits.
  package var exactInteger: Int64? {
    switch self {
    case .integer(let value): value
    case .double(let value): Int64(exactly: value)
    case .decimal(let value): value.isNaN ? nil : Int64(value.description)
    }
  }

  /// The number without its fraction; nil if it does not fit 64 bits.
  package var integerValue: Int64? {
    switch self {
    case .integer(let value): value
    case .double, .decimal: Int64(exactly: doubleValue.rounded(.towardZero))
    }
  }

  package var typedValue: TypedValue {
    switch self {
    case .integer(let value): .integer(value)
    case .double(let value): .double(value)
    case .decimal(let value): .decimal(value)
    }
  }

  /// The order across kinds; nil if one is NaN. Integers lose no digits. Next to a double, a
  /// decimal with a fraction counts as the nearest double, as in every store: 0.3 equals 0.3 in
  /// both kinds.
  package func order(to other: Number) -> ComparisonResult? {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): Self.order(left, right)
    case (.double(let left), .double(let right)): Self.order(left, right)
    case (.integer(let left), .double(let right)): Self.order(integer: left, double: right)
    case (.double(let left), .integer(let right)):
      Self.order(integer: right, double: left).flatMap { ComparisonResult(rawValue: -$0.rawValue) }
    case (.double, .decimal(let value)):
      Number.decimal(value).exactInteger.map { order(to: .integer($0)) }
        ?? Self.order(doubleValue, other.doubleValue)
    case (.decimal(let value), .double):
      Number.decimal(value).exactInteger.map { Number.integer($0).order(to: other) }
        ?? Self.order(doubleValue, other.doubleValue)
    default: Self.order(decimalValue, other.decimalValue)
    }
  }

  private static func order<Value: Comparable>(_ left: Value, _ right: Value) -> ComparisonResult? {
    if left < right { return .orderedAscending }
    if left > right { return .orderedDescending }
    return left == right ? .orderedSame : nil
  }

  /// Compares exactly: a 64-bit integer may not fit a double.
  private static func order(integer left: Int64, double right: Double) -> ComparisonResult? {
    if right.isNaN { return nil }
    guard right < 0x1p63 else { return .orderedAscending }
    guard right >= -0x1p63 else { return .orderedDescending }
    let whole = Int64(right.rounded(.towardZero))
    if left != whole { return order(left, whole) }
    return order(0.0, right - Double(whole))
  }
}

extension Number {
  /// The sum of integers, independent of the order of addition; a double if it does not fit 64
  /// bits. Nil if one of the numbers is not an integer.
  package static func wholeSum(of numbers: [Number]) -> Number? {
    var sum: Int64 = 0
    // Net number of overflows of the 64 bits, upward minus downward.
    var rounds = 0
    for number in numbers {
      guard case .integer(let value) = number else { return nil }
      let next = sum.addingReportingOverflow(value)
      if next.overflow { rounds += value > 0 ? 1 : -1 }
      sum = next.partialValue
    }
    return rounds == 0 ? .integer(sum) : .double(Double(rounds) * 0x1p64 + Double(sum))
  }

  /// Adds, multiplies and so on. Two integers combine as integers, or as doubles on overflow. If
  /// either number is a double, both combine as doubles; otherwise as decimals.
  package static func combine(
    _ left: Number, _ right: Number,
    integers: (Int64, Int64) -> (partialValue: Int64, overflow: Bool),
    decimals: (Decimal, Decimal) -> Decimal, doubles: (Double, Double) -> Double
  ) -> Number {
    switch (left, right) {
    case (.integer(let left), .integer(let right)):
      let result = integers(left, right)
      guard result.overflow else { return .integer(result.partialValue) }
      return .double(doubles(Double(left), Double(right)))
    case (.decimal, .double), (.double, .decimal), (.double, _), (_, .double):
      return .double(doubles(left.doubleValue, right.doubleValue))
    default: return .decimal(decimals(left.decimalValue, right.decimalValue))
    }
  }

  package static func + (left: Number, right: Number) -> Number {
    combine(
      left, right, integers: { $0.addingReportingOverflow($1) }, decimals: { $0 + $1 },
      doubles: { $0 + $1 })
  }

  package static func - (left: Number, right: Number) -> Number {
    combine(
      left, right, integers: { $0.subtractingReportingOverflow($1) }, decimals: { $0 - $1 },
      doubles: { $0 - $1 })
  }

  package static func * (left: Number, right: Number) -> Number {
    combine(
      left, right, integers: { $0.multipliedReportingOverflow(by: $1) }, decimals: { $0 * $1 },
      doubles: { $0 * $1 })
  }

  /// The quotient. Integers divide to an integer, as in C. Nil for an integer or decimal divided by
  /// zero.
  package static func / (left: Number, right: Number) -> Number? {
    switch right {
    case .integer(0) where left.isExact: nil
    case .decimal(let value) where value.isZero && left.isExact: nil
    default:
      combine(
        left, right, integers: { $0.dividedReportingOverflow(by: $1) }, decimals: { $0 / $1 },
        doubles: { $0 / $1 })
    }
  }

  private var isExact: Bool {
    if case .double = self { false } else { true }
  }
}

extension Double {
  /// Whether the number can be made a decimal: decimals have exponents up to 127, and Foundation
  /// traps for greater ones.
  package var isDecimal: Bool { magnitude < 1e127 }
}
