extension NSPersistentStoreCoordinator {
  /// Empties the store at a URL under its locks, so that other processes stay safe. The file of a
  /// SQLite store stays; its external data and what sync keeps beside it are removed.
  ///
  /// If this coordinator has the store open, the store is removed from it first. Throws 134090
  /// while another connection holds a lock, unless the option `NSPersistentStoreForceDestroyOption`
  /// is set.
  public final func destroyPersistentStore(
    at url: URL, type storeType: NSPersistentStore.StoreType,
    options: [AnyHashable: Any]? = nil
  ) throws {
    try destroyPersistentStore(at: url, ofType: storeType.rawValue, options: options)
  }

  final func destroy(
    at url: URL, ofType storeType: String, options: [AnyHashable: Any]?
  ) throws {
    if let open = persistentStore(for: url) { try remove(open) }
    let storeClass = try StoreRegistry.storeClass(ofType: storeType)
    if let storeClass = storeClass as? any ServerStore.Type {
      return try storeClass.destroyStore(at: url, options: StoreOptions(options))
    }
    try storeClass.destroy(at: url, options: StoreOptions(options))
    if storeClass == SQLiteStore.self { try MirrorFiles.remove(beside: url) }
  }

  /// Copies the store at one URL over the store at another: file by file, table by table on
  /// servers, row by row between a SQLite file and a server (either of the two types may be named).
  /// IDs stay valid, the UUID is copied. The source may be open, in this process or another: the
  /// copy shows it as of one moment, external data included, so this also backs up a live store.
  /// Without a store at the source, nothing happens. What sync keeps beside the destination is of
  /// the store that was there, and is removed; a mirrored store is mirrored again, from what it has
  /// now.
  ///
  /// A destination that this coordinator has open is closed meanwhile and reopened with its
  /// options, whether the replacement succeeds or not: the coordinator then has another
  /// `NSPersistentStore` object. Reset contexts, whose objects hold the replaced values. Adding the
  /// store again, as `loadPersistentStores` does, returns the reopened store. An open store in
  /// memory is refused (134070): closing it would lose it.
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

  final func replace(
    at destinationURL: URL, destinationOptions: [AnyHashable: Any]?,
    from sourceURL: URL, sourceOptions: [AnyHashable: Any]?, ofType storeType: String
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
      if storeClass == SQLiteStore.self,
        FileManager.default.fileExists(atPath: sourceURL.path),
        Self.comparable(sourceURL) != Self.comparable(destinationURL)
      {
        try MirrorFiles.remove(beside: destinationURL)
      }
    }
  }

  /// The class of a store on a server, from the type or from one of the URLs, of which the other
  /// may be a SQLite file; nil if both stores are files.
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

  /// Runs `body` while the store at this URL is closed, if this coordinator has it, and reopens it
  /// then.
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
      // The error of `body` is the one to report.
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
    if let mirroring = closed.storeDescription?.cloudKitContainerOptions?.mirroring {
      mirrors?.start(mirroring, of: store, coordinator: self)
    }
  }
}
