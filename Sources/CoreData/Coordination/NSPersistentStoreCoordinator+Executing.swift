extension NSPersistentStoreCoordinator {
  /// Executes a request against the stores, without the context's pending changes.
  ///
  /// Objects are the context's; a request of another kind than fetches throws an error that names it:
  /// contexts execute those.
  public final func execute(
    _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext
  ) throws -> Any {
    guard let fetch = request as? any AnyFetchRequest else {
      throw CoreDataError.make(
        .persistentStoreUnsupportedRequestType,
        reason:
          "A coordinator executes fetch requests alone; give \(type(of: request)) to a context.")
    }
    let entity = try fetch.entity(in: managedObjectModel)
    let plan = fetch.settings.plan(for: entity.layout)
    let stores = request.affectedStores
    switch fetch.settings.resultType {
    case .countResultType: return [NSNumber(value: try count(plan, in: stores))]
    case .managedObjectIDResultType:
      return try identities(plan, in: stores).compactMap(identity)
    case .managedObjectResultType:
      return try identities(plan, in: stores).compactMap(identity).map(context.object(with:))
    default:
      return try DictionaryFetch(fetch.settings, entity.layout).results(from: self, stores)
    }
  }
}
