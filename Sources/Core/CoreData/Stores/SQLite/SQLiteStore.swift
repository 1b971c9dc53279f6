import Synchronization

/// The store of type `NSSQLiteStoreType`: an SQLite file in Apple's format.
///
/// Reads use up to four connections at once, writes a single one. A save is one transaction; with
/// the default settings it is on the disk when the save returns.
///
/// Sendable: `opened` and `metadataChanged` have their locks, and the contents are safe to share.
final class SQLiteStore: NSPersistentStore, RowStore, @unchecked Sendable {
  private let opened = Mutex<StoreContents?>(nil)
  private let metadataChanged = Mutex(false)

  override var rowStore: (any RowStore)? { self }

  override var type: String { NSSQLiteStoreType }

  override var metadata: [String: Any]! {
    get { super.metadata }
    set {
      super.metadata = newValue
      metadataChanged.withLock { $0 = true }
    }
  }

  override func loadMetadata() throws {
    guard let model = coordinatorModel else {
      throw CoreDataError.make(.persistentStoreOpen, reason: "A store needs a coordinator.")
    }
    let result = try StoreOpener(self, model: model).open()
    metadata = result.metadata
    metadataChanged.withLock { $0 = false }
    if result.isReadOnly { isReadOnly = true }
    try result.contents?.reporting(.open) {
      try result.contents?.followChanges(for: self, storeUUID: identifier)
    }
    opened.withLock { $0 = result.contents }
  }

  override func closeFiles() {
    let contents = opened.withLock { opened in
      defer { opened = nil }
      return opened
    }
    contents?.close()
  }

  override var hasCheckedModel: Bool { opened.withLock { $0 != nil } }

  /// The open store. Throws `persistentStoreOperation` after the store was removed from its
  /// coordinator.
  var contents: StoreContents {
    get throws {
      if let contents = opened.withLock({ $0 }) { return contents }
      throw CoreDataError.make(
        .persistentStoreOperation,
        reason: "The store at \(url?.path ?? "?") is not open: it has been removed from its "
          + "coordinator.")
    }
  }

  /// The metadata that the current save has to write; nil if they have not changed.
  func takeChangedMetadata() -> [String: Any]? {
    let changed = metadataChanged.withLock { changed in
      defer { changed = false }
      return changed
    }
    return changed ? metadata : nil
  }

  /// Marks the metadata as changed again, after the save that was to write them has failed.
  func putBackChangedMetadata() { metadataChanged.withLock { $0 = true } }

  // MARK: - Stores that are not open

  override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
    try StoreFiles(url).metadata()
  }

  override class func setMetadata(
    _ metadata: [String: Any]?, forPersistentStoreAt url: URL
  ) throws {
    try StoreFiles(url).setMetadata(metadata ?? [:])
  }

  override class func cachedModel(at url: URL) throws -> NSManagedObjectModel {
    try StoreFiles(url).cachedModel()
  }

  override class func isTaken(_ url: URL, options: StoreOptions) throws -> Bool {
    guard case .file(let file) = try StoreLocation(url) else { return false }
    guard try super.isTaken(file, options: options) else { return false }
    return try StoreFiles(file).hasTables(timeout: options.timeout)
  }

  override class func destroy(at url: URL, options: StoreOptions) throws {
    try StoreFiles(url).destroy(
      byForce: options.isOn(NSPersistentStoreForceDestroyOption), timeout: options.timeout)
  }

  override class func replace(
    at destination: URL, options: StoreOptions, from source: URL, sourceOptions: StoreOptions
  ) throws {
    try StoreFiles(destination).replace(
      with: StoreFiles(source), timeout: options.timeout ?? sourceOptions.timeout)
  }
}
