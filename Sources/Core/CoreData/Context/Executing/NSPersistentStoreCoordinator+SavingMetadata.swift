extension NSPersistentStoreCoordinator {
  /// Writes changed metadata, by a save without changes.
  package final func saveMetadata(for context: NSManagedObjectContext) throws {
    var nothing = StoreChanges()
    nothing.context = context
    for case let store as any RowStore in persistentStores where !store.isReadOnly {
      try store.save(nothing)
    }
  }
}
