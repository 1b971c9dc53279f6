/// Everything that a fetch request says, without the type of its results: what contexts and stores
/// read, whatever ``NSFetchRequest`` it comes in.
package struct FetchSettings {
  /// The entity's name when the request was made with a name.
  package var entityName: String?
  /// The entity; nil until a request with a name has been used.
  package var entity: NSEntityDescription?
  package var predicate: NSPredicate?
  package var sortDescriptors: [NSSortDescriptor]?
  /// 0 means no limit.
  package var fetchLimit = 0
  package var fetchOffset = 0
  /// 0 means all at once.
  package var fetchBatchSize = 0
  package var resultType = NSFetchRequestResultType.managedObjectResultType
  package var includesSubentities = true
  package var includesPropertyValues = true
  package var includesPendingChanges = true
  package var returnsObjectsAsFaults = true
  package var returnsDistinctResults = false
  package var shouldRefreshRefetchedObjects = false
  package var relationshipKeyPathsForPrefetching: [String]?
  package var propertiesToFetch: [Any]?
  package var propertiesToGroupBy: [Any]?
  package var havingPredicate: NSPredicate?
  /// What the request was made of, for a store that answers that in its place.
  package var question: AnyObject?

  package init() {}

  /// What a store has to read. Pending changes are the context's part.
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

extension FetchSettings {
  /// Throws an error for settings that do not go together.
  package func check() throws {
    guard resultType != .dictionaryResultType else { return }
    if propertiesToGroupBy?.isEmpty == false {
      throw CoreDataError.make(
        .coreData,
        reason: "Invalid fetch request: propertiesToGroupBy requires the result type "
          + "dictionaryResultType")
    }
    if havingPredicate != nil { throw Self.ungroupedHaving }
  }

  /// For a having predicate where nothing is grouped.
  package static var ungroupedHaving: NSError {
    CoreDataError.make(
      .coreData, reason: "Invalid fetch request: havingPredicate requires propertiesToGroupBy")
  }
}

/// A fetch request whose type of results does not matter; every ``NSFetchRequest`` is one.
package protocol AnyFetchRequest: NSPersistentStoreRequest {
  var settings: FetchSettings { get set }
}

extension AnyFetchRequest {
  /// The entity of the request in this model, found by name for a request that has just the name.
  ///
  /// Throws an error when the request names no entity or one that the model does not have.
  package func entity(in model: NSManagedObjectModel) throws -> NSEntityDescription {
    let known = settings
    guard let name = known.entityName ?? known.entity?.name else {
      throw CoreDataError.make(.coreData, reason: "A fetch request must have an entity.")
    }
    guard let entity = model.entitiesByName[name] else {
      let names = model.entitiesByName.keys.sorted().joined(separator: ", ")
      throw CoreDataError.make(
        .coreData,
        reason: "NSFetchRequest could not locate an NSEntityDescription for entity name '\(name)'; "
          + "the model has: \(names)")
    }
    if known.entity == nil { settings.entity = entity }
    return entity
  }
}
