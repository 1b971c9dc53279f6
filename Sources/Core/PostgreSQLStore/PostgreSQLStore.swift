import CoreData
import Synchronization

/// Store of type ``CoreData/NSPersistentStore/StoreType/postgreSQL``: one schema of a database on a
/// PostgreSQL server.
///
/// Reads and saves use connections of a pool. A save is one transaction, whose statements are sent
/// without waiting for each answer.
///
/// Sendable: each stored property is in a mutex; StoreContents, ConnectionPool and ChangeListener
/// are thread-safe.
final class PostgreSQLStore: NSPersistentStore, ServerStore, @unchecked Sendable {
  private let opened = Mutex<StoreContents?>(nil)
  private let pool = Mutex<ConnectionPool?>(nil)
  private let listener = Mutex<ChangeListener?>(nil)
  private let metadataChanged = Mutex(false)
  private let hasGained = Mutex(false)

  override var type: String { NSPersistentStore.StoreType.postgreSQL.rawValue }

  /// The URL without the password, which only the connections have.
  override var url: URL? {
    get { super.url.map(ServerAddress.withoutPassword) }
    set { super.url = newValue }
  }

  override var metadata: [String: Any]! {
    get { super.metadata }
    set {
      super.metadata = newValue
      metadataChanged.withLock { $0 = true }
    }
  }

  // MARK: - Opening

  override func loadMetadata() throws {
    let (opener, address) = try opener()
    pool.withLock { $0 = opener.pool }
    do {
      let found = try opener.pool.opening { try opener.open() }
      metadata = found.metadata
      if found.isReadOnly { isReadOnly = true }
      // The coordinator reports a store of another model version.
      let contents = try opener.pool.opening {
        try fits(opener) || isOfNewerModel(opener) ? opener.contents(identities) : nil
      }
      if contents != nil, opener.options.postsRemoteChanges {
        let made = ChangeListener(
          self, address: address, replicas: contents?.replicas, timeout: opener.options.timeout)
        try opener.pool.opening { try made.start() }
        listener.withLock { $0 = made }
      }
      opened.withLock { $0 = contents }
    } catch let error as PostgreSQLError {
      throw error.cocoaError(address, doing: .open)
    }
    metadataChanged.withLock { $0 = false }
  }

  var isOfNewerModel: Bool { hasGained.withLock { $0 } }

  private func isOfNewerModel(_ opener: StoreOpener) throws -> Bool {
    let isNewer = try opener.hasOnlyGained(metadata ?? [:])
    hasGained.withLock { $0 = isNewer }
    return isNewer
  }

  private func fits(_ opener: StoreOpener) -> Bool {
    let metadata = metadata ?? [:]
    return opener.options.ignoresVersioning || metadata[NSStoreModelVersionHashesKey] == nil
      || opener.model.isConfiguration(
        withName: configurationName, compatibleWithStoreMetadata: metadata)
  }

  private func opener() throws -> (StoreOpener, ServerAddress) {
    guard let coordinator = persistentStoreCoordinator, let url = super.url else {
      throw CoreDataError.make(
        .persistentStoreOpen, reason: "A store needs a coordinator and a URL.")
    }
    let address = try ServerAddress(url)
    let options = StoreOptions(options)
    let limit = (options[NSPersistentStoreConnectionPoolMaxSizeKey] as? NSNumber)?.intValue
    let pool =
      self.pool.withLock { $0 }
      ?? ConnectionPool(
        address, limit: limit ?? ConnectionPool.defaultLimit, timeout: options.timeout)
    let opener = StoreOpener(
      address: address, pool: pool, model: coordinator.managedObjectModel,
      configuration: configurationName,
      layouts: coordinator.layouts.filter { layout in
        // A table has the whole tree of entities, even if the configuration names only some of
        // them.
        coordinator.layouts.contains {
          $0.rootNumber == layout.rootNumber && coordinator.holds($0.entity, in: self)
        }
      }, options: options)
    return (opener, address)
  }

  deinit { listener.withLock { $0?.cancel() } }

  override func willRemove(from coordinator: NSPersistentStoreCoordinator?) {
    opened.withLock { contents in
      contents?.replicas?.close()
      contents = nil
    }
    listener.withLock { listener in
      listener?.cancel()
      listener = nil
    }
    pool.withLock { pool in
      pool?.close()
      pool = nil
    }
  }

  /// The open store. Throws `NSPersistentStoreOperationError` if it has been removed from its
  /// coordinator.
  var contents: StoreContents {
    get throws {
      if let contents = opened.withLock({ $0 }) { return contents }
      throw CoreDataError.make(
        .persistentStoreOperation,
        reason: "The store at \(url?.absoluteString ?? "?") is not open: it has been removed from "
          + "its coordinator.")
    }
  }

  /// Returns the metadata for the current save to write, and resets the change flag; nil if they
  /// have not been changed.
  func takeChangedMetadata() -> [String: Any]? {
    let changed = metadataChanged.withLock { changed in
      defer { changed = false }
      return changed
    }
    return changed ? metadata : nil
  }

  /// Restores the change flag when the save that was to write the metadata has failed.
  func putBackChangedMetadata() { metadataChanged.withLock { $0 = true } }

  // MARK: - Closed stores

  override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
    try ClosedStore(url).metadata()
  }

  override class func setMetadata(
    _ metadata: [String: Any]?, forPersistentStoreAt url: URL
  ) throws {
    try ClosedStore(url).setMetadata(metadata ?? [:])
  }

  static func storedModel(at url: URL) throws -> NSManagedObjectModel {
    try ClosedStore(url).model()
  }

  static var schemes: Set<String> { ServerAddress.schemes }

  static func tracksHistory(at url: URL) throws -> Bool { try ClosedStore(url).tracksHistory() }

  static func withoutSecrets(_ url: URL) -> URL { ServerAddress.withoutPassword(url) }

  static func migrateStore(
    at url: URL, options: StoreOptions, configuration: String?, stops: [MigrationStop],
    progress: MigrationProgress.Part
  ) throws {
    try ServerMigration(
      address: ServerAddress(url), options: options, configuration: configuration, stops: stops,
      progress: progress
    ).run()
  }

  static func hasStore(at url: URL, options: StoreOptions) throws -> Bool {
    try ClosedStore(url).exists(options)
  }

  static func replaceStore(
    at destination: URL, options: StoreOptions, from source: URL, sourceOptions: StoreOptions
  ) throws {
    switch (source.isFileURL, destination.isFileURL) {
    case (false, false):
      try StoreReplacement(
        source: ServerAddress(source), destination: ServerAddress(destination),
        timeout: options.timeout, sourceTimeout: sourceOptions.timeout
      ).run()
    case (true, false):
      try FileToServer(
        source: source, destination: ServerAddress(destination), timeout: options.timeout,
        sourceTimeout: sourceOptions.timeout
      ).run()
    case (false, true):
      try ServerToFile(
        source: ServerAddress(source), destination: destination, timeout: options.timeout,
        sourceTimeout: sourceOptions.timeout
      ).run()
    case (true, true):
      throw CoreDataError.make(
        .persistentStoreOperation,
        reason: "\(source.path) and \(destination.path) are files, and the type is PostgreSQL: "
          + "name their type.")
    }
  }

  static func destroyStore(at url: URL, options: StoreOptions) throws {
    try ClosedStore(url).destroy(options)
  }
}
