extension NSManagedObjectContext {
  /// The context at the root of the chain of parents.
  final var root: NSManagedObjectContext { parent?.root ?? self }

  /// The results of a fetch of dictionaries: saved values, without pending changes. A child context
  /// gets the stores' values too.
  final func dictionaries(_ request: any AnyFetchRequest) throws -> [AnyObject] {
    assertConfined()
    processPendingChanges()
    let coordinator = try fetchingCoordinator
    let layout = try request.entity(in: coordinator.managedObjectModel).layout
    let fetch = try DictionaryFetch(request.settings, layout: layout)
    return try QueryGeneration.$current.withValue(root.generation) {
      try ReadingContext.with(self) {
        try fetch.results(from: coordinator, request.affectedStores)
      }
    }
  }
}
