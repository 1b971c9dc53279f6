extension NSPersistentStoreCoordinator {
  /// Moves a store's objects into a new store, which may be of another type: “save as”.
  ///
  /// The objects get new IDs, the new store gets its own UUID. The old store is removed from the
  /// coordinator; its file stays. Throws 134060 for a store of another coordinator and 516 if
  /// something is at the URL; then, and when copying fails, the coordinator is unchanged. A place
  /// that `destroyPersistentStore` has emptied, or a file without bytes, is free.
  ///
  /// Source: developer.apple.com/documentation/coredata/nspersistentstorecoordinator
  @discardableResult
  public final func migratePersistentStore(
    _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil,
    type storeType: NSPersistentStore.StoreType
  ) throws -> NSPersistentStore {
    try migratePersistentStore(
      store, to: storeURL, options: options, withType: storeType.rawValue)
  }

  final func move(
    _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]?,
    ofType storeType: String
  ) throws -> NSPersistentStore {
    guard persistentStores.contains(where: { $0 === store }) else {
      throw CoreDataError.make(
        .coreData, reason: "The store at \(store.url?.path ?? "?") is not in this coordinator.")
    }
    try checkFree(storeURL, forType: storeType, options: options)
    let new = try addPersistentStore(
      ofType: storeType, configurationName: store.configurationName, at: storeURL,
      options: options)
    let identities: [NSManagedObjectID]
    do { identities = try copy(store, to: new) } catch {
      // The unfinished new store is removed; the error of the copy is the one to report.
      try? remove(new)
      try? destroyPersistentStore(at: storeURL, ofType: storeType, options: options)
      throw error
    }
    try retire(store, for: new, identities: identities)
    return new
  }

  private func checkFree(
    _ url: URL, forType type: String, options: [AnyHashable: Any]?
  ) throws {
    let storeClass = try StoreRegistry.storeClass(ofType: type)
    guard try storeClass.meetsSomething(at: url, options: StoreOptions(options)) else { return }
    throw CoreDataError.make(
      .fileWriteFileExists,
      reason: "There is something at \(Self.comparable(url)) already; empty the place with "
        + "destroyPersistentStore(at:type:options:), or choose another one.",
      userInfo: url.isFileURL ? [NSFilePathErrorKey: url.path] : [:])
  }

  /// Copies all objects; returns the old and the new ID of each.
  private func copy(
    _ store: NSPersistentStore, to new: NSPersistentStore
  ) throws -> [NSManagedObjectID] {
    var copy = StoreCopy(
      from: try rowStore(store), to: try rowStore(new),
      layouts: layouts.filter { holds($0.entity, in: store) })
    try copy.run()
    var metadata = new.metadata ?? [:]
    metadata.merge(store.metadata ?? [:]) { own, _ in own }
    new.metadata = metadata
    try rowStore(new).save(StoreChanges())
    return copy.identityPairs
  }

  /// Removes the old store, posting notifications in the order in which Apple's framework posts
  /// them.
  private func retire(
    _ store: NSPersistentStore, for new: NSPersistentStore, identities: [NSManagedObjectID]
  ) throws {
    for leaving in [store, new] {
      NotificationCenter.default.post(
        name: .NSPersistentStoreCoordinatorWillRemoveStore, object: leaving,
        userInfo: [NSRemovedPersistentStoresKey: [leaving]])
    }
    NotificationCenter.default.post(
      name: .NSPersistentStoreCoordinatorStoresDidChange, object: self,
      userInfo: [NSUUIDChangedPersistentStoresKey: [store, new, identities] as [Any]])
    try remove(store)
  }
}
