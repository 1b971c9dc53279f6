import Foundation

/// The validation predicates that the limits of an attribute become, with their error codes, as Apple's
/// compiler makes them.
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

  /// What is limited, and the codes of what lies outside.
  private var words: (subject: String, low: Int, high: Int) {
    switch type {
    case .string: ("length", Self.tooShort, Self.tooLong)
    case .date: ("SELF", Self.tooSoon, Self.tooLate)
    default: ("SELF", Self.tooSmall, Self.tooLarge)
    }
  }
}

// The way back.
extension LimitRules {
  /// The limits that rules of this kind stand for; what is of another kind is left out.
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
  /// The value of a constant, nil for anything else.
  fileprivate var modelConstant: Any? {
    if case .constant(let value) = content { value } else { nil }
  }
}
