import CoreData

/// A predicate that is true for every model that a part of a Swift predicate is true for, if not for more.
///
/// Never unknown: SQL's third truth, which comparisons with nil have, is ruled out by asking for nil first.
struct Condition {
  let predicate: NSPredicate
  /// Whether it is true for no others.
  let isExact: Bool

  /// Nil for a condition that depends on the model.
  let constant: Bool?

  init(_ predicate: NSPredicate, isExact: Bool = true) {
    self.predicate = predicate
    self.isExact = isExact
    constant = nil
  }

  init(_ value: Bool) {
    predicate = NSPredicate(value: value)
    isExact = true
    constant = value
  }

  static var yes: Condition { Condition(true) }
  static var no: Condition { Condition(false) }
  /// Of which the store knows nothing.
  static var unknown: Condition { Condition(NSPredicate(value: true), isExact: false) }

  static func and(_ parts: [Condition]) -> Condition {
    if parts.contains(where: { $0.constant == false }) { return .no }
    let rest = parts.filter { $0.constant != true }
    let isExact = rest.allSatisfy(\.isExact)
    switch rest.count {
    case 0: return .yes
    case 1: return rest[0]
    default:
      return Condition(
        NSCompoundPredicate(andPredicateWithSubpredicates: rest.map(\.predicate)), isExact: isExact)
    }
  }

  static func or(_ parts: [Condition]) -> Condition {
    if parts.contains(where: { $0.constant == true }) { return .yes }
    let rest = parts.filter { $0.constant != false }
    let isExact = rest.allSatisfy(\.isExact)
    switch rest.count {
    case 0: return .no
    case 1: return rest[0]
    default:
      return Condition(
        NSCompoundPredicate(orPredicateWithSubpredicates: rest.map(\.predicate)), isExact: isExact)
    }
  }

  static func && (left: Condition, right: Condition) -> Condition { .and([left, right]) }
  static func || (left: Condition, right: Condition) -> Condition { .or([left, right]) }

  /// Of a condition that is true for too many nothing is known when it is negated.
  static prefix func ! (condition: Condition) -> Condition {
    if let constant = condition.constant { return Condition(!constant) }
    guard condition.isExact else { return .unknown }
    return Condition(NSCompoundPredicate(notPredicateWithSubpredicate: condition.predicate))
  }

  static func comparison(
    _ left: NSExpression, _ type: NSComparisonPredicate.Operator, _ right: NSExpression,
    options: NSComparisonPredicate.Options = [], isExact: Bool = true
  ) -> Condition {
    Condition(
      NSComparisonPredicate(
        leftExpression: left, rightExpression: right, type: type, options: options),
      isExact: isExact)
  }

  /// `expression == nil`
  static func isNil(_ expression: NSExpression) -> Condition {
    comparison(expression, .equalTo, NSExpression(forConstantValue: nil))
  }

  /// Where it has to be true for no others: as the test of a value.
  func exactly() throws -> Condition {
    guard isExact else { throw Untranslatable("a condition inside of a value") }
    return self
  }
}
