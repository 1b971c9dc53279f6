import Synchronization

/// Brings a model and its stores together, and answers contexts from them.
///
/// Source: developer.apple.com/documentation/coredata/nspersistentstorecoordinator
///
/// Sendable: `state` has its lock, everything else is constant. Requests run on the thread that makes
/// them, several at once; each store guards itself.
open class NSPersistentStoreCoordinator: NSObject, NSLocking, @unchecked Sendable {
  struct State {
    /// In the order in which they were added.
    var stores: [NSPersistentStore] = []
    /// By ordinal; index 0 is unused.
    var storesByOrdinal: [NSPersistentStore?] = Array(repeating: nil, count: 128)
    var lastOrdinal = 0
    var name: String?
  }

  /// The model, which cannot be changed any more.
  public final let managedObjectModel: NSManagedObjectModel
  /// The layouts of the model's entities, by number from 1.
  package final let layouts: [EntityLayout]
  final let state = Mutex(State())
  /// Of all coordinators of the process: what tells them apart when they are gone.
  final let number = nextNumber.wrappingAdd(1, ordering: .relaxed).newValue
  private static let nextNumber = Atomic(0)
  /// Runs what `perform` is given, one after the other.
  final let queue: SerialQueue
  /// Whether there may be a store that wants to know for which context it is asked.
  final let servesContexts = Atomic(false)
  /// Of its contexts.
  final let work = WorkLimit()
  private let clientLock = NSRecursiveLock()
  /// What its stores know it by.
  final let reference = SoftReference<NSPersistentStoreCoordinator>()

  /// Makes a coordinator without stores; freezes the model.
  public init(managedObjectModel model: NSManagedObjectModel) {
    managedObjectModel = model
    layouts = model.entityLayouts()
    queue = SerialQueue(label: "NSPersistentStoreCoordinator")
    super.init()
    reference.point(to: self)
  }

  deinit { reference.clear() }

  /// A coordinator of a model without entities, which can open a store of anybody's and fetch nothing from it.
  public convenience override init() { self.init(managedObjectModel: NSManagedObjectModel()) }

  /// The stores, in the order in which they were added.
  open var persistentStores: [NSPersistentStore] { state.withLock { $0.stores } }

  /// A name for debugging.
  open var name: String? {
    get { state.withLock { $0.name } }
    set { state.withLock { $0.name = newValue } }
  }

  /// How many contexts may be at work at once on queues of their own: 64, unless set otherwise.
  ///
  /// What `perform` and `performBackgroundTask` are given beyond that waits for its turn, in the order in which it came,
  /// without a thread: a thousand tasks take as many threads as a few. Whoever waits holds a thread while a store answers, and
  /// a program has some 256 for all that it does in the background. `performAndWait` is not counted: it runs on its caller's
  /// thread. A block that waits for another context's block needs a place of its own while the other runs. Not Apple's.
  public final var maximumContextsAtWork: Int {
    get { work.most }
    set { work.most = newValue }
  }

  // MARK: - Doors

  /// Runs a block on the coordinator's queue, later.
  @preconcurrency
  open func perform(_ block: @escaping @Sendable () -> Void) { queue.perform(block) }

  /// Runs a block on the coordinator's queue and waits for it; may be nested.
  open func performAndWait(_ block: () -> Void) { queue.performAndWait(block) }

  /// Waits until no other thread holds the lock, which nothing but these methods asks for.
  @available(*, deprecated, message: "Use -performBlockAndWait: instead")
  open func lock() { clientLock.lock() }

  /// Gives the lock up.
  @available(*, deprecated, message: "Use -performBlockAndWait: instead")
  open func unlock() { clientLock.unlock() }

  /// Takes the lock if no other thread holds it.
  @available(*, deprecated, message: "Use -performBlock: instead")
  open func tryLock() -> Bool { clientLock.try() }
}

extension NSPersistentStoreCoordinator {
  /// Runs a block on the coordinator's queue, waits for it and returns what it returns.
  public final func performAndWait<Result>(_ block: () throws -> Result) rethrows -> Result {
    try queue.performAndWait(block)
  }

  /// Runs a block on the coordinator's queue and returns what it returns.
  @preconcurrency
  public final func perform<Result>(
    _ block: @escaping @Sendable () throws -> Result
  ) async rethrows -> Result {
    try await queue.perform(block)
  }
}
