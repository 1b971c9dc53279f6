import Predicates

extension NSManagedObjectContext {
  /// Evaluates a predicate with an aggregate of all objects, such as `max(age)`, in memory if there
  /// may be pending changes, which no store knows: the plan then matches the objects that were
  /// found.
  final func settleRowAggregates(
    of plan: inout FetchPlan, _ stores: [NSPersistentStore]?
  ) throws {
    guard let predicate = plan.predicate, hasChanges || parent != nil,
      predicate.hasRowAggregate(plan.layout)
    else { return }
    let everything = try objects(plan.ofEverything, stores: stores)
    let fetching = StoredFetch(
      model: rootCoordinator?.managedObjectModel, of: plan, nilRule: nilRule(for: plan),
      everything: { everything }
    ) { [unowned self] asked in
      try source?.rows(asked, stores: nil).map { object(for: $0) } ?? []
    }
    let compiled = CompiledPredicate(
      predicate, nilRule: nilRule(for: plan), fetching: fetching,
      reader: plan.layout.objectReader)
    let matching = try CoreDataError.explaining {
      try everything.filter { try compiled.matches($0) }
    }
    plan.predicate = NSPredicate(format: "SELF IN %@", matching)
  }
}
