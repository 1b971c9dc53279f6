extension NSManagedObjectContext {
  /// The context at the head of the chain of parents.
  final var root: NSManagedObjectContext { parent?.root ?? self }

  /// Dictionary results: what is saved, pending changes left out. A child context shows the stores' values
  /// too.
  final func dictionaries(_ request: any AnyFetchRequest) throws -> [AnyObject] {
    assertConfined()
    processPendingChanges()
    let coordinator = try fetchingCoordinator
    let layout = try request.entity(in: coordinator.managedObjectModel).layout
    let fetch = try DictionaryFetch(request.settings, layout)
    return try QueryGeneration.$current.withValue(root.generation) {
      try ReadingContext.with(self) {
        try fetch.results(from: coordinator, request.affectedStores)
      }
    }
  }
}
