import Foundation
import KeyValueCoding

/// AND, OR or NOT of other predicates: Foundation's class with the text, the equality and the depth
/// that Apple's has. Formats with connectives parse to it. Its own name is one that
/// no class of a client's has, and not that of a nested class, which Foundation cannot archive here; the plugin
/// lets a client's module call it `NSCompoundPredicate`.
open class OpenCoreDataCompoundPredicate: Foundation.NSCompoundPredicate {
  private let compiled = LazyCompilation()
  /// How many predicates and expressions are nested on the longest way down.
  fileprivate private(set) var depth: Int

  /// Several predicates joined by AND or OR, or the negation of one.
  public override init(type: LogicalType, subpredicates: [NSPredicate]) {
    depth = Self.depth(over: subpredicates)
    super.init(type: type, subpredicates: subpredicates)
  }

  /// A deep tree goes down to its leaves when it is released.
  deinit {
    if depth > DeepStack.ordinaryDepth { DeepStack.run(depth: depth) { dropParts() } }
  }

  /// The parts go when nothing of this object is being accessed any more: accesses that stay open
  /// all the way down would each be checked against all the others.
  private func dropParts() {
    let parts = subpredicates
    subpredicates = []
    _ = consume parts
  }

  private static func depth(over subpredicates: [NSPredicate]) -> Int {
    DeepStack.checked(1 + (subpredicates.lazy.map(\.nestingDepth).max() ?? 0))
  }

  open override var compoundPredicateType: LogicalType { didSet { compiled.forget() } }

  open override var subpredicates: [NSPredicate] {
    didSet {
      compiled.forget()
      depth = Self.depth(over: subpredicates)
    }
  }

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
    return other === self || DeepStack.run(depth: depth) { hasSameParts(as: other) }
  }

  private func hasSameParts(as other: Foundation.NSCompoundPredicate) -> Bool {
    compoundPredicateType == other.compoundPredicateType
      && subpredicates.count == other.subpredicates.count
      && zip(subpredicates, other.subpredicates).allSatisfy { $0.isEqual($1) }
  }

  open override var hash: Int { DeepStack.run(depth: depth) { hashOfParts } }

  private var hashOfParts: Int {
    var hasher = Hasher()
    hasher.combine(compoundPredicateType)
    for subpredicate in subpredicates { hasher.combine(subpredicate.shapeHash) }
    return hasher.finalize()
  }
}

extension NSPredicate {
  /// The class of what AND, OR and NOT make.
  public typealias Compound = OpenCoreDataCompoundPredicate
}

/// The name in this package.
package typealias CompoundPredicate = OpenCoreDataCompoundPredicate

extension NSPredicate {
  /// How many predicates and expressions are nested on the longest way down.
  package var nestingDepth: Int {
    switch self {
    case let comparison as NSComparisonPredicate:
      1 + max(comparison.leftExpression.depth, comparison.rightExpression.depth)
    case let compound as CompoundPredicate: compound.depth
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
