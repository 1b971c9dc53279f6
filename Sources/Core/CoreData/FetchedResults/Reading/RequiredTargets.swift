import Foundation
import Predicates

/// The targets that a predicate requires of an object's to-one relationships: `parent == %@ AND …`
/// requires one parent.
///
/// One comparison of identities excludes most objects. That matters where hundreds of contexts each
/// list the children of another parent: each context is notified of every change, and most changes
/// do not concern its list.
struct RequiredTargets {
  private struct Requirement {
    let slot: Int
    /// The required object; nil if the relationship must be nil.
    let target: NSManagedObjectID?
  }

  private let requirements: [Requirement]

  /// Collects the equality comparisons that the predicate requires; ignores all other conditions.
  init(_ predicate: NSPredicate?, layout: EntityLayout) {
    requirements = predicate.map { Self.requirements($0, layout: layout) } ?? []
  }

  /// Whether the predicate is certainly false for an object with these values.
  func exclude(_ values: Row) -> Bool {
    for requirement in requirements {
      // Unequal keys mean unequal objects. For equal keys the predicate itself must decide.
      if let found = values.permanentIdentity(requirement.slot) {
        guard let target = requirement.target, target.resolved.packed.key == found.key else {
          return true
        }
      } else if requirement.target != nil, values[requirement.slot].isNull {
        return true
      }
    }
    return false
  }

  private static func requirements(_ predicate: NSPredicate, layout: EntityLayout)
    -> [Requirement]
  {
    switch predicate {
    case let comparison as NSComparisonPredicate:
      return requirement(comparison, layout: layout).map { [$0] } ?? []
    case let compound as Foundation.NSCompoundPredicate
    where compound.compoundPredicateType == .and:
      return compound.subpredicates.flatMap { requirements($0, layout: layout) }
    default: return []
    }
  }

  private static func requirement(_ comparison: NSComparisonPredicate, layout: EntityLayout)
    -> Requirement?
  {
    guard comparison.predicateOperatorType == .equalTo,
      comparison.comparisonPredicateModifier == .direct
    else { return nil }
    switch (comparison.leftExpression.content, comparison.rightExpression.content) {
    case (.keyPath(let key, of: nil), .constant(let value)),
      (.constant(let value), .keyPath(let key, of: nil)):
      guard let slot = layout.slot(of: key), layout.slots[slot].kind == .toOne else { return nil }
      switch value {
      case nil: return Requirement(slot: slot, target: nil)
      case let target as NSManagedObject: return Requirement(slot: slot, target: target.objectID)
      case let target as NSManagedObjectID: return Requirement(slot: slot, target: target)
      default: return nil
      }
    default: return nil
    }
  }
}
