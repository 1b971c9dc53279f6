import Synchronization

/// A context to work with managed objects: keeps one instance per object, tracks changes and saves
/// them. It is an identity map and a unit of work.
///
/// A context belongs to a queue, the main queue or a private one; use it in ``perform(_:)`` and
/// ``performAndWait(_:)-(()->Void)``. Debug builds trap on any use from another queue, unless the
/// environment variable `OPENCOREDATA_CONCURRENCY_DEBUG` is 0. Methods that enter the queue by
/// themselves say so.
///
/// Sendable so that it can be passed to its queue. Everything else belongs to that queue alone, as
/// does every property below without another comment.
///
/// Source: developer.apple.com/documentation/coredata/nsmanagedobjectcontext
open class NSManagedObjectContext: NSObject, NSLocking, @unchecked Sendable {
  let confinement: Confinement
  let registry = ObjectRegistry()
  let lineage = Lineage()
  private let exclusion = NSRecursiveLock()

  // MARK: Source of objects and destination of saves

  private var storedCoordinator: NSPersistentStoreCoordinator?
  private var storedParent: NSManagedObjectContext?

  /// The generation that a pinned context reads; nil to read the newest state.
  var generation: QueryGeneration?

  // MARK: Changes since the last save; these collections retain their objects

  @exclusivity(unchecked)
  var inserted = ObjectRoster()
  @exclusivity(unchecked)
  var updated = ObjectRoster()
  @exclusivity(unchecked)
  var deleted = ObjectRoster()
  /// Unchanged objects whose row versions the next save checks.
  var watched: Set<NSManagedObject> = []
  /// The first object whose values were read as nil because its store failed, with the store's
  /// error; nil if there was none since the last save, rollback or reset.
  var unreadFailure: (object: NSManagedObjectID, error: any Error)?
  /// The stores that `assign` has chosen for new objects.
  var assignedStores: [NSManagedObject: NSPersistentStore] = [:]

  var lastEntity: LastEntity?

  // MARK: Changes since the last `processPendingChanges`

  @exclusivity(unchecked)
  var eventObjects: [NSManagedObject] = []
  /// The sets of the last event's notification; a save with the same changes reuses them.
  var lastEvent = EventSets.none
  var refreshedObjects: Set<NSManagedObject> = []
  var invalidatedObjects: Set<NSManagedObject> = []
  /// The number of resets: objects from before a reset are unusable.
  var resetCount = 0
  /// Objects deleted before their first save; the next save ends them.
  var dropped = DroppedObjects()
  /// Deleted objects whose delete rules are still to be applied.
  @exclusivity(unchecked)
  var pendingDeletions: [NSManagedObject] = []
  /// Objects whose deletion is repeated on a newer row, which may have more members.
  var repeatedDeletions: [NSManagedObject] = []
  /// The recorded steps with deletions that are not saved yet.
  var deletionSteps: [WeakStep] = []
  /// Objects whose saved deletion was undone here.
  var returning: [PackedIdentity: ReturningObject] = [:]
  /// Newer rows of objects that keep the row that their changes were made on, deleted objects and
  /// objects edited by a child: used if those changes are undone.
  var newerRows: [PackedIdentity: Row] = [:]
  /// Objects kept for a child's edits although their row is gone; the next save or a rollback ends
  /// them.
  var goneRows: Set<PackedIdentity> = []
  /// Objects deleted by others or by this context whose cached row is still alive: that row must
  /// not be used.
  var endedRows: Set<PackedIdentity> = []
  /// Relationships that others have made to objects deleted here, by deleted object: hidden until
  /// the object comes back.
  var partings: [PackedIdentity: [Parting]] = [:]
  var isProcessing = false
  var isProcessingScheduled = false
  /// True during changes from elsewhere (a merge, a refresh), which are not recorded for undo.
  var isMerging = false

  // MARK: Observers and undo

  var observers: [WeakObserver] = []
  private var storedUndoManager: UndoManager?
  /// The number of recorded undo steps.
  var undoStepCount = 0
  /// The changes that the undo manager's operation of this number has skipped.
  var skippedChanges: (operation: Int, list: [SkippedChange]) = (0, [])
  private var checkpointObserver: (any NSObjectProtocol)?
  var mergeListener: MergeListener?
  /// Called when a save waits to be merged; nil if saves are merged by themselves.
  var mergeRequest: (@Sendable () -> Void)?

  /// Whether debug builds trap on a use from another queue.
  package final var stopsAtForeignUse = true
  /// Whether a test that uses the main queue's context from elsewhere was told so.
  final var hasToldForeignUse = false

  /// Called before the values of a deleted object are dropped.
  package final var willForget: ((NSManagedObject) -> Void)?

