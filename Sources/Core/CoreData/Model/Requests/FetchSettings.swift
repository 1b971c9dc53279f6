/// The settings of a fetch request without the type of its results: contexts and stores read these,
/// independent of the generic ``NSFetchRequest``.
package struct FetchSettings {
  /// The entity's name, for a request made with a name.
  package var entityName: String?
  /// The entity; nil until a request made with a name has been executed.
  package var entity: NSEntityDescription?
  package var predicate: NSPredicate?
  package var sortDescriptors: [NSSortDescriptor]?
  /// The most results; 0 means no limit.
  package var fetchLimit = 0
  package var fetchOffset = 0
  /// The number of objects read at a time by lazy fetches and lists; 0 to let them choose.
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
  /// The client's original query that the request was translated from, for a store that answers
  /// that query itself (SwiftData's custom stores).
  package var question: AnyObject?

  package init() {}
}

extension FetchSettings {
  /// Throws error 134060 for settings that contradict each other.
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

  /// The error, code 134060, for a having predicate without grouping.
  package static var ungroupedHaving: NSError {
    CoreDataError.make(
      .coreData, reason: "Invalid fetch request: havingPredicate requires propertiesToGroupBy")
  }
}

/// A fetch request without its generic result type; every ``NSFetchRequest`` conforms.
package protocol AnyFetchRequest: NSPersistentStoreRequest {
  var settings: FetchSettings { get set }
}

extension AnyFetchRequest {
  /// The entity of the request in this model, looked up by name for a request made with a name.
  ///
  /// - Throws: error 134060 when the request has no entity, or one that the model lacks.
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
