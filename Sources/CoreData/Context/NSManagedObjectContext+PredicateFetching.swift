import Predicates

/// What `FETCH(request, context, countOnly)` asks when a predicate is evaluated by itself.
extension NSManagedObjectContext: PredicateFetching {
  /// The results of a request, pending changes included as it says, or their number.
  package final func fetch(request: Any?, countOnly: Bool) throws -> Any? {
    guard let request = request as? any AnyFetchRequest else {
      throw SQLGeneration.fetchWithoutRequest
    }
    return countOnly ? NSNumber(value: try count(request)) : try results(of: request) as [Any]
  }

  /// What FETCH asks in a predicate that judges this context's objects for a fetch or for a list.
  final func storedFetch(of plan: FetchPlan, keepsResults: Bool) -> StoredFetch {
    StoredFetch(
      model: rootCoordinator?.managedObjectModel, of: plan, nilRule: nilRule(for: plan),
      keepsResults: keepsResults
    ) { [unowned self] plan in
      try source?.rows(plan, nil).map { object(for: $0) } ?? []
    }
  }
}
