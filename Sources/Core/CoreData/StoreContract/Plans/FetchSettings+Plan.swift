extension FetchSettings {
  /// The plan that a store executes. Pending changes are added by the context.
  package func plan(for layout: EntityLayout) -> FetchPlan {
    var plan = FetchPlan(layout: layout)
    plan.includesSubentities = includesSubentities
    plan.predicate = predicate
    plan.sortDescriptors = sortDescriptors ?? []
    plan.limit = fetchLimit
    plan.offset = fetchOffset
    return plan
  }
}