  // MARK: Settings

  /// The policy for conflicts of a save, an ``NSMergePolicy``. By default a conflict is an error.
  open var mergePolicy: Any = NSMergePolicy.error
  /// The name of the context, for debugging and for the store's history.
  open var name: String?
  /// The author of the context's transactions in the store's history.
  open var transactionAuthor: String?
  /// A dictionary for the application's own use.
  open private(set) var userInfo = NSMutableDictionary()
  /// Whether delete rules are applied at the end of the event (the default) or at the save.
  open var propagatesDeletesAtEndOfEvent = true
  /// Whether the context keeps all of its objects alive; false by default.
  open var retainsRegisteredObjects = false {
    didSet { retainedObjects = retainsRegisteredObjects ? Set(registry.objects) : [] }
  }
  var retainedObjects: Set<NSManagedObject> = []
  /// Whether an object whose row is gone counts as deleted (the default); if false, it traps.
  open var shouldDeleteInaccessibleFaults = true
  /// The age in seconds up to which a cached row may be used for a fault; negative, the default,
  /// for any age. Rows record no age here: every other value reads the row from the store.
  open var stalenessInterval: TimeInterval = -1

  /// Makes a context of this type: on the main queue, on a private queue, or without a queue.
  public init(concurrencyType: NSManagedObjectContextConcurrencyType) {
    confinement = Confinement(concurrencyType)
    super.init()
    registry.context = self
    confinement.belong(to: self)
  }

  /// Makes a context of this type: on the main queue or on a private queue.
  public convenience init(_ type: ConcurrencyType) {
    self.init(concurrencyType: type.rawValue)
  }

  /// Makes a context without a queue; see
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

  /// The queue type that the context was made with.
  open var concurrencyType: NSManagedObjectContextConcurrencyType {
    confinement.concurrencyType
  }

  /// The coordinator that the context reads from and saves to; a child context has its root's.
  /// Replacing a coordinator resets the context; traps for a child context.
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

  /// The parent context, from which this context reads and into which it saves instead of stores.
  /// Traps if there is a coordinator or another parent already, and for a parent without a queue.
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

  /// Whether saves of other contexts of the coordinator, or of the parent, are merged
  /// automatically, on this context's queue; false by default. Traps for a context without a queue.
  open var automaticallyMergesChangesFromParent = false {
    didSet {
      if automaticallyMergesChangesFromParent, !confinement.hasQueue {
        fatalError("Automatic merging is not supported by contexts without a queue.")
      }
      restartMergeListener()
    }
  }

  /// The undo manager that records the context's changes; nil, the default, to record none.
  open var undoManager: UndoManager? {
    get { storedUndoManager }
    set {
      guard newValue !== storedUndoManager else { return }
      if hasEventChanges { processPendingChanges() }
      storedUndoManager = newValue
      observeCheckpoints()
    }
  }

  /// Processes pending changes at each checkpoint, where the manager may close a group: the changes
  /// so far belong to that group.
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

  // MARK: - Contents

  /// The objects that the next save inserts.
  open var insertedObjects: Set<NSManagedObject> { inserted.set }

  /// The saved objects with unsaved changes.
  open var updatedObjects: Set<NSManagedObject> { updated.set }

  /// The saved objects that the next save deletes.
  open var deletedObjects: Set<NSManagedObject> { deleted.set }

  /// Every live object that is registered in the context.
  open var registeredObjects: Set<NSManagedObject> { Set(registry.objects) }

  /// Every live object, in no order. Objects that are referenced by no client are included only if
  /// they have changes.
  package final var livingObjects: [NSManagedObject] { registry.isEmpty ? [] : registry.objects }

  /// Whether the context has unsaved changes.
  open var hasChanges: Bool {
    !inserted.isEmpty || !updated.isEmpty || !deleted.isEmpty
  }

  var hasEventChanges: Bool {
    !eventObjects.isEmpty || !refreshedObjects.isEmpty || !invalidatedObjects.isEmpty
      || (propagatesDeletesAtEndOfEvent && !pendingDeletions.isEmpty)
      || !repeatedDeletions.isEmpty
  }

  /// The coordinator of the context at the root of the chain of parents.
  final var rootCoordinator: NSPersistentStoreCoordinator? { persistentStoreCoordinator }

  // MARK: - Operations: declared here so that subclasses can override them, done in extensions

  /// The generation that the context reads; nil if it reads the newest state, and for a child
  /// context.
  open var queryGenerationToken: NSQueryGenerationToken? {
    pinnedGeneration
  }

