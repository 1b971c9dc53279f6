import Synchronization

/// A place to work with managed objects: keeps them unique, tracks what changes, saves it.
///
/// A context belongs to a queue, the main one or one of its own; ``perform(_:)`` and
/// ``performAndWait(_:)-(()->Void)`` are the doors to it. Debug builds stop at a use from elsewhere, unless the
/// environment variable `OPENCOREDATA_CONCURRENCY_DEBUG` is 0; a few methods enter the queue by themselves, and say
/// so.
///
/// Sendable so that it can be handed to its own queue; everything else about it is for that queue
/// only, as is every property below that says nothing else.
///
/// Source: developer.apple.com/documentation/coredata/nsmanagedobjectcontext
open class NSManagedObjectContext: NSObject, NSLocking, @unchecked Sendable {
  let confinement: Confinement
  let registry = ObjectRegistry()
  let lineage = Lineage()
  private let exclusion = NSRecursiveLock()

  // MARK: Where it reads and saves

  private var storedCoordinator: NSPersistentStoreCoordinator?
  private var storedParent: NSManagedObjectContext?

  /// What a pinned context reads; nil: whatever is there.
  var generation: QueryGeneration?

  // MARK: What has changed since the last save; these hold their objects

  @exclusivity(unchecked)
  var inserted = ObjectRoster()
  @exclusivity(unchecked)
  var updated = ObjectRoster()
  @exclusivity(unchecked)
  var deleted = ObjectRoster()
  /// Unchanged objects that the next save compares with their store.
  var watched: Set<NSManagedObject> = []
  /// For new objects whose store was chosen with `assign`.
  var assignedStores: [NSManagedObject: NSPersistentStore] = [:]

  var lastEntity: LastEntity?

  // MARK: What has changed since the last `processPendingChanges`

  @exclusivity(unchecked)
  var eventObjects: [NSManagedObject] = []
  /// What the last event has changed, as its notification has said: a save may say the same.
  var lastEvent = EventSets.none
  var refreshedObjects: Set<NSManagedObject> = []
  var invalidatedObjects: Set<NSManagedObject> = []
  /// How often it was reset: objects from before are of no use.
  var resetCount = 0
  /// Deleted before they were ever saved: the next save ends their context.
  var dropped = DroppedObjects()
  /// Deleted, with delete rules that have yet to act.
  @exclusivity(unchecked)
  var pendingDeletions: [NSManagedObject] = []
  /// Objects whose saved deletions an undo here has taken back.
  var returning: [PackedIdentity: ReturningObject] = [:]
  /// Newer rows of objects whose changes here are judged by the row that they were made on: deleted ones, and those that
  /// a child has edited. For the case that the changes are taken back.
  var newerRows: [PackedIdentity: Row] = [:]
  /// Those of a child's edits whose row is gone: the next save finds that out, or a rollback does.
  var goneRows: Set<PackedIdentity> = []
  /// What is deleted, by others who told of it or by this context, while somebody held its row still: that row is none.
  var endedRows: Set<PackedIdentity> = []
  /// What others have related to objects that are deleted here, by these: it leads nowhere until one of them comes back.
  var partings: [PackedIdentity: [Parting]] = [:]
  var isProcessing = false
  var isProcessingScheduled = false
  /// Changes that come from elsewhere (a merge, a refresh) are not for the undo manager.
  var isMerging = false

  // MARK: Who is told

  var observers: [WeakObserver] = []
  private var storedUndoManager: UndoManager?
  /// How many steps have been recorded.
  var undoStepCount = 0
  /// What the undo manager's operation of this number has left as it is.
  var skippedChanges: (operation: Int, list: [SkippedChange]) = (0, [])
  private var checkpointObserver: (any NSObjectProtocol)?
  var mergeListener: MergeListener?

  /// Whether debug builds stop at a use from another queue than its own.
  package final var stopsAtForeignUse = true

  /// Called before the values of a deleted object go.
  package final var willForget: ((NSManagedObject) -> Void)?

  // MARK: Settings

