extension NSPersistentStoreCoordinator {
  /// Empties the store at a URL, under its locks, so that other processes stay safe.
  ///
  /// Throws an error when this coordinator has the store open: remove it first.
  public final func destroyPersistentStore(
    at url: URL, type storeType: NSPersistentStore.StoreType,
    options: [AnyHashable: Any]? = nil
  ) throws {
    try destroyPersistentStore(at: url, ofType: storeType.rawValue, options: options)
  }

  /// Empties the store at a URL; see ``destroyPersistentStore(at:type:options:)``.
  public final func destroyPersistentStore(
    at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil
  ) throws {
    try checkClosed(url, doing: "destroy")
    try StoreRegistry.storeClass(ofType: storeType)
      .destroy(at: url, options: StoreOptions(options))
  }

  /// Copies the store at one URL over the store at another.
  public final func replacePersistentStore(
    at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
    withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil,
    type storeType: NSPersistentStore.StoreType
  ) throws {
    try replacePersistentStore(
      at: destinationURL, destinationOptions: destinationOptions,
      withPersistentStoreFrom: sourceURL, sourceOptions: sourceOptions,
      ofType: storeType.rawValue)
  }

  /// Copies the store at one URL over the store at another.
  public final func replacePersistentStore(
    at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
    withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil,
    ofType storeType: String
  ) throws {
    try checkClosed(destinationURL, doing: "replace")
    try StoreRegistry.storeClass(ofType: storeType).replace(
      at: destinationURL, options: StoreOptions(destinationOptions), from: sourceURL,
      sourceOptions: StoreOptions(sourceOptions))
  }

  /// Not available: throws an error that says so.
  public final func migratePersistentStore(
    _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil,
    type storeType: NSPersistentStore.StoreType
  ) throws -> NSPersistentStore {
    try migratePersistentStore(
      store, to: storeURL, options: options, withType: storeType.rawValue)
  }

  /// Not available: throws an error that says so.
  public final func migratePersistentStore(
    _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil,
    withType storeType: String
  ) throws -> NSPersistentStore {
    throw CoreDataError.unsupported("Moving a store with migratePersistentStore")
  }

  /// Nothing is ever deferred here, so there is nothing to finish; throws an error that says so.
  public final func finishDeferredLightweightMigration() throws {
    throw CoreDataError.unsupported("Deferred lightweight migration")
  }

  /// Nothing is ever deferred here, so there is nothing to finish; throws an error that says so.
  public final func finishDeferredLightweightMigrationTask() throws {
    throw CoreDataError.unsupported("Deferred lightweight migration")
  }

  private func checkClosed(_ url: URL, doing action: String) throws {
    guard persistentStore(for: url) != nil else { return }
    throw CoreDataError.file(
      .persistentStoreOperation, url: url,
      reason: "The store is open in this coordinator; remove it before you \(action) it.")
  }
}