  /// Pins the context to one state of its SQLite stores, regardless of later saves, until it saves,
  /// merges or is reset; it is then pinned to the state at that time.
  ///
  /// Stores of other types and SQLite stores without a write-ahead log are not pinned. Objects
  /// already in the context stay as they are: refresh them, or fetch again. A store's log grows
  /// while a generation is read.
  ///
  /// - Parameter generation: nil unpins the context. ``NSQueryGenerationToken/current`` is the
  ///   state at the next read. Another context's token is the state that that context reads.
  /// - Throws: error 134060 for a child context, a context without a coordinator, and a token of
  ///   another coordinator.
  open func setQueryGenerationFrom(_ generation: NSQueryGenerationToken?) throws {
    try pin(to: generation)
  }

  /// Runs `block` later on the context's queue, then processes the changes that it made. Traps for
  /// a context without a queue.
  @preconcurrency
  open func perform(_ block: @escaping @Sendable () -> Void) { enqueue(block) }

  /// Runs `block` on the context's queue and waits for it; calls may be nested. Traps for a context
  /// without a queue.
  open func performAndWait(_ block: () -> Void) {
    if !confinement.hasQueue { fatalError(Confinement.queueIsMissing) }
    confinement.performAndWait(block)
  }

  /// Waits for the context's lock and acquires it; for contexts without a queue that several
  /// threads share.
  @available(*, deprecated, message: "Use a queue-based context and perform(_:)")
  open func lock() { exclusion.lock() }

  /// Releases the context's lock.
  @available(*, deprecated, message: "Use a queue-based context and perform(_:)")
  open func unlock() { exclusion.unlock() }

  /// Acquires the context's lock and returns true, unless another thread holds it.
  @available(*, deprecated, message: "Use a queue-based context and perform(_:)")
  open func tryLock() -> Bool { exclusion.try() }

  /// The objects that match a request, pending changes included.
  ///
  /// - Throws: errors of the store, and an error that names a predicate or sort descriptor that the
  ///   store cannot evaluate.
  ///
  /// In a subclass it asks the method for requests without a type, which is the one to override.
  open func fetch<T: NSFetchRequestResult>(_ request: NSFetchRequest<T>) throws -> [T] {
    guard isOfSubclass else { return try typed(results(of: request), request: request) }
    return try typed(fetch(request.untyped).map { $0 as AnyObject }, request: request)
  }

  /// The objects that match a request without a type, pending changes included. Override it to see
  /// every fetch of a context.
  ///
  /// - Throws: as the fetch of a typed request.
  open func fetch(_ request: NSFetchRequest<NSFetchRequestResult>) throws -> [Any] {
    try results(of: request)
  }

  /// The number of objects that match a request. In a subclass it asks the method for requests
  /// without a type.
  open func count<T: NSFetchRequestResult>(for request: NSFetchRequest<T>) throws -> Int {
    isOfSubclass ? try count(for: request.untyped) : try count(request)
  }

  /// The number of objects that match a request without a type. Override it to see every count of
  /// a context.
  open func count(for request: NSFetchRequest<NSFetchRequestResult>) throws -> Int {
    try count(request)
  }

  private var isOfSubclass: Bool { type(of: self) != NSManagedObjectContext.self }

  /// Executes a request of any kind: a batch insertion, update or deletion, a history request, or
  /// an asynchronous fetch, whose result is filled in later.
  ///
  /// Batch requests change the stores directly, below all contexts: contexts are not notified, and
  /// this context's unsaved changes are not included.
  ///
  /// - Throws: the errors of a fetch; for batch requests 134091 for a store without them, such as a
  ///   store in memory, 133021 for violated uniqueness constraints, validation errors, errors of
  ///   the store. Nothing was changed then.
  @discardableResult open func execute(_ request: NSPersistentStoreRequest) throws
    -> NSPersistentStoreResult
  {
    try result(of: request)
  }

  /// The object with this ID if it is registered in the context; reads nothing.
  open func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? {
    known(objectID)
  }

  /// The object with this ID: the registered one, or else a fault, whose row may not exist.
  open func object(with objectID: NSManagedObjectID) -> NSManagedObject { knownOrFault(objectID) }

