import Foundation
import KeyValueCoding

/// AND, OR or NOT of other predicates: Foundation's class with Apple's format, equality and depth.
/// Formats with connectives parse to it. The name is one that no class of a client has, and not
/// nested, because Foundation cannot archive nested classes here. The plugin makes it available to
/// a client's module as `NSCompoundPredicate`.
open class OpenCoreDataCompoundPredicate: Foundation.NSCompoundPredicate {
  private let compiled = LazyCompilation()
  /// The length of the longest path of nested predicates and expressions.
  fileprivate private(set) var depth: Int

  /// Joins several predicates by AND or OR, or negates one.
  public override init(type: LogicalType, subpredicates: [NSPredicate]) {
    depth = Self.depth(over: subpredicates)
    super.init(type: type, subpredicates: subpredicates)
  }

  /// A deep tree is released on a stack that is large enough for the recursion.
  deinit {
    if depth > DeepStack.ordinaryDepth { DeepStack.run(depth: depth) { dropParts() } }
  }

  /// Releases the parts after the access to `subpredicates` has ended. Accesses that stay open
  /// during the recursion would each be checked against all others.
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

  /// Returns whether the predicate holds. Traps where Apple's raises an exception.
  open override func evaluate(
    with object: Any?, substitutionVariables bindings: [String: Any]?
  ) -> Bool {
    compiled.evaluate(self, object: object, bindings: bindings)
  }

  open override var predicateFormat: String { PredicatePrinter.text(of: self) }

  open override var description: String { predicateFormat }

  /// An equal copy with the same subpredicates.
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
  /// The class of AND, OR and NOT predicates.
  public typealias Compound = OpenCoreDataCompoundPredicate
}

/// The name of the class in this package.
package typealias CompoundPredicate = OpenCoreDataCompoundPredicate

extension NSPredicate {
  /// The length of the longest path of nested predicates and expressions.
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
  /// A hash that equal predicates share. 0 for Foundation's own predicates, which Foundation hashes
  /// by identity.
  var shapeHash: Int {
    switch self {
    case is NSComparisonPredicate, is CompoundPredicate: hash
    default: 0
    }
  }
}

extension NSPredicate {
  /// Equality in both directions: Foundation's constant predicates consider any predicate equal
  /// that was made of a constant, as compounds are there.
  public static func == (left: NSPredicate, right: NSPredicate) -> Bool {
    left.isEqual(right) && right.isEqual(left)
  }

  /// The negation of ``==(_:_:)``.
  public static func != (left: NSPredicate, right: NSPredicate) -> Bool { !(left == right) }
}
