extension NSPersistentStoreCoordinator {
  final func write(metadata: [String: Any]?, to store: NSPersistentStore) {
    store.metadata = StoreMetadata.keeping(store.metadata ?? [:], in: metadata ?? [:])
  }

  /// The metadata of a store that need not be open; throws 134000 for an unregistered type.
  public final class func metadataForPersistentStore(
    type: NSPersistentStore.StoreType, at url: URL, options: [AnyHashable: Any]? = nil
  ) throws -> [String: Any] {
    try metadataForPersistentStore(ofType: type.rawValue, at: url, options: options)
  }

  /// The metadata of a store that need not be open; throws 134000 for an unregistered type.
  public final class func metadataForPersistentStore(
    ofType storeType: String, at url: URL, options: [AnyHashable: Any]? = nil
  ) throws -> [String: Any] {
    try StoreRegistry.storeClass(ofType: storeType).metadataForPersistentStore(with: url)
  }

  /// The model that a SQLite store or a store on a server keeps of itself: the model with which it
  /// was made or last migrated. A coordinator with this model can open the store when no other
  /// model is at hand. The file is not changed.
  ///
  /// Throws 134080 for a store without a model (of systems before iOS 9 and OS X 10.11), 259 for a
  /// store whose model is damaged.
  public final class func cachedModelForPersistentStore(
    at url: URL, options: [AnyHashable: Any]? = nil
  ) throws -> NSManagedObjectModel {
    let type = ServerStores.type(at: url) ?? NSSQLiteStoreType
    return try StoreRegistry.storeClass(ofType: type).keptModel(at: url)
  }

  /// Writes the metadata of a store that is not open; throws 134000 for an unregistered type.
  public final class func setMetadata(
    _ metadata: [String: Any]?, type: NSPersistentStore.StoreType, at url: URL,
    options: [AnyHashable: Any]? = nil
  ) throws {
    try setMetadata(
      metadata, forPersistentStoreOfType: type.rawValue, at: url, options: options)
  }

  /// Writes the metadata of a store that is not open; throws 134000 for an unregistered type.
  public final class func setMetadata(
    _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String, at url: URL,
    options: [AnyHashable: Any]? = nil
  ) throws {
    try StoreRegistry.storeClass(ofType: storeType)
      .setMetadata(metadata, forPersistentStoreAt: url)
  }
}