  /// The object with this ID, with its values read.
  ///
  /// - Throws: error 133000 if the store has no such object.
  open func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
    try readObject(objectID)
  }

  /// Inserts a new object into the context, with a temporary ID and the model's defaults.
  open func insert(_ object: NSManagedObject) { enter(object) }

  /// Marks an object for deletion; its delete rules are applied when the event ends.
  open func delete(_ object: NSManagedObject) { beginDeletion(of: object) }

  /// Has the next save check an unchanged object for a conflict: if another writer has changed its
  /// row, the save fails or asks the merge policy. Changed and deleted objects are always checked.
  open func detectConflicts(for object: NSManagedObject) { watch(object) }

  /// Assigns a new object to a store. Traps for an object that was saved.
  open func assign(_ object: Any, to store: NSPersistentStore) { choose(store, for: object) }

  /// Assigns permanent IDs to new objects before their save; they still count as inserted.
  ///
  /// In a child context the IDs are the ones that will be stored, even if the child has not saved
  /// into its parent yet.
  ///
  /// - Throws: an error if no store can hold an object's entity, or if the store is read-only;
  ///   133000 for an object that a child has saved into its parent and that is gone there.
  open func obtainPermanentIDs(for objects: [NSManagedObject]) throws {
    try obtainIdentities(of: objects)
  }

  /// Ends the event: applies delete rules, records undo and announces the changes.
  ///
  /// The context calls it at the end of each event, before fetches and saves, and at the undo
  /// manager's checkpoints.
  open func processPendingChanges() { processEvent() }

  /// Saves all changes, to the stores in one transaction per store, or into the parent context.
  ///
  /// Order: pending changes are processed; `willSave` is called on each object, again while it
  /// makes changes; the WillSave notification is posted; objects are validated; the merge policy
  /// resolves conflicts with rows that have changed in the store; the changes are written;
  /// `didSave` is called; the DidSave notification is posted. After an error nothing is written and
  /// all changes are still pending.
  ///
  /// - Throws: validation errors (1550–1690, several as 1560), conflicts (133020, 133021), errors
  ///   of the store; 134030 once after values were read as nil because a store failed, with the
  ///   store's error underneath: roll back and make the edits again.
  open func save() throws { try writeChanges() }

  /// Undoes the last undo group; does nothing without an undo manager.
  open func undo() {
    assertConfined()
    undoManager?.undo()
  }

  /// Redoes the last undone group; does nothing without an undo manager.
  open func redo() {
    assertConfined()
    undoManager?.redo()
  }

  /// Discards all changes since the last save: new objects are removed, deleted objects return,
  /// edited objects get their saved values. Clears the undo manager. Enters the context's queue by
  /// itself.
  open func rollback() { confinement.inTurn { takeBackChanges() } }

  /// Removes all objects from the context; those still referenced become faults without a context,
  /// whose values are nil. Enters the context's queue by itself.
  open func reset() { confinement.inTurn { forgetEverything() } }

  /// Drops an object's values, so that they are read again.
  ///
  /// - Parameters:
  ///   - object: an object of this context. An unsaved object has no other values: it becomes a
  ///     fault and keeps them.
  ///   - flag: false: edits are lost and the object becomes a fault. true: edits are reapplied to
  ///     the newest row; an object without edits becomes a fault.
  open func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
    dropValues(of: object, mergeChanges: flag)
  }

  /// Refreshes every object, keeping edits. Enters the context's queue by itself.
  open func refreshAllObjects() { confinement.inTurn { dropAllValues() } }

  /// Merges the changes that another context of the same coordinator has saved.
  ///
  /// Objects in use here get the new values, below edits made here; new objects are registered;
  /// deleted objects are deleted here too. The changes are announced as one event and are not
  /// recorded for undo.
  open func mergeChanges(fromContextDidSave notification: Notification) { merge(notification) }

  /// Called for the key-value observations that the context makes; does nothing unless overridden.
  open func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {}

  /// Called before an object whose row is gone or unreadable is marked as deleted; false traps.
  /// Returns ``shouldDeleteInaccessibleFaults`` unless overridden. `property` is the relationship
  /// whose members could not be read; nil for the row, which is read as a whole.
  open func shouldHandleInaccessibleFault(
    _ fault: NSManagedObject, for objectID: NSManagedObjectID,
    triggeredByProperty property: NSPropertyDescription?
  ) -> Bool { shouldDeleteInaccessibleFaults }
}

extension NSManagedObjectContext {
  /// The entity of a class: in this context's model first, then in other models in use. Cached,
  /// because an import calls this for every object.
  final func entity(for type: NSManagedObject.Type) -> NSEntityDescription {
    if let last = lastEntity, last.type == type { return last.entity }
    let model = rootCoordinator?.managedObjectModel
    let entity = model.flatMap { LoadedModels.entity(for: type, in: $0) } ?? type.entity()
    if entity is UnclaimedEntity { fatalError(UnclaimedEntity.complaint(type)) }
    lastEntity = LastEntity(type: type, entity: entity)
    return entity
  }

  /// The last result of ``entity(for:)``; reset when the coordinator changes.
  struct LastEntity {
    let type: NSManagedObject.Type
    let entity: NSEntityDescription
  }
}
