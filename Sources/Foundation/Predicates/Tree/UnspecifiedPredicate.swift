import Foundation

/// The predicate without a condition that `NSPredicate()` makes. Evaluating it traps; Apple's
/// raises an exception.
final class UnspecifiedPredicate: NSPredicate {
  init() { super.init(block: { _, _ in false }) }

  override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool
  {
    fatalError(
      "NSPredicate(): a predicate that was made without a format says nothing and cannot be evaluated. "
        + "Make it with init(format:) or init(value:).")
  }

  override var predicateFormat: String { "" }

  override var description: String { "NSPredicate()" }

  override func copy(with zone: NSZone? = nil) -> Any { self }
}

extension PredicateFactory where Self: NSPredicate {
  /// Makes a predicate without a condition, as a placeholder. Evaluating it traps; Apple's raises
  /// an exception.
  public init() {
    guard let result = UnspecifiedPredicate() as? Self else {
      fatalError("\(Self.self)(): only NSPredicate itself can be made without a format")
    }
    self = result
  }
}
