import KeyValueCoding
import Predicates

/// Evaluates FETCH, and aggregates over all objects of a fetch, for a predicate that is evaluated
/// in memory: on stored values, without pending changes, like the subquery that SQL would run.
///
/// Used on one thread, by one fetch or one list.
final class StoredFetch: PredicateFetching {
  private let model: NSManagedObjectModel?
  /// The plan of the fetch that the predicate belongs to.
  private let plan: FetchPlan
  private let nilRule: NilRule
  private let keepsResults: Bool
  private let objects: (FetchPlan) throws -> [AnyObject]
  private let everything: (() throws -> [AnyObject])?
  private var kept: [ObjectIdentifier: [AnyObject]] = [:]
  private var keptValues: [ObjectIdentifier: [Any]] = [:]

  /// - Parameters:
  ///   - model: the model in which entities are looked up by name.
  ///   - plan: the fetch that the predicate belongs to.
  ///   - keepsResults: true to execute each request once for all evaluated objects.
  ///   - everything: the objects that aggregates are computed over; nil: all stored objects of the
  ///     plan.
  ///   - objects: reads the objects of a plan.
  init(
    model: NSManagedObjectModel?, of plan: FetchPlan, nilRule: NilRule, keepsResults: Bool = true,
    everything: (() throws -> [AnyObject])? = nil,
    objects: @escaping (FetchPlan) throws -> [AnyObject]
  ) {
    self.model = model
    self.plan = plan
    self.nilRule = nilRule.inFetch
    self.keepsResults = keepsResults
    self.objects = objects
    self.everything = everything
  }

  func fetch(request: Any?, countOnly: Bool) throws -> Any? {
    guard let request = request as? any AnyFetchRequest, let model else {
      throw StoredFetch.withoutRequest
    }
    let found = try kept[ObjectIdentifier(request)] ?? read(request, model: model)
    return countOnly ? NSNumber(value: found.count) : found as [Any]
  }

  private func read(
    _ request: any AnyFetchRequest, model: NSManagedObjectModel
  ) throws -> [AnyObject] {
    let entity = try request.entity(in: model)
    let found = try objects(request.settings.plan(for: entity.layout))
    if keepsResults { kept[ObjectIdentifier(request)] = found }
    return found
  }

  func values(of function: String, _ arguments: [NSExpression]) -> (() throws -> [Any])? {
    guard let argument = RowAggregate.argument(of: function, arguments, layout: plan.layout) else {
      return nil
    }
    let key = ObjectIdentifier(argument)
    return { try self.keptValues[key] ?? self.values(of: argument) }
  }

  private func values(of argument: NSExpression) throws -> [Any] {
    let compiled = CompiledExpression(argument, nilRule: nilRule)
    let all = try everything?() ?? objects(plan.ofEverything)
    let values = try all.compactMap { try compiled.value(of: $0).any }
    if keepsResults { keptValues[ObjectIdentifier(argument)] = values }
    return values
  }
}

extension StoredFetch {
  static let withoutRequest = CoreDataError.make(
    .coreData,
    reason:
      "A fetch from a SQLite store cannot use a FETCH without a fetch request for an entity of the "
      + "store. Fetch with a wider predicate and filter the objects.")
}
