import CoreData

/// An NSPredicate that is true for at least every model that a part of a Swift predicate is true
/// for. It may be true for more models; see ``isExact``.
///
/// Never unknown: each comparison is guarded by a test for nil, so SQL's third truth value cannot
/// arise.
struct Condition {
  let predicate: NSPredicate
  /// Whether `predicate` is true for no other models.
  let isExact: Bool

  /// The value of a condition that is equal for all models; nil for one that depends on the model.
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
  /// A condition that the store cannot evaluate: true for every model, inexact.
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

  /// The negation; unknown for an inexact condition, since its complement would miss models.
  static prefix func ! (condition: Condition) -> Condition {
    if let constant = condition.constant { return Condition(!constant) }
    guard condition.isExact else { return .unknown }
    return Condition(NSCompoundPredicate(notPredicateWithSubpredicate: condition.predicate))
  }

  static func comparison(
    _ left: NSExpression, type: NSComparisonPredicate.Operator, right: NSExpression,
    options: NSComparisonPredicate.Options = [], isExact: Bool = true
  ) -> Condition {
    Condition(
      NSComparisonPredicate(
        leftExpression: left, rightExpression: right, type: type, options: options),
      isExact: isExact)
  }

  /// `expression == nil`
  static func isNil(_ expression: NSExpression) -> Condition {
    comparison(expression, type: .equalTo, right: NSExpression(forConstantValue: nil))
  }

  /// The condition, for use as a value; throws ``Untranslatable`` unless it is exact.
  func exactly() throws -> Condition {
    guard isExact else { throw Untranslatable("a condition inside of a value") }
    return self
  }
}
