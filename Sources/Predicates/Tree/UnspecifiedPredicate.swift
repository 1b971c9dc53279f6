import Foundation

/// What `NSPredicate()` makes: a predicate that says nothing. On Apple's systems, too, asking it raises an
/// exception.
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
  /// A predicate that says nothing, to be replaced by another: evaluating it traps, as Apple's raises.
  public init() {
    guard let result = UnspecifiedPredicate() as? Self else {
      fatalError("\(Self.self)(): only NSPredicate itself can be made without a format")
    }
    self = result
  }
}
