import KeyValueCoding
import Predicates

/// Whether an object belongs to a request's results: of its entity, and matching its predicate as it
/// is in memory.
final class MatchTest {
  private let layout: EntityLayout
  private let includesSubentities: Bool
  private let predicate: CompiledPredicate?
  private let requiredTargets: RequiredTargets

  init(_ settings: FetchSettings, layout: EntityLayout, context: NSManagedObjectContext) {
    self.layout = layout
    includesSubentities = settings.includesSubentities
    // Everything means what it means to the store: the list is what a fetch would find.
    let plan = settings.plan(for: layout)
    requiredTargets = RequiredTargets(settings.predicate, layout)
    let nilRule = context.nilRule(for: plan)
    let fetching = context.storedFetch(of: plan, keepsResults: false)
    predicate = settings.predicate.map { predicate in
      CompiledPredicate(predicate, nilRule: nilRule, fetching: fetching) { path in
        layout.slot(of: path).map { slot in { Self.read($0, slot) } }
      }
    }
  }

  private static func read(_ instance: AnyObject, _ slot: Int) -> TypedValue {
    if let object = instance as? NSManagedObject { return object.typedValue(inSlot: slot) }
    return unsafeDowncast(instance, to: RowObject.self).value(inSlot: slot)
  }

  func concerns(_ other: EntityLayout) -> Bool {
    if other === layout { return true }
    return includesSubentities && other.entity.isKindOf(entity: layout.entity)
  }

  /// Of an object that ``concerns(_:)``.
  func matches(_ subject: ListSubject) -> Bool {
    guard let predicate else { return true }
    if let values = subject.values, excludes(values) { return false }
    return trapping { try predicate.matches(subject.instance) }
  }

  /// Whether an object with these values, of an entity that ``concerns(_:)``, certainly does not match.
  func excludes(_ values: Row) -> Bool { requiredTargets.exclude(values) }
}
