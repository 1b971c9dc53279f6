extension NSPersistentStoreCoordinator {
  /// Opens a store, or makes it if it does not exist, and adds it to the coordinator.
  ///
  /// Throws 134000 for an unregistered type, 134010 for a store of another type, 134060 for an
  /// unknown configuration, 134080 for a store that was added already, 134100 for a store of
  /// another version of the model, and the errors of the store itself.
  @discardableResult
  public final func addPersistentStore(
    type: NSPersistentStore.StoreType, configuration: String? = nil, at storeURL: URL,
    options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStore {
    try addPersistentStore(
      ofType: type.rawValue, configurationName: configuration, at: storeURL, options: options)
  }

  final func add(
    ofType storeType: String, configuration: String?, at storeURL: URL?,
    options: [AnyHashable: Any]?
  ) throws -> NSPersistentStore {
    let storeClass = try StoreRegistry.storeClass(ofType: storeType)
    try checkConfiguration(configuration)
    let url = try storeURL ?? Self.missingURL(ofType: storeType)
    if let reopened = persistentStore(for: url), reopened.isReopened, reopened.type == storeType {
      reopened.isReopened = false
      return reopened
    }
    try checkNotAdded(url)
    let store = storeClass.init(
      persistentStoreCoordinator: self, configurationName: configuration, at: url,
      options: options)
    try open(store, type: storeType, url: url)
    announce(added: store)
    return store
  }

  final func add(
    storeDescription: NSPersistentStoreDescription,
    completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    let task = AddingTask(
      coordinator: self, description: storeDescription, progress: MigrationProgress.current,
      completion: block)
    if storeDescription.shouldAddStoreAsynchronously {
      DispatchQueue.global(qos: .userInitiated).async { task.run() }
    } else {
      task.run()
    }
  }

  final func removeFromList(_ store: NSPersistentStore) throws {
    guard persistentStores.contains(where: { $0 === store }) else {
      throw CoreDataError.make(
        .coreData, reason: "The store at \(store.url?.path ?? "?") is not in this coordinator.")
    }
    NotificationCenter.default.post(
      name: .NSPersistentStoreCoordinatorWillRemoveStore, object: store,
      userInfo: [NSRemovedPersistentStoresKey: [store]])
    mirrors?.end(store)
    store.willRemove(from: self)
    detach(store)
    NotificationCenter.default.post(
      name: .NSPersistentStoreCoordinatorStoresDidChange, object: self,
      userInfo: [NSRemovedPersistentStoresKey: [store]])
  }

  final func store(at url: URL) -> NSPersistentStore? {
    let path = Self.comparable(url)
    return persistentStores.first { store in
      guard let other = store.url else { return false }
      return Self.comparable(other) == path
    }
  }

  final func place(of store: NSPersistentStore) -> URL {
    store.url ?? URL(fileURLWithPath: "/dev/null")
  }

  final func note(_ url: URL, of store: NSPersistentStore) -> Bool {
    guard persistentStores.contains(where: { $0 === store }) else { return false }
    store.url = url
    return true
  }

  /// Sendable: a bundle of parameters that one thread hands over to another once.
  private struct AddingTask: @unchecked Sendable {
    let coordinator: NSPersistentStoreCoordinator
    let description: NSPersistentStoreDescription
    let progress: MigrationProgress?
    let completion: (NSPersistentStoreDescription, (any Error)?) -> Void

    func run() {
      do { try MigrationProgress.$current.withValue(progress) { try add() } } catch {
        return completion(description, error)
      }
      progress?.report(1)
      completion(description, nil)
    }

    private func add() throws {
      let mirroring = try description.cloudKitContainerOptions.map(way)
      var options = description.options
      if mirroring != nil, options[NSPersistentHistoryTrackingKey] == nil {
        options[NSPersistentHistoryTrackingKey] = NSNumber(value: true)
      }
      let store = try coordinator.addPersistentStore(
        ofType: description.type, configurationName: description.configuration,
        at: description.url, options: options)
      store.storeDescription = description
      if let (mirroring, mirrors) = mirroring {
        mirrors.start(mirroring, of: store, coordinator: coordinator)
      }
    }

    /// The way in which a store is mirrored, and who keeps its mirror.
    private func way(
      _ options: NSPersistentCloudKitContainerOptions
    ) throws -> (StoreMirroring, StoreMirrors) {
      guard let mirroring = options.mirroring else {
        throw CoreDataError.unsupported(
          "CloudKit (cloudKitContainerOptions of “\(options.containerIdentifier)”)",
          instead: "Set cloudKitContainerOptions to nil to keep the store on this machine.")
      }
      guard let mirrors = coordinator.mirrors else {
        throw CoreDataError.unsupported(
          "Mirroring (cloudKitContainerOptions of “\(options.containerIdentifier)”)",
          instead: "Load the store with an NSPersistentCloudKitContainer.")
      }
      return (mirroring, mirrors)
    }
  }
}
