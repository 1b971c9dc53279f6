// The steps of adding a store.
extension NSPersistentStoreCoordinator {
  final func checkConfiguration(_ name: String?) throws {
    guard managedObjectModel.entities(forConfigurationName: name) == nil else { return }
    let known = managedObjectModel.configurations.joined(separator: ", ")
    throw CoreDataError.make(
      .coreData,
      reason: "The model has no configuration named “\(name ?? "")”; it has: \(known)")
  }

  /// The made-up URL of a store in memory that was given none. Throws 134080 for any other type.
  static func missingURL(ofType type: String) throws -> URL {
    if type == NSInMemoryStoreType, let url = URL(string: "memory://\(UUID().uuidString)") {
      return url
    }
    throw CoreDataError.make(
      .persistentStoreOpen, reason: "A store of type \(type) needs a URL, but none was given.")
  }

  final func checkNotAdded(_ url: URL) throws {
    // Every store at /dev/null is a store of its own.
    guard !persistentStores.isEmpty, url.path != "/dev/null", persistentStore(for: url) != nil
    else { return }
    throw CoreDataError.file(
      .persistentStoreOpen, url: url, reason: "Can't add the same store twice")
  }

  /// The form in which URLs are compared: of a file, the path with links resolved; of a server, the
  /// URL without its password.
  static func comparable(_ url: URL) -> String {
    if url.isFileURL { return url.standardizedFileURL.resolvingSymlinksInPath().path }
    guard url.password != nil,
      var components = URLComponents(url: url, resolvingAgainstBaseURL: false)
    else { return url.absoluteString }
    components.password = nil
    return components.string ?? url.absoluteString
  }

  /// Loads a new store and adds it to this coordinator.
  final func open(_ store: NSPersistentStore, type: String, url: URL) throws {
    try claimOrdinal(for: store)
    do {
      try store.loadMetadata()
      try checkIdentity(of: store, type: type, url: url)
      if try migrate(store, type: type, url: url) { try store.loadMetadata() }
      try checkVersion(of: store, url: url)
      try store.loadContents()
      try attach(store, url: url)
    } catch {
      state.withLock { $0.storesByOrdinal[store.ordinal] = nil }
      throw error
    }
    store.didAdd(to: self)
    InertOptions.report(StoreOptions(store.options))
  }

  /// Assigns the next free ordinal, not one that was just released: contexts may still hold its
  /// IDs.
  private func claimOrdinal(for store: NSPersistentStore) throws {
    store.ordinal = try state.withLock { state in
      for step in 1...127 {
        let ordinal = (state.lastOrdinal + step - 1) % 127 + 1
        guard state.storesByOrdinal[ordinal] == nil else { continue }
        state.lastOrdinal = ordinal
        state.storesByOrdinal[ordinal] = store
        return ordinal
      }
      throw CoreDataError.make(
        .persistentStoreOpen, reason: "A coordinator has 127 stores at most; remove one first.")
    }
  }

  private func checkIdentity(of store: NSPersistentStore, type: String, url: URL) throws {
    guard store.type == type else {
      throw CoreDataError.file(
        .persistentStoreTypeMismatch, url: url,
        reason: "The store was to be of type \(type) but is of type \(store.type).")
    }
    guard store.identifier != nil else {
      throw CoreDataError.file(
        .persistentStoreOpen, url: url,
        reason: "loadMetadata() of \(Swift.type(of: store)) must set \(NSStoreUUIDKey).")
    }
    guard store.rowStore != nil else {
      throw CoreDataError.unsupported(
        "A store of class \(Swift.type(of: store))",
        instead: "Derive it from NSIncrementalStore or NSAtomicStore.")
    }
  }

  /// True if the store is of this version of the model. A store without version hashes fits every
  /// model.
  private func fits(_ store: NSPersistentStore) -> Bool {
    let metadata = store.metadata ?? [:]
    guard metadata[NSStoreModelVersionHashesKey] != nil,
      !StoreOptions(store.options).ignoresVersioning, !store.hasCheckedModel,
      (store as? any ServerStore)?.isOfNewerModel != true
    else { return true }
    if managedObjectModel.isConfiguration(
      withName: store.configurationName, compatibleWithStoreMetadata: metadata)
    {
      return true
    }
    guard
      let renewed = FormerVersionHash.renewed(
        metadata, for: managedObjectModel, configuration: store.configurationName)
    else { return false }
    store.metadata = renewed
    return true
  }

  private func checkVersion(of store: NSPersistentStore, url: URL) throws {
    guard !fits(store) else { return }
    let found =
      "The model used to open the store is incompatible with the one used to create the "
      + "store"
    let isUnwritable = StoreOptions(store.options).migratesAutomatically && store.isReadOnly
    throw CoreDataError.incompatibleModel(
      url: store.url ?? url, metadata: store.metadata ?? [:],
      reason: isUnwritable ? "\(found), and a store that is only read cannot be migrated" : found)
  }

  /// Migrates a store of another version of the model if its options ask for that. Returns true if
  /// it was migrated.
  private func migrate(_ store: NSPersistentStore, type: String, url: URL) throws -> Bool {
    guard !store.isReadOnly, url.isFileURL || store is any ServerStore,
      !url.path.hasPrefix("/dev/null")
    else { return false }
    if fits(store) {
      if url.isFileURL {
        StoreReplacement(url: url, type: type).removeLeftoversOfEndedProcess()
      }
      return false
    }
    guard StoreOptions(store.options).migratesAutomatically else { return false }
    let isWhole = store.configurationName == NSManagedObjectModel.defaultConfigurationName
    try StoreMigration(
      url: url, type: type, configuration: isWhole ? nil : store.configurationName,
      options: store.options ?? [:], destination: managedObjectModel
    ).run()
    return true
  }

  private func attach(_ store: NSPersistentStore, url: URL) throws {
    let isNew = state.withLock { state in
      guard !state.stores.contains(where: { $0.identifier == store.identifier }) else {
        return false
      }
      state.stores.append(store)
      return true
    }
    if store.servesContexts { servesContexts.store(true, ordering: .releasing) }
    guard isNew else {
      throw CoreDataError.file(
        .persistentStoreOpen, url: url,
        reason: "Can't add the same store twice: a store with the UUID \(store.identifier ?? "") "
          + "is here already")
    }
  }

  final func detach(_ store: NSPersistentStore) {
    state.withLock { state in
      state.stores.removeAll { $0 === store }
      state.storesByOrdinal[store.ordinal] = nil
    }
    store.identities.store = nil
  }

  final func announce(added store: NSPersistentStore) {
    NotificationCenter.default.post(
      name: .NSPersistentStoreCoordinatorStoresDidChange, object: self,
      userInfo: [NSAddedPersistentStoresKey: [store]])
  }
}
