import Synchronization

/// The connection between a model, its stores, and the contexts that read and save through it.
///
/// Source: developer.apple.com/documentation/coredata/nspersistentstorecoordinator
///
/// Sendable: `state` has a lock, all other properties are constant or guard themselves. Requests
/// run on the calling thread, several at once; each store guards itself.
open class NSPersistentStoreCoordinator: NSObject, NSLocking, @unchecked Sendable {
  /// Sendable: stores guard themselves.
  struct State: @unchecked Sendable {
    /// In the order of their addition.
    var stores: [NSPersistentStore] = []
    /// By ordinal; index 0 is unused.
    var storesByOrdinal: [NSPersistentStore?] = Array(repeating: nil, count: 128)
    var lastOrdinal = 0
    var name: String?
    weak var mirrors: StoreMirrors?
  }

  /// The model, which is immutable from the coordinator's creation on.
  open private(set) var managedObjectModel: NSManagedObjectModel
  /// The layouts of the model's entities, by number from 1.
  package final let layouts: [EntityLayout]
  final let state = Mutex(State())
  /// The number of this coordinator, unique in the process: identifies it after it is gone.
  final let number = nextNumber.wrappingAdd(1, ordering: .relaxed).newValue
  private static let nextNumber = Atomic(0)
  /// The queue on which `perform` runs blocks, one after the other.
  final let queue: SerialQueue
  /// Whether a custom store may have been added, which needs to know the context of each request.
  final let servesContexts = Atomic(false)
  /// Limits how many of its contexts run at once.
  final let work = WorkLimit()
  private let clientLock = NSRecursiveLock()
  /// The weak reference by which its stores know it.
  final let reference = SoftReference<NSPersistentStoreCoordinator>()

  /// Makes a coordinator without stores; the model becomes immutable.
  public init(managedObjectModel model: NSManagedObjectModel) {
    managedObjectModel = model
    layouts = model.entityLayouts()
    queue = SerialQueue(label: "NSPersistentStoreCoordinator")
    super.init()
    reference.point(to: self)
  }

  deinit { reference.clear() }

  /// Makes a coordinator with an empty model: it can open any store and fetch nothing from it.
  public convenience override init() { self.init(managedObjectModel: NSManagedObjectModel()) }

  /// The stores, in the order of their addition.
  open var persistentStores: [NSPersistentStore] { state.withLock { $0.stores } }

  /// The name of the coordinator, for debugging.
  open var name: String? {
    get { state.withLock { $0.name } }
    set { state.withLock { $0.name = newValue } }
  }

  /// The number of contexts that may run at once on private queues: 64 by default.
  ///
  /// Work given to `perform` and `performBackgroundTask` beyond that waits in order, without a
  /// thread: a thousand tasks need as many threads as a few. A block holds its thread while a store
  /// answers, and a program has some 256 threads for all background work. `performAndWait` is not
  /// counted, since it runs on the caller's thread. A block that waits for another context's block
  /// keeps its place while the other runs in a second one. Not Apple's.
  public final var maximumContextsAtWork: Int {
    get { work.most }
    set { work.most = newValue }
  }

  // MARK: - Stores

