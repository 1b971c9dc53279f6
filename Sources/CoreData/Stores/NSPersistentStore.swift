/// The superclass of every store: where it is, what it holds, and its metadata.
///
/// Make stores through a coordinator. A class of your own derives from `NSIncrementalStore` or
/// `NSAtomicStore` and is registered with
/// ``NSPersistentStoreCoordinator/registerStoreClass(_:type:)``; its initialiser, when it has one, is
/// spelled `required` (on Apple's platforms `required override`), since a store is made from its class.
///
/// Source: developer.apple.com/documentation/coredata/nspersistentstore
///
/// Sendable: `lock` guards what changes; a subclass guards its own state.
open class NSPersistentStore: NSObject, @unchecked Sendable {
  private struct State {
    var url: URL?
    var isReadOnly: Bool
    var metadata: [String: Any] = [:]
    var identities: IdentitySpace?
    weak var storeDescription: NSPersistentStoreDescription?
    var isReopened = false
  }

  private let lock = NSRecursiveLock()
  private var state: State

  /// The store as one that gives rows. A class that is asked for each fault says so itself: a cast takes as long as
  /// finding a row in memory.
  package var rowStore: (any RowStore)? { self as? any RowStore }

  /// The coordinator that the store was made for.
  public final var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
    coordinatorReference?.target
  }
  final let coordinatorReference: SoftReference<NSPersistentStoreCoordinator>?
  /// The configuration of the model whose entities the store holds;
  /// `PF_DEFAULT_CONFIGURATION_NAME` when none was named.
  public final let configurationName: String
  /// The options that the store was added with.
  ///
  /// Unsafe only in name: set once, before the store is shared.
  public final nonisolated(unsafe) let options: [AnyHashable: Any]?
  /// The store's number in its coordinator, 1…127, as it stands in ``PackedIdentity``. Set by the
  /// coordinator before anything else is asked of the store.
  package internal(set) final var ordinal = 0

  /// Makes a store that has read nothing yet. Called by the coordinator.
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

  /// Where the store is.
  open var url: URL? {
    get { lock.withLock { state.url } }
    set { lock.withLock { state.url = newValue } }
  }

  /// The description that the store was added by.
  final var storeDescription: NSPersistentStoreDescription? {
    get { lock.withLock { state.storeDescription } }
    set { lock.withLock { state.storeDescription = newValue } }
  }

  /// Whether the coordinator has opened it again after its contents were replaced: a client that adds it once more is
  /// given this one.
  final var isReopened: Bool {
    get { lock.withLock { state.isReopened } }
    set { lock.withLock { state.isReopened = newValue } }
  }

  /// Whether a save of this store's objects is refused.
  open var isReadOnly: Bool {
    get { lock.withLock { state.isReadOnly } }
    set { lock.withLock { state.isReadOnly = newValue } }
  }

  /// What is said of the store: at least its type and UUID, once it is loaded.
  open var metadata: [String: Any]! {
    get { lock.withLock { state.metadata } }
    set { lock.withLock { state.metadata = newValue ?? [:] } }
  }

  /// The store's UUID, by which the URIs of its objects name it.
  ///
  /// Set before the store gives its first object ID; a later value counts from the next opening.
  open var identifier: String! {
    get { metadata[NSStoreUUIDKey] as? String }
    set { lock.withLock { state.metadata[NSStoreUUIDKey] = newValue } }
  }

  /// The type as registered, such as `NSSQLiteStoreType`.
  open var type: String { metadata[NSStoreTypeKey] as? String ?? "" }

  /// Opens the store or makes it, and sets ``metadata`` with type and UUID. Subclasses override it.
  open func loadMetadata() throws {
    throw CoreDataError.unsupported(
      "loadMetadata() of \(Swift.type(of: self))", instead: "A store's class must override it.")
  }

  /// Reads what is in the store, once the coordinator has found the metadata to fit.
  package func loadContents() throws {}

  /// Called when the coordinator has the store.
  open func didAdd(to coordinator: NSPersistentStoreCoordinator) {}

  /// Called when the coordinator is about to give the store up. A subclass closes its files here.
  open func willRemove(from coordinator: NSPersistentStoreCoordinator?) {}

  /// The IDs of this store's objects. The store must have its UUID.
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

  /// Who is told which objects contexts use; nil for stores that do not want to know.
  package var usage: ObjectUsage? { nil }

  /// Whether the store itself has found that its model is the coordinator's; then nobody else asks.
  package var hasCheckedModel: Bool { false }

  /// What a store has that knows its objects by references of its own.
  var referenceTable: ReferenceTable? { nil }

  /// How a key reads in a URI; nil for the number itself.
  package final func referenceText(forKey key: Int64) -> String? {
    referenceTable?.text(of: key)
  }

  /// The inverse of ``referenceText(forKey:)`` for an object of an entity; nil when the text is no
  /// reference of this store.
  package final func key(forReferenceText text: String, _ layout: EntityLayout) -> Int64? {
    if let referenceTable { return referenceTable.key(forText: text, layout) }
    guard let key = Int64(text), key > 0, key < 1 << 40 else { return nil }
    return key
  }

  // MARK: - Stores that are not open

  /// The class of the migration manager that brings stores of this class to another version of the model.
  ///
  /// Source: developer.apple.com/documentation/coredata/nspersistentstore/migrationmanagerclass()
  open class func migrationManagerClass() -> AnyClass { NSMigrationManager.self }

  /// The metadata of the store at a URL, without opening it with a model.
  open class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
    throw CoreDataError.unsupported("Reading the metadata of a store of class \(self)")
  }

  /// Replaces the metadata of the store at a URL.
  open class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
    throw CoreDataError.unsupported("Setting the metadata of a store of class \(self)")
  }

  /// The model that the store at a URL keeps of itself.
  package class func cachedModel(at url: URL) throws -> NSManagedObjectModel {
    if let server = self as? any ServerStore.Type { return try server.storedModel(at: url) }
    throw CoreDataError.unsupported("Reading the model of a store of class \(self)")
  }

  /// Empties or removes the store at a URL. For a class whose stores are files.
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
  /// The layouts of every entity of the coordinator's model.
  package final var layouts: [EntityLayout] { persistentStoreCoordinator?.layouts ?? [] }
}
