import KeyValueCoding
import Predicates

/// Tests objects for a request: its entity, and its predicate against values in memory.
final class MatchTest {
  private let layout: EntityLayout
  private let includesSubentities: Bool
  private let predicate: CompiledPredicate?
  private let requiredTargets: RequiredTargets

  init(_ settings: FetchSettings, layout: EntityLayout, context: NSManagedObjectContext) {
    self.layout = layout
    includesSubentities = settings.includesSubentities
    // Compiled with the store's rules, so that the list is what a fetch would find.
    let plan = settings.plan(for: layout)
    requiredTargets = RequiredTargets(settings.predicate, layout: layout)
    let nilRule = context.nilRule(for: plan)
    let fetching = context.storedFetch(of: plan, keepsResults: false)
    predicate = settings.predicate.map { predicate in
      CompiledPredicate(predicate, nilRule: nilRule, fetching: fetching) { path in
        layout.slot(of: path).map { slot in { Self.read($0, slot: slot) } }
      }
    }
  }

  private static func read(_ instance: AnyObject, slot: Int) -> TypedValue {
    if let object = instance as? NSManagedObject { return object.typedValue(inSlot: slot) }
    // Sound: a `ListSubject` is a managed object or a row object.
    return unsafeDowncast(instance, to: RowObject.self).value(inSlot: slot)
  }

  func concerns(_ other: EntityLayout) -> Bool {
    if other === layout { return true }
    return includesSubentities && other.entity.isKindOf(entity: layout.entity)
  }

  /// Whether the predicate matches an object for which ``concerns(_:)`` is true.
  func matches(_ subject: ListSubject) -> Bool {
    guard let predicate else { return true }
    if let values = subject.values, excludes(values) { return false }
    return trapping { try predicate.matches(subject.instance) }
  }

  /// Whether an object with these values certainly does not match; its entity must concern the
  /// test.
  func excludes(_ values: Row) -> Bool { requiredTargets.exclude(values) }
}