  /// How a save settles conflicts; an ``NSMergePolicy``. By default a conflict is an error.
  open var mergePolicy: Any = NSMergePolicy.error
  open var name: String?
  open var transactionAuthor: String?
  /// The context keeps the dictionary; it is for the application.
  public let userInfo = NSMutableDictionary()
  /// Whether delete rules act when the event ends (the default) or at the save.
  open var propagatesDeletesAtEndOfEvent = true
  /// Whether the context keeps every object that it has met alive.
  open var retainsRegisteredObjects = false {
    didSet { retainedObjects = retainsRegisteredObjects ? Set(registry.objects) : [] }
  }
  var retainedObjects: Set<NSManagedObject> = []
  /// Whether an object whose row has gone counts as deleted (the default); else it stops the
  /// program.
  open var shouldDeleteInaccessibleFaults = true
  /// Seconds for which a row that has been read counts as new enough; negative: for ever.
  open var stalenessInterval: TimeInterval = -1

  public init(concurrencyType: NSManagedObjectContextConcurrencyType) {
    confinement = Confinement(concurrencyType)
    super.init()
    registry.context = self
    confinement.belong(to: self)
  }

  public convenience init(_ type: ConcurrencyType) {
    self.init(concurrencyType: type.rawValue)
  }

  /// A context without a queue; see
  /// ``NSManagedObjectContextConcurrencyType/confinementConcurrencyType``.
  public convenience override init() {
    self.init(concurrencyType: .confinementConcurrencyType)
  }

  deinit {
    registry.context = nil
    confinement.forgetContext()
    if let checkpointObserver { NotificationCenter.default.removeObserver(checkpointObserver) }
    mergeListener?.stop()
    for observer in observers { observer.observer?.contextIsGone() }
  }

  public final var concurrencyType: NSManagedObjectContextConcurrencyType {
    confinement.concurrencyType
  }

