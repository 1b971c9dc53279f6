import Foundation

/// A comparison of two expressions. Immutable. Follows Apple's `NSComparisonPredicate`.
open class NSComparisonPredicate: NSPredicate {
  /// The expression left of the operator.
  public let leftExpression: NSExpression
  /// The expression right of the operator.
  public let rightExpression: NSExpression
  /// The subject of the comparison: the left value, or each of its elements.
  public let comparisonPredicateModifier: Modifier
  /// The operator.
  public let predicateOperatorType: Operator
  /// The options of string comparisons.
  public let options: Options
  /// The comparison selector if the operator is ``Operator/customSelector``.
  package let customSelectorName: String?

  /// Makes a comparison with a predefined operator.
  public init(
    leftExpression: NSExpression, rightExpression: NSExpression, modifier: Modifier = .direct,
    type: Operator, options: Options = []
  ) {
    self.leftExpression = leftExpression
    self.rightExpression = rightExpression
    comparisonPredicateModifier = modifier
    predicateOperatorType = type
    self.options = options
    customSelectorName = nil
    super.init(block: { _, _ in false })
  }

  /// Makes a comparison that sends a message to the left value, with the right one as the argument.
  package init(
    leftExpression: NSExpression, rightExpression: NSExpression, customSelectorName: String
  ) {
    self.leftExpression = leftExpression
    self.rightExpression = rightExpression
    comparisonPredicateModifier = .direct
    predicateOperatorType = .customSelector
    options = []
    self.customSelectorName = customSelectorName
    super.init(block: { _, _ in false })
  }

  private let compiled = LazyCompilation()

  /// Returns whether the comparison holds. Traps where Apple's raises an exception (a key that does
  /// not exist, an order between a string and a number).
  open override func evaluate(
    with object: Any?, substitutionVariables bindings: [String: Any]?
  ) -> Bool {
    compiled.evaluate(self, object: object, bindings: bindings)
  }

  open override var predicateFormat: String { PredicatePrinter.text(of: self) }

  open override var description: String { predicateFormat }

  /// The predicate itself, since it is immutable.
  open override func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSComparisonPredicate else { return false }
    return other === self
      || predicateOperatorType == other.predicateOperatorType && options == other.options
        && comparisonPredicateModifier == other.comparisonPredicateModifier
        && customSelectorName == other.customSelectorName
        && leftExpression.isEqual(other.leftExpression)
        && rightExpression.isEqual(other.rightExpression)
  }

  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(predicateOperatorType)
    hasher.combine(options.rawValue)
    hasher.combine(comparisonPredicateModifier)
    hasher.combine(leftExpression.hash)
    hasher.combine(rightExpression.hash)
    return hasher.finalize()
  }
}
