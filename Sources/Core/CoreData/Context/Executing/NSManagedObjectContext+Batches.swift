extension NSManagedObjectContext {
  final func result(of request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
    try checkConfined()
    let coordinator = try fetchingCoordinator
    return try TransactionOrigin(self).write { try result(of: request, coordinator) }
  }

  private func result(
    of request: NSPersistentStoreRequest, _ coordinator: NSPersistentStoreCoordinator
  ) throws -> NSPersistentStoreResult {
    switch request {
    case let request as NSBatchInsertRequest:
      return try coordinator.executeBatch(request, with: self)
    case let request as NSBatchUpdateRequest:
      return try coordinator.executeBatch(request, with: self)
    case let request as NSBatchDeleteRequest:
      return try coordinator.executeBatch(request, with: self)
    case let request as NSPersistentHistoryChangeRequest: return try coordinator.execute(request)
    case let request as any AsynchronousFetch: return try request.start(in: self)
    case let events as NSPersistentCloudKitContainerEventRequest:
      return events.result(of: coordinator.mirrors)
    default:
      throw CoreDataError.make(
        .persistentStoreUnsupportedRequestType,
        reason: "A context does not execute a \(type(of: request)); use fetch(_:) for a fetch "
          + "request.")
    }
  }
}
