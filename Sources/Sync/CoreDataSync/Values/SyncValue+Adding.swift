import Foundation

extension SyncValue {
  /// The sum of two amounts of one kind, at most the largest there is. What is no number counts as
  /// nothing.
  static func + (one: SyncValue, other: SyncValue) -> SyncValue {
    switch (one, other) {
    case (.null, _): other
    case (_, .null): one
    case (.integer(let one), .integer(let other)): .integer(one.addingClamped(other))
    case (.double(let one), .double(let other)): .double(one + other)
    case (.decimal, _), (_, .decimal): .decimal("\(one.exact + other.exact)")
    case (.double, _), (_, .double): .double(one.inexact + other.inexact)
    default: one
    }
  }

  static prefix func - (value: SyncValue) -> SyncValue {
    switch value {
    case .integer(let number): .integer(number == .min ? .max : -number)
    case .double(let number): .double(-number)
    case .decimal: .decimal("\(-value.exact)")
    default: .null
    }
  }

  var isZero: Bool {
    switch self {
    case .null: true
    case .integer(let number): number == 0
    case .double(let number): number == 0
    case .decimal: exact == 0
    default: false
    }
  }

  private var exact: Decimal {
    switch self {
    case .integer(let number): Decimal(number)
    case .double(let number): Decimal(number)
    case .decimal(let digits): Decimal(string: digits) ?? 0
    default: 0
    }
  }

  private var inexact: Double {
    switch self {
    case .integer(let number): Double(number)
    case .double(let number): number
    default: 0
    }
  }
}

extension Int64 {
  fileprivate func addingClamped(_ other: Int64) -> Int64 {
    let (sum, isOverflow) = addingReportingOverflow(other)
    return isOverflow ? (other > 0 ? .max : .min) : sum
  }
}
