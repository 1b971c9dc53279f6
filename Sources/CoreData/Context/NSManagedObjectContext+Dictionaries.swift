extension NSManagedObjectContext {
  /// Dictionary results: what is saved, pending changes left out. A child context shows the stores' values
  /// too.
  final func dictionaries(_ request: any AnyFetchRequest) throws -> [AnyObject] {
    assertConfined()
    processPendingChanges()
    let coordinator = try fetchingCoordinator
    let layout = try request.entity(in: coordinator.managedObjectModel).layout
    return try DictionaryFetch(request.settings, layout)
      .results(from: coordinator, request.affectedStores)
  }
}