  /// Opens or makes a store and adds it to the coordinator; a store in memory needs no URL. Throws
  /// as ``addPersistentStore(type:configuration:at:options:)`` does.
  @discardableResult
  open func addPersistentStore(
    ofType storeType: String, configurationName configuration: String?, at storeURL: URL?,
    options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStore {
    try add(
      ofType: storeType, configuration: configuration, at: storeURL, options: options)
  }

  /// Adds the store of a description, in the background if its `shouldAddStoreAsynchronously` is
  /// true.
  ///
  /// `block` gets the error, if any; it is called before this method returns, or in the background.
  open func addPersistentStore(
    with storeDescription: NSPersistentStoreDescription,
    completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    add(storeDescription: storeDescription, completionHandler: block)
  }

  /// Removes a store from the coordinator. Objects of that store are unusable afterwards.
  ///
  /// Throws 134060 for a store of another coordinator.
  open func remove(_ store: NSPersistentStore) throws {
    try removeFromList(store)
  }

  /// Empties the store at a URL; see ``destroyPersistentStore(at:type:options:)``.
  open func destroyPersistentStore(
    at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil
  ) throws {
    try destroy(at: url, ofType: storeType, options: options)
  }

  /// Copies the store at one URL over the store at another; see
  /// ``replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:type:)``.
  open func replacePersistentStore(
    at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
    withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil,
    ofType storeType: String
  ) throws {
    try replace(
      at: destinationURL, destinationOptions: destinationOptions, from: sourceURL,
      sourceOptions: sourceOptions, ofType: storeType)
  }

  /// Moves a store's objects into a new store; see ``migratePersistentStore(_:to:options:type:)``.
  @discardableResult
  open func migratePersistentStore(
    _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil,
    withType storeType: String
  ) throws -> NSPersistentStore {
    try move(store, to: storeURL, options: options, ofType: storeType)
  }

  /// Executes a request against the stores, without the context's pending changes.
  ///
  /// A fetch returns its results, with objects of the context; a batch request returns the same
  /// result as the context's `execute(_:)`. Any other request throws error 134091, which names it.
  open func execute(
    _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext
  ) throws -> Any {
    try answer(to: request, with: context)
  }

  /// The object ID for a URI; nil if no store has the URI's UUID, if the model lacks its entity,
  /// and for a temporary ID. The existence of the object is not checked.
  open func managedObjectID(
    forURIRepresentation url: URL
  ) -> NSManagedObjectID? {
    identity(of: url)
  }

  /// The metadata of a store, its type and UUID included.
  open func metadata(for store: NSPersistentStore) -> [String: Any] {
    store.metadata ?? [:]
  }

  /// Sets the metadata of a store; its next save writes them. A missing type or UUID is kept as it
  /// was.
  open func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) {
    write(metadata: metadata, to: store)
  }

  /// The store at a URL; nil if the coordinator has none there.
  open func persistentStore(for url: URL) -> NSPersistentStore? {
    store(at: url)
  }

  /// The URL of a store.
  open func url(for store: NSPersistentStore) -> URL {
    place(of: store)
  }

  /// Records that a store is at another URL now; returns false for a store of another coordinator.
  @discardableResult
  open func setURL(_ url: URL, for store: NSPersistentStore) -> Bool {
    note(url, of: store)
  }

  /// The current point in the history of these stores, or of all stores for nil or an empty array;
  /// nil if none of them tracks history.
  open func currentPersistentHistoryToken(
    fromStores stores: [Any]?
  ) -> NSPersistentHistoryToken? {
    historyToken(of: stores)
  }

  // MARK: - Queue and lock

  /// Runs a block later on the coordinator's queue.
  @preconcurrency
  open func perform(_ block: @escaping @Sendable () -> Void) { queue.perform(block) }

  /// Runs a block on the coordinator's queue and waits for it; calls may be nested.
  open func performAndWait(_ block: () -> Void) { queue.performAndWait(block) }

  /// Waits for the client lock and acquires it. Only `lock`, `unlock` and `tryLock` use this lock.
  @available(*, deprecated, message: "Use -performBlockAndWait: instead")
  open func lock() { clientLock.lock() }

  /// Releases the client lock.
  @available(*, deprecated, message: "Use -performBlockAndWait: instead")
  open func unlock() { clientLock.unlock() }

  /// Acquires the client lock and returns true, unless another thread holds it.
  @available(*, deprecated, message: "Use -performBlock: instead")
  open func tryLock() -> Bool { clientLock.try() }
}

extension NSPersistentStoreCoordinator {
  /// Runs a block on the coordinator's queue, waits for it and returns its result.
  public final func performAndWait<Result>(_ block: () throws -> Result) rethrows -> Result {
    try queue.performAndWait(block)
  }

  /// Runs a block on the coordinator's queue and returns its result.
  @preconcurrency
  public final func perform<Result>(
    _ block: @escaping @Sendable () throws -> Result
  ) async rethrows -> Result {
    try await queue.perform(block)
  }
}
