/// A store whose class executes requests itself, with a context: a client's `NSIncrementalStore`.
protocol RequestStore: NSPersistentStore {
  /// Executes a batch request.
  func outcome(
    of request: NSPersistentStoreRequest, _ context: NSManagedObjectContext
  ) throws -> BatchOutcome

  /// The dictionaries that the class returns for a request.
  func dictionaries(
    _ settings: FetchSettings, entity: NSEntityDescription, stores: [NSPersistentStore]?
  ) throws -> [NSDictionary]
}
