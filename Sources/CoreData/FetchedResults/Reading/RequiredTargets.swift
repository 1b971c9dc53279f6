import Foundation
import Predicates

/// To whom a predicate wants an object's own to-one relationships to lead: `parent == %@ AND …` wants one parent.
///
/// Tells by one comparison of identities that most objects are strangers. Where hundreds of contexts each have
/// the list of another parent, every one hears of every change, and most of what they hear is no concern of theirs.
struct RequiredTargets {
  private struct Requirement {
    let slot: Int
    /// nil: it must lead nowhere.
    let target: NSManagedObjectID?
  }

  private let requirements: [Requirement]

  /// Reads what the predicate says outright; of all else it knows nothing.
  init(_ predicate: NSPredicate?, _ layout: EntityLayout) {
    requirements = predicate.map { Self.requirements($0, layout) } ?? []
  }

  /// Whether the predicate is certainly false for an object with these values.
  func exclude(_ values: Row) -> Bool {
    for requirement in requirements {
      // Unequal keys are unequal objects; about equal ones the predicate knows more.
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

  private static func requirements(_ predicate: NSPredicate, _ layout: EntityLayout)
    -> [Requirement]
  {
    switch predicate {
    case let comparison as NSComparisonPredicate:
      return requirement(comparison, layout).map { [$0] } ?? []
    case let compound as Foundation.NSCompoundPredicate
    where compound.compoundPredicateType == .and:
      return compound.subpredicates.flatMap { requirements($0, layout) }
    default: return []
    }
  }

  private static func requirement(_ comparison: NSComparisonPredicate, _ layout: EntityLayout)
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