  /// The coordinator that the context reads from and saves to; for a child, its root's.
  open var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
    get { storedCoordinator ?? storedParent?.persistentStoreCoordinator }
    set {
      if storedParent != nil {
        fatalError("A context with a parent context takes its coordinator from it")
      }
      guard newValue !== storedCoordinator else { return }
      if storedCoordinator != nil { reset() }
      storedCoordinator = newValue
      confinement.limit = newValue?.work
      generation = nil
      lastEntity = nil
      restartMergeListener()
    }
  }

  /// The context that this one reads from and saves into, in place of a coordinator.
  open var parent: NSManagedObjectContext? {
    get { storedParent }
    set {
      if storedCoordinator != nil {
        fatalError("Context already has a coordinator; cannot replace.")
      }
      if storedParent != nil, newValue !== storedParent {
        fatalError("Context already has a parent context; cannot replace.")
      }
      if let newValue, !newValue.confinement.hasQueue {
        fatalError(
          "Parent NSManagedObjectContext must use either a private queue or the main queue.")
      }
      storedParent?.lineage.remove(self)
      storedParent = newValue
      confinement.limit = newValue?.confinement.limit
      lastEntity = nil
      newValue?.lineage.add(self)
      restartMergeListener()
    }
  }

  /// Whether saves of other contexts on the same coordinator, or of the parent, are merged as they
  /// happen, on this context's queue.
  open var automaticallyMergesChangesFromParent = false {
    didSet {
      if automaticallyMergesChangesFromParent, !confinement.hasQueue {
        fatalError("Automatic merging is not supported by contexts without a queue.")
      }
      restartMergeListener()
    }
  }

  /// nil unless set: then nothing is recorded, and `undo` does nothing.
  open var undoManager: UndoManager? {
    get { storedUndoManager }
    set {
      guard newValue !== storedUndoManager else { return }
      if hasEventChanges { processPendingChanges() }
      storedUndoManager = newValue
      observeCheckpoints()
    }
  }

  /// The manager announces each point at which a group may close: what has changed by then has to
  /// be in it.
  private func observeCheckpoints() {
    if let checkpointObserver { NotificationCenter.default.removeObserver(checkpointObserver) }
    checkpointObserver = storedUndoManager.map { manager in
      NotificationCenter.default.addObserver(
        forName: .NSUndoManagerCheckpoint, object: manager, queue: nil
      ) { [confinement] _ in
        confinement.context?.processPendingChanges()
      }
    }
  }

  // MARK: - What it has

  /// The objects that the next save inserts.
  open var insertedObjects: Set<NSManagedObject> { inserted.set }

  /// The saved objects that have been changed.
  open var updatedObjects: Set<NSManagedObject> { updated.set }

  /// The saved objects that the next save deletes.
  open var deletedObjects: Set<NSManagedObject> { deleted.set }

  /// Every object that the context knows and that is alive.
  open var registeredObjects: Set<NSManagedObject> { Set(registry.objects) }

  /// The same in no order. Objects that nobody has are not among them, unless they have changes.
  package final var livingObjects: [NSManagedObject] { registry.isEmpty ? [] : registry.objects }

  open var hasChanges: Bool {
    !inserted.isEmpty || !updated.isEmpty || !deleted.isEmpty
  }

  var hasEventChanges: Bool {
    !eventObjects.isEmpty || !refreshedObjects.isEmpty || !invalidatedObjects.isEmpty
      || (propagatesDeletesAtEndOfEvent && !pendingDeletions.isEmpty)
  }

  /// The coordinator at the root of the chain of parents.
  final var rootCoordinator: NSPersistentStoreCoordinator? { persistentStoreCoordinator }

  // MARK: - What it does; here so that subclasses can override it, the work is in the extensions

  /// Runs `block` on the context's queue, later, and then processes the changes that it made.
  @preconcurrency
  open func perform(_ block: @escaping @Sendable () -> Void) { enqueue(block) }

  /// Runs `block` as the context's queue and waits for it. May be nested.
  open func performAndWait(_ block: () -> Void) {
    if !confinement.hasQueue { fatalError(Confinement.queueIsMissing) }
    confinement.performAndWait(block)
  }

  /// Keeps out other threads that call ``lock()``; for contexts without a queue.
  @available(*, deprecated, message: "Use a queue-based context and perform(_:)")
  open func lock() { exclusion.lock() }

  @available(*, deprecated, message: "Use a queue-based context and perform(_:)")
  open func unlock() { exclusion.unlock() }

  /// Whether the lock was free, or this thread's already; it is held then.
  @available(*, deprecated, message: "Use a queue-based context and perform(_:)")
  open func tryLock() -> Bool { exclusion.try() }

  /// The objects that a request describes, changes that are not saved yet included.
  ///
  /// - Throws: a predicate or sort descriptor that the store cannot express, named; store errors.
  open func fetch<T: NSFetchRequestResult>(_ request: NSFetchRequest<T>) throws -> [T] {
    try typed(results(of: request), request)
  }

  /// How many objects the request describes.
  open func count<T: NSFetchRequestResult>(for request: NSFetchRequest<T>) throws -> Int {
    try count(request)
  }

  /// Executes a request of any kind: a fetch, a batch insertion, update or deletion, or an asynchronous
  /// fetch, whose result fills itself later.
  ///
  /// Batch requests work on the stores alone, below this context and all others: nobody is told, and the
  /// context's unsaved changes do not count.
  ///
  /// - Throws: what fetches throw; for batch requests 134091 when a store is no SQLite store, 133021 for
  ///   violated uniqueness constraints, validation errors, store errors. Nothing has been changed then.
  @discardableResult open func execute(_ request: NSPersistentStoreRequest) throws
    -> NSPersistentStoreResult
  {
    try result(of: request)
  }

  /// The object with this ID if the context has it; reads nothing.
  open func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? {
    known(objectID)
  }

  /// The object with this ID: the registered one, or a fault, which may turn out to have no row.
  open func object(with objectID: NSManagedObjectID) -> NSManagedObject { knownOrFault(objectID) }

  /// The object with this ID, its values read.
  ///
  /// - Throws: code 133000 when the store has no such object.
  open func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
    try readObject(objectID)
  }

  /// Makes a new object part of the context, with a temporary ID and its defaults.
  open func insert(_ object: NSManagedObject) { enter(object) }

  /// Marks an object for deletion; delete rules act when the event ends.
  open func delete(_ object: NSManagedObject) { beginDeletion(of: object) }

  /// Has the next save fail, or ask the merge policy, if somebody else has changed this object in its
  /// store, though nobody changes it here. Changed and deleted objects are always compared.
  open func detectConflicts(for object: NSManagedObject) { watch(object) }

  /// Chooses the store of a new object.
  open func assign(_ object: Any, to store: NSPersistentStore) { choose(store, for: object) }

  /// Gives new objects their permanent IDs ahead of the save; they count as inserted still.
  ///
  /// In a child context too the ID is the one that is stored, whether the child has saved into its parent by
  /// then or not.
  ///
  /// - Throws: when no store takes an object's entity, or the store cannot be written; 133000 for an object that
  ///   a child has saved into its parent and that is gone there by now.
  open func obtainPermanentIDs(for objects: [NSManagedObject]) throws {
    try obtainIdentities(of: objects)
  }

  /// Ends the event: lets the delete rules act, records undo, and tells what has changed.
  ///
  /// Called by the context itself at the end of each event, before fetches and saves, and at the
  /// undo manager's checkpoints.
  open func processPendingChanges() { processEvent() }

  /// Writes every change to the stores in one transaction a store, or into the parent context.
  ///
  /// Order: pending changes are processed; `willSave` of each object, again while it changes
  /// something; the WillSave notification; validation; the merge policy where rows have changed in
  /// the store; the write; `didSave`; the DidSave notification. After an error nothing has been
  /// written and everything is still pending.
  ///
  /// - Throws: validation errors (1550–1690, several as 1560), conflicts (133020, 133021), store errors.
  open func save() throws { try writeChanges() }

  /// Takes back the last undo group; does nothing without an undo manager.
  open func undo() {
    assertConfined()
    undoManager?.undo()
  }

  /// Brings back the last undone group; does nothing without an undo manager.
  open func redo() {
    assertConfined()
    undoManager?.redo()
  }

  /// Takes back everything since the last save: new objects go, deleted ones return, edited ones
  /// have their saved values. Empties the undo manager. Enters the context's queue by itself.
  open func rollback() { confinement.inTurn { takeBackChanges() } }

  /// Forgets every object; those that somebody holds are faults without a context, which read as nil. Enters the
  /// context's queue by itself.
  open func reset() { confinement.inTurn { forgetEverything() } }

  /// Drops an object's values so that they are read again.
  ///
  /// - Parameters:
  ///   - object: an object of this context. One that was never saved has no other values: it keeps
  ///     them, and is a fault until they are asked for.
  ///   - flag: false: edits are lost and the object becomes a fault. true: the newest row is taken
  ///     and the edits are put on top; an object without edits becomes a fault.
  open func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
    dropValues(of: object, mergeChanges: flag)
  }

  /// Refreshes every object, keeping edits. Enters the context's queue by itself.
  open func refreshAllObjects() { confinement.inTurn { dropAllValues() } }

  /// Takes over what another context of the same coordinator has saved.
  ///
  /// Objects that are in use here get the new values, with edits made here on top; new objects
  /// become known; deleted ones are deleted here too. The change is told as one event, and is not
  /// for the undo manager.
  open func mergeChanges(fromContextDidSave notification: Notification) { merge(notification) }

  /// Called where the context observes an object; the default does nothing.
  open func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {}

  /// Asked before an object whose row is gone, or cannot be read, counts as deleted. False stops the
  /// program; the answer is ``shouldDeleteInaccessibleFaults`` unless overridden. The property is the
  /// relationship whose members could not be read, else nil: a row is read as a whole.
  open func shouldHandleInaccessibleFault(
    _ fault: NSManagedObject, for objectID: NSManagedObjectID,
    triggeredByProperty property: NSPropertyDescription?
  ) -> Bool { shouldDeleteInaccessibleFaults }
}
