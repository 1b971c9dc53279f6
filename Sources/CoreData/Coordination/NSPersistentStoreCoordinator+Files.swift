extension NSPersistentStoreCoordinator {
  /// Empties the store at a URL, under its locks, so that other processes stay safe. The file of a SQLite
  /// store stays; its external data go.
  ///
  /// A store that this coordinator has open is removed from it first. Throws 134090 when somebody keeps it
  /// locked, unless `NSPersistentStoreForceDestroyOption` says that it goes all the same.
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
    if let open = persistentStore(for: url) { try remove(open) }
    let storeClass = try StoreRegistry.storeClass(ofType: storeType)
    if let storeClass = storeClass as? any ServerStore.Type {
      return try storeClass.destroyStore(at: url, options: StoreOptions(options))
    }
    try storeClass.destroy(at: url, options: StoreOptions(options))
  }

  /// Copies the store at one URL over the store at another, file by file, table by table on servers, and row by row between
  /// a file of SQLite and a server, of whose types either may be named: IDs stay valid, and the UUID is the same. The source may be open, here or elsewhere, so this also makes a backup of a live store, as it is
  /// at one moment and with its external data. Nothing happens when there is no store at the source.
  ///
  /// A destination that this coordinator has open is closed meanwhile, and opened again as it was, whether the
  /// replacement succeeds or not: the coordinator has another `NSPersistentStore` object then. Reset the contexts, whose
  /// objects have the values that were replaced. Who adds the store once more, as by `loadPersistentStores`, gets the one
  /// that is there. A store in memory is refused (134060): it would be gone.
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
    try withoutStore(at: destinationURL) {
      let storeClass = try StoreRegistry.storeClass(ofType: storeType)
      let (options, sourceOptions) = (
        StoreOptions(destinationOptions), StoreOptions(sourceOptions)
      )
      if let server = try Self.server(of: storeClass, sourceURL, destinationURL) {
        return try server.replaceStore(
          at: destinationURL, options: options, from: sourceURL, sourceOptions: sourceOptions)
      }
      try storeClass.replace(
        at: destinationURL, options: options, from: sourceURL, sourceOptions: sourceOptions)
    }
  }

  /// The class of a store that is on a server, by the type or by one of the addresses; nil for files. The other one may
  /// be a file of SQLite.
  private static func server(
    of storeClass: NSPersistentStore.Type, _ urls: URL...
  ) throws -> (any ServerStore.Type)? {
    if let server = storeClass as? any ServerStore.Type { return server }
    guard let server = urls.lazy.compactMap({ Self.server(at: $0) }).first else { return nil }
    if storeClass == SQLiteStore.self { return server.storeClass }
    throw CoreDataError.unsupported(
      "Replacing a store on a server by one of class \(storeClass), or the other way round",
      instead: "migratePersistentStore(_:to:options:type:) moves objects from the one to the other."
    )
  }

  /// Runs `body` while a store of this coordinator is closed, if there is one at the URL, and opens it again.
  private func withoutStore(at url: URL, _ body: () throws -> Void) throws {
    guard let open = persistentStore(for: url) else { return try body() }
    guard open.type != NSInMemoryStoreType else {
      throw CoreDataError.file(
        .persistentStoreOperation, url: url,
        reason:
          "A store in memory that is open cannot be replaced: remove it from the coordinator, and add "
          + "the other one.")
    }
    try remove(open)
    do { try body() } catch {
      // The error that led here is the one that matters.
      try? reopen(open, at: url)
      throw error
    }
    try reopen(open, at: url)
  }

  private func reopen(_ closed: NSPersistentStore, at url: URL) throws {
    let store = try addPersistentStore(
      ofType: closed.type, configurationName: closed.configurationName, at: url,
      options: closed.options)
    store.storeDescription = closed.storeDescription
    store.isReopened = true
  }
}
