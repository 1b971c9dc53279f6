import Foundation

/// Replaces `$variables` by constants in a copy of a tree.
struct Substitution {
  let variables: [String: Any]

  func predicate(_ predicate: NSPredicate) -> NSPredicate {
    switch predicate {
    case let comparison as NSComparisonPredicate: self.comparison(comparison)
    case let compound as Foundation.NSCompoundPredicate:
      CompoundPredicate(
        type: compound.compoundPredicateType,
        subpredicates: compound.subpredicates.map(self.predicate))
    default: predicate
    }
  }

  private func comparison(_ old: NSComparisonPredicate) -> NSComparisonPredicate {
    let (left, right) = (expression(old.leftExpression), expression(old.rightExpression))
    if let selector = old.customSelectorName {
      return NSComparisonPredicate(
        leftExpression: left, rightExpression: right, customSelectorName: selector)
    }
    return NSComparisonPredicate(
      leftExpression: left, rightExpression: right, modifier: old.comparisonPredicateModifier,
      type: old.predicateOperatorType, options: old.options)
  }

  func expression(_ expression: NSExpression) -> NSExpression {
    switch expression.content {
    case .variable(let name):
      guard let value = variables[name] else { return expression }
      return value as? NSExpression ?? NSExpression(forConstantValue: value)
    case .subquery(_, let name, _): return inner(of: expression, hiding: name)
    default: return inner(of: expression, hiding: nil)
    }
  }

  /// Replaces variables in the parts of an expression. The variable of a subquery hides an outer
  /// one with the same name.
  private func inner(of expression: NSExpression, hiding name: String?) -> NSExpression {
    let content = expression.content
    guard !content.children.isEmpty || content.predicate != nil else { return expression }
    var visible = variables
    if let name { visible[name] = nil }
    let inner = Substitution(variables: visible)
    return NSExpression(
      content: content.replacing(
        children: content.children.map(self.expression),
        predicate: content.predicate.map(inner.predicate)))
  }
}
