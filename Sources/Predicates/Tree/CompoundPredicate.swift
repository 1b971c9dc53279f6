import Foundation
import KeyValueCoding

/// AND, OR or NOT of other predicates: Foundation's class with the text, the equality and the depth
/// that Apple's has. Formats with connectives parse to it.
open class CompoundPredicate: Foundation.NSCompoundPredicate {
  private let compiled = LazyCompilation()

  open override var compoundPredicateType: LogicalType { didSet { compiled.forget() } }

  open override var subpredicates: [NSPredicate] { didSet { compiled.forget() } }

  /// Whether the predicate holds; traps where Apple's raises.
  open override func evaluate(
    with object: Any?, substitutionVariables bindings: [String: Any]?
  ) -> Bool {
    compiled.evaluate(self, object, bindings)
  }

  open override var predicateFormat: String { PredicatePrinter.text(of: self) }

  open override var description: String { predicateFormat }

  /// The copy is equal, with the same subpredicates.
  open override func copy(with zone: NSZone? = nil) -> Any {
    CompoundPredicate(type: compoundPredicateType, subpredicates: subpredicates)
  }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? Foundation.NSCompoundPredicate else { return false }
    return other === self
      || compoundPredicateType == other.compoundPredicateType
        && subpredicates.count == other.subpredicates.count
        && zip(subpredicates, other.subpredicates).allSatisfy { $0.isEqual($1) }
  }

  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(compoundPredicateType)
    for subpredicate in subpredicates { hasher.combine(subpredicate.shapeHash) }
    return hasher.finalize()
  }
}

extension NSPredicate {
  /// How many predicates and expressions are nested on the longest way down.
  package var nestingDepth: Int {
    switch self {
    case let comparison as NSComparisonPredicate:
      1 + max(comparison.leftExpression.depth, comparison.rightExpression.depth)
    case let compound as Foundation.NSCompoundPredicate:
      1 + (compound.subpredicates.map(\.nestingDepth).max() ?? 0)
    default: 1
    }
  }
}

extension NSPredicate {
  /// A hash that equal predicates share: Foundation hashes its own by identity.
  var shapeHash: Int {
    switch self {
    case is NSComparisonPredicate, is CompoundPredicate: hash
    default: 0
    }
  }
}

extension NSPredicate {
  /// Equality asked from both sides: Foundation's constant predicates take any other predicate that
  /// was made of a constant, as compounds are there, for their equal.
  public static func == (left: NSPredicate, right: NSPredicate) -> Bool {
    left.isEqual(right) && right.isEqual(left)
  }

  /// The opposite of ``==(_:_:)``.
  public static func != (left: NSPredicate, right: NSPredicate) -> Bool { !(left == right) }
}
