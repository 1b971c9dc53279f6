extension NSManagedObjectContext {
  /// Executes a request of any kind: a fetch, a batch insertion, update or deletion, or an asynchronous
  /// fetch, whose result fills itself later.
  ///
  /// Batch requests work on the stores alone, below this context and all others: nobody is told, and the
  /// context's unsaved changes do not count.
  ///
  /// - Throws: what fetches throw; for batch requests 134091 when a store is no SQLite store, 133021 for
  ///   violated uniqueness constraints, validation errors, store errors. Nothing has been changed then.
  public func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
    assertConfined()
    let coordinator = try fetchingCoordinator
    switch request {
    case let request as NSBatchInsertRequest:
      return try coordinator.execute(request, mergePolicy)
    case let request as NSBatchUpdateRequest: return try coordinator.execute(request)
    case let request as NSBatchDeleteRequest: return try coordinator.execute(request)
    case let request as any AsynchronousFetch: return try request.start(in: self)
    default:
      throw CoreDataError.make(
        .persistentStoreUnsupportedRequestType,
        reason: "A context does not execute a \(type(of: request)); use fetch(_:) for a fetch "
          + "request.")
    }
  }
}
