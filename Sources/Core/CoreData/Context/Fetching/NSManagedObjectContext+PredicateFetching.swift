import Predicates

/// Evaluates `FETCH(request, context, countOnly)` in a predicate that is evaluated outside of a
/// fetch.
extension NSManagedObjectContext: PredicateFetching {
  /// The results of a request, or their number, with pending changes if the request includes them.
  package final func fetch(request: Any?, countOnly: Bool) throws -> Any? {
    guard let request = request as? any AnyFetchRequest else {
      throw StoredFetch.withoutRequest
    }
    return countOnly ? NSNumber(value: try count(request)) : try results(of: request) as [Any]
  }

  /// Evaluates FETCH in a predicate of a fetch or a list of this context.
  final func storedFetch(of plan: FetchPlan, keepsResults: Bool) -> StoredFetch {
    StoredFetch(
      model: rootCoordinator?.managedObjectModel, of: plan, nilRule: nilRule(for: plan),
      keepsResults: keepsResults
    ) { [unowned self] plan in
      try source?.rows(plan, stores: nil).map { object(for: $0) } ?? []
    }
  }
}
