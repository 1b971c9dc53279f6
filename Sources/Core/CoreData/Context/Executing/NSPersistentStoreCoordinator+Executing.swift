extension NSPersistentStoreCoordinator {
  final func answer(
    to request: NSPersistentStoreRequest, with context: NSManagedObjectContext
  ) throws -> Any {
    try TransactionOrigin(context).write { try answer(request, with: context) }
  }

  private func answer(
    _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext
  ) throws -> Any {
    switch request {
    case let fetch as any AnyFetchRequest: return try execute(fetch, with: context)
    case let batch as NSBatchInsertRequest: return try executeBatch(batch, with: context)
    case let batch as NSBatchUpdateRequest: return try executeBatch(batch, with: context)
    case let batch as NSBatchDeleteRequest: return try executeBatch(batch, with: context)
    case let history as NSPersistentHistoryChangeRequest: return try execute(history)
    case let events as NSPersistentCloudKitContainerEventRequest:
      return events.result(of: mirrors)
    default:
      throw CoreDataError.make(
        .persistentStoreUnsupportedRequestType,
        reason:
          "A coordinator does not execute a \(type(of: request)); save a context, or give the "
          + "request to a context's execute(_:).")
    }
  }

  private func execute(
    _ fetch: any AnyFetchRequest, with context: NSManagedObjectContext
  ) throws -> Any {
    let entity = try fetch.entity(in: managedObjectModel)
    var plan = fetch.settings.plan(for: entity.layout)
    plan.request = fetch
    let stores = fetch.affectedStores
    return try ReadingContext.with(context) {
      try execute(fetch, plan: plan, stores: stores, layout: entity.layout, in: context)
    }
  }

  private func execute(
    _ fetch: any AnyFetchRequest, plan: FetchPlan, stores: [NSPersistentStore]?,
    layout: EntityLayout, in context: NSManagedObjectContext
  ) throws -> Any {
    switch fetch.settings.resultType {
    case .countResultType: return [NSNumber(value: try count(plan, in: stores))]
    case .managedObjectIDResultType:
      return try identities(plan, in: stores).compactMap(identity)
    case .managedObjectResultType:
      return try identities(plan, in: stores).compactMap(identity).map(context.object(with:))
    default:
      return try DictionaryFetch(fetch.settings, layout: layout).results(from: self, stores)
    }
  }
}
