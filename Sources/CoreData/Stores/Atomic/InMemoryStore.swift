/// The store of type `NSInMemoryStoreType`: everything in memory, gone with the store.
///
/// Sendable: the contents have their lock.
final class InMemoryStore: NSPersistentStore, MemoryRowStore, @unchecked Sendable {
  let core = MemoryCore()

  override var type: String { NSInMemoryStoreType }

  override func loadMetadata() throws {
    try refuseDerivedAttributes()
    metadata = StoreMetadata.new(
      type: NSInMemoryStoreType, model: persistentStoreCoordinator?.managedObjectModel,
      configuration: configurationName)
  }

  /// A store that is not open does not exist, so there is nothing to be destroyed.
  override class func destroy(at url: URL, options: StoreOptions) throws {}

  func save(_ changes: StoreChanges) throws { try core.apply(changes) }
}
