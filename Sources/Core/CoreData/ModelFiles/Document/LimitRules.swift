import Foundation

/// The validation predicates and error codes for the limits of an attribute, as Apple's compiler
/// makes them.
struct LimitRules {
  private static let tooLarge = 1610
  private static let tooSmall = 1620
  private static let tooLate = 1630
  private static let tooSoon = 1640
  private static let tooLong = 1660
  private static let tooShort = 1670
  private static let noMatch = 1680

  let limits: ModelLimits
  let type: ModelAttributeType

  var rules: [(predicate: NSPredicate, code: Int)] {
    var rules: [(predicate: NSPredicate, code: Int)] = []
    let (subject, low, high) = words
    if let minimum = limits.minimum {
      rules.append((NSPredicate(format: "\(subject) >= %@", minimum.value), low))
    }
    if let maximum = limits.maximum {
      rules.append((NSPredicate(format: "\(subject) <= %@", maximum.value), high))
    }
    if let pattern = limits.pattern {
      rules.append((NSPredicate(format: "SELF MATCHES %@", pattern), Self.noMatch))
    }
    return rules
  }

  /// The limited subject, and the error codes for values that are too low and too high.
  private var words: (subject: String, low: Int, high: Int) {
    switch type {
    case .string: ("length", Self.tooShort, Self.tooLong)
    case .date: ("SELF", Self.tooSoon, Self.tooLate)
    default: ("SELF", Self.tooSmall, Self.tooLarge)
    }
  }
}

// The reverse conversion.
extension LimitRules {
  /// The limits that predicates of this kind express; other predicates are ignored.
  static func limits(of predicates: [NSPredicate], type: ModelAttributeType) -> ModelLimits {
    var limits = ModelLimits()
    let limited: ModelAttributeType = type == .string ? .integer64 : type
    for case let rule as NSComparisonPredicate in predicates {
      guard let value = rule.rightExpression.modelConstant else { continue }
      switch rule.predicateOperatorType {
      case .greaterThanOrEqualTo: limits.minimum = ModelConstant(value: value, type: limited)
      case .lessThanOrEqualTo: limits.maximum = ModelConstant(value: value, type: limited)
      case .matches: limits.pattern = value as? String
      default: break
      }
    }
    return limits
  }
}

extension NSExpression {
  /// The value of a constant expression; nil for other expressions.
  fileprivate var modelConstant: Any? {
    if case .constant(let value) = content { value } else { nil }
  }
}
