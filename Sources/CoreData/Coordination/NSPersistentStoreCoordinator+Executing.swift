extension NSPersistentStoreCoordinator {
  /// Executes a request against the stores, without the context's pending changes.
  ///
  /// Objects are the context's; other requests than fetches of objects, IDs and counts throw an error
  /// that names them: contexts execute those.
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
      throw CoreDataError.make(
        .persistentStoreUnsupportedRequestType,
        reason: "A coordinator returns no dictionaries; give the request to a context's fetch(_:).")
    }
  }
}
