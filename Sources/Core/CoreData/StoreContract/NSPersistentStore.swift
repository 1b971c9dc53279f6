/// The superclass of all stores: a store's URL, options, configuration and metadata.
///
/// Stores are made by a coordinator. A custom class derives from `NSIncrementalStore` or
/// `NSAtomicStore` and is registered with
/// ``NSPersistentStoreCoordinator/registerStoreClass(_:type:)``. An initialiser of its own is
/// spelled `required` (on Apple's platforms `required override`), since the coordinator makes the
/// store from its class.
///
/// Source: developer.apple.com/documentation/coredata/nspersistentstore
///
/// Used by several threads at once: `lock` guards the mutable state, a subclass guards its own.
open class NSPersistentStore: NSObject {
  private struct State {
    var url: URL?
    var isReadOnly: Bool
    var metadata: [String: Any] = [:]
    var identities: IdentitySpace?
    weak var storeDescription: AnyObject?
    var isReopened = false
  }

  private let lock = NSRecursiveLock()
  private var state: State

  /// The store as a ``RowStore``. Read for each fault: the SQLite store overrides it with `self`,
  /// since the cast takes as long as finding a row in memory.
  package var rowStore: (any RowStore)? { self as? any RowStore }

  /// The coordinator that the store was made for.
  open var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
    coordinatorReference?.target
  }
  final let coordinatorReference: SoftReference<NSPersistentStoreCoordinator>?
  /// The name of the model's configuration whose entities the store holds;
  /// `PF_DEFAULT_CONFIGURATION_NAME` if none was given.
  open private(set) var configurationName: String
  /// The options that the store was added with.
  open private(set) var options: [AnyHashable: Any]?
  /// The store's number in its coordinator, 1…127, which is part of each ``PackedIdentity``. The
  /// coordinator sets it before it uses the store.
  package internal(set) final var ordinal = 0

  /// Makes a store that is not loaded yet. Called by the coordinator.
  public required init(
    persistentStoreCoordinator root: NSPersistentStoreCoordinator?,
    configurationName name: String?, at url: URL, options: [AnyHashable: Any]? = nil
  ) {
    coordinatorReference = root?.reference
    configurationName = name ?? NSManagedObjectModel.defaultConfigurationName
    self.options = options
    let isReadOnly = StoreOptions(options).isReadOnly
    state = State(url: url, isReadOnly: isReadOnly)
  }

  deinit { state.identities?.store = nil }

  /// The URL of the store.
  open var url: URL? {
    get { lock.withLock { state.url } }
    set { lock.withLock { state.url = newValue } }
  }

  /// The `NSPersistentStoreDescription` that the store was added with.
  final var descriptionObject: AnyObject? {
    get { lock.withLock { state.storeDescription } }
    set { lock.withLock { state.storeDescription = newValue } }
  }

  /// Whether the coordinator has reopened this store after its contents were replaced. A client
  /// that adds the store again then gets this one.
  final var isReopened: Bool {
    get { lock.withLock { state.isReopened } }
    set { lock.withLock { state.isReopened = newValue } }
  }

  /// Whether the store is read-only: saving its objects is then refused.
  open var isReadOnly: Bool {
    get { lock.withLock { state.isReadOnly } }
    set { lock.withLock { state.isReadOnly = newValue } }
  }

  /// The store's metadata: at least its type and UUID, once it is loaded. These stay as they are
  /// where they are left out.
  open var metadata: [String: Any]! {
    get { lock.withLock { state.metadata } }
    set {
      lock.withLock { state.metadata = StoreMetadata.keeping(state.metadata, in: newValue ?? [:]) }
    }
  }

  /// The store's UUID, which is part of the URIs of its objects.
  ///
  /// Set it before the store makes its first object ID; a later value is used from the next opening
  /// on.
  open var identifier: String! {
    get { metadata[NSStoreUUIDKey] as? String }
    set { lock.withLock { state.metadata[NSStoreUUIDKey] = newValue } }
  }

  /// The type that the store was registered with, such as `NSSQLiteStoreType`.
  open var type: String { metadata[NSStoreTypeKey] as? String ?? "" }

  /// Opens or creates the store, and sets ``metadata`` with its type and UUID. Throws 134060 unless
  /// overridden.
  open func loadMetadata() throws {
    throw CoreDataError.unsupported(
      "loadMetadata() of \(Swift.type(of: self))", instead: "A store's class must override it.")
  }

  /// Reads the store's contents, once the coordinator has checked the metadata against its model.
  package func loadContents() throws {}

  /// Called after the store was added to the coordinator.
  open func didAdd(to coordinator: NSPersistentStoreCoordinator) {}

  /// Called before the store is removed from the coordinator. A subclass closes its files here.
  open func willRemove(from coordinator: NSPersistentStoreCoordinator?) { closeFiles() }

  /// Closes the files of a store that is removed.
  func closeFiles() {}

  /// The identity space of this store's objects. Traps if the store has no UUID yet.
  package final var identities: IdentitySpace {
    lock.withLock {
      if let identities = state.identities { return identities }
      let identities = makeIdentities()
      state.identities = identities
      return identities
    }
  }

  private func makeIdentities() -> IdentitySpace {
    guard let uuid = identifier else {
      preconditionFailure("\(Swift.type(of: self)) sets no NSStoreUUIDKey in loadMetadata()")
    }
    let space = IdentitySpace(storeOrdinal: ordinal, storeUUID: uuid, layouts: layouts)
    space.store = self
    space.usage = usage
    return space
  }

  /// The record of which objects contexts use; nil for stores that do not need it.
  package var usage: ObjectUsage? { nil }

  /// Whether the store itself has verified that its model is the coordinator's; the coordinator
  /// then skips the check.
  package var hasCheckedModel: Bool { false }

  /// The table of the store's own references to its objects; nil for a store that numbers its
  /// objects.
  var referenceTable: ReferenceTable? { nil }

  /// The text that stands for a key in a URI; nil where that is the number itself.
  package final func referenceText(forKey key: Int64) -> String? {
    referenceTable?.text(of: key)
  }

  /// The key of an entity's object by its text in a URI, the inverse of ``referenceText(forKey:)``;
  /// nil if the text is no reference of this store.
  package final func key(forReferenceText text: String, _ layout: EntityLayout) -> Int64? {
    if let referenceTable { return referenceTable.key(forText: text, layout) }
    guard let key = Int64(text), key > 0, key < 1 << 40 else { return nil }
    return key
  }

  /// Whether the store reads on behalf of contexts, and counts the objects that they use.
  var servesContexts: Bool { false }

  /// Informs a store that serves contexts of the objects that they have begun and ceased to use.
  func announceUsage() {}

  // MARK: - Stores that are not open

  /// The class of the migration manager that migrates stores of this class to another version of
  /// their model.
  ///
  /// Source: developer.apple.com/documentation/coredata/nspersistentstore/migrationmanagerclass()
  open class func migrationManagerClass() -> AnyClass { NSMigrationManager.self }

  /// The metadata of the store at a URL, read without opening the store. Throws 134060 unless
  /// overridden.
  open class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
    throw CoreDataError.unsupported("Reading the metadata of a store of class \(self)")
  }

  /// Replaces the metadata of the store at a URL. Throws 134060 unless overridden.
  open class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
    throw CoreDataError.unsupported("Setting the metadata of a store of class \(self)")
  }

  /// The model that is stored in the store at a URL.
  package class func cachedModel(at url: URL) throws -> NSManagedObjectModel {
    throw CoreDataError.unsupported("Reading the model of a store of class \(self)")
  }

  /// Whether there is something at a URL that a new store would meet: a store, or a file with
  /// bytes that is none.
  package class func isTaken(_ url: URL, options: StoreOptions) throws -> Bool {
    guard url.isFileURL else { return false }
    var status = stat()
    guard stat(url.path, &status) == 0 else { return false }
    return status.st_size > 0 || status.st_mode & S_IFMT == S_IFDIR
  }

  /// Empties or removes the store at a URL. Overridden by classes whose stores are files.
  package class func destroy(at url: URL, options: StoreOptions) throws {
    throw CoreDataError.unsupported("Destroying a store of class \(self)")
  }

  /// Copies the store at `source` over the one at `destination`.
  package class func replace(
    at destination: URL, options: StoreOptions, from source: URL, sourceOptions: StoreOptions
  ) throws {
    throw CoreDataError.unsupported("Replacing a store of class \(self)")
  }
}

extension NSPersistentStore {
  /// The coordinator's model; nil for a store without a coordinator.
  package final var coordinatorModel: NSManagedObjectModel? {
    persistentStoreCoordinator?.managedObjectModel
  }

  /// The layouts of every entity of the coordinator's model.
  package final var layouts: [EntityLayout] { persistentStoreCoordinator?.layouts ?? [] }
}
