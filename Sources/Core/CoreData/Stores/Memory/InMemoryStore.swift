/// The store of type `NSInMemoryStoreType`: its contents exist as long as the store.
///
/// Sendable: `core` has its lock.
final class InMemoryStore: NSPersistentStore, MemoryRowStore, @unchecked Sendable {
  let core = MemoryCore()

  override var type: String { NSInMemoryStoreType }

  override func loadMetadata() throws {
    try refuseDerivedAttributes()
    metadata = StoreMetadata.new(
      type: NSInMemoryStoreType, model: coordinatorModel,
      configuration: configurationName)
  }

  /// False: a store in memory is at no place.
  override class func isTaken(_ url: URL, options: StoreOptions) -> Bool { false }

  /// Does nothing: a store in memory that is not open does not exist.
  override class func destroy(at url: URL, options: StoreOptions) throws {}

  func save(_ changes: StoreChanges) throws { try core.apply(changes) }
}
