import Synchronization

/// A place to work with managed objects: keeps them unique, tracks what changes, saves it.
///
/// A context belongs to a queue, the main one or one of its own; ``perform(_:)`` and
/// ``performAndWait(_:)-(()->Void)`` are the doors to it. Debug builds stop at a use from elsewhere.
///
/// Sendable so that it can be handed to its own queue; everything else about it is for that queue
/// only, as is every property below that says nothing else.
///
/// Source: developer.apple.com/documentation/coredata/nsmanagedobjectcontext
open class NSManagedObjectContext: NSObject, @unchecked Sendable {
  let confinement: Confinement
  let registry = ObjectRegistry()
  let lineage = Lineage()

  // MARK: Where it reads and saves

  private var storedCoordinator: NSPersistentStoreCoordinator?
  private var storedParent: NSManagedObjectContext?

  /// What a pinned context reads; nil: whatever is there.
  var generation: QueryGeneration?

  // MARK: What has changed since the last save; these hold their objects

  var inserted = ObjectRoster()
  var updated = ObjectRoster()
  var deleted = ObjectRoster()
  /// For new objects whose store was chosen with `assign`.
  var assignedStores: [NSManagedObject: NSPersistentStore] = [:]

  var lastEntity: LastEntity?

  // MARK: What has changed since the last `processPendingChanges`

  var eventObjects: [NSManagedObject] = []
  var refreshedObjects: Set<NSManagedObject> = []
  var invalidatedObjects: Set<NSManagedObject> = []
  /// Deleted, with delete rules that have yet to act.
  var pendingDeletions: [NSManagedObject] = []
  var isProcessing = false
  var isProcessingScheduled = false
  /// Changes that come from elsewhere (a merge, a refresh) are not for the undo manager.
  var isMerging = false

  // MARK: Who is told

  var observers: [WeakObserver] = []
  private var storedUndoManager: UndoManager?
  private var checkpointObserver: (any NSObjectProtocol)?
  var mergeListener: MergeListener?

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
    didSet { retainedObjects = retainsRegisteredObjects ? Set(registry.table.objects()) : [] }
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

  deinit {
    registry.context = nil
    confinement.forgetContext()
    if let checkpointObserver { NotificationCenter.default.removeObserver(checkpointObserver) }
    mergeListener?.stop()
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
      storedParent?.lineage.remove(self)
      storedParent = newValue
      lastEntity = nil
      newValue?.lineage.add(self)
      restartMergeListener()
    }
  }

  /// Whether saves of other contexts on the same coordinator, or of the parent, are merged as they
  /// happen, on this context's queue.
  open var automaticallyMergesChangesFromParent = false {
    didSet { restartMergeListener() }
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
  open var registeredObjects: Set<NSManagedObject> { Set(registry.table.objects()) }

  open var hasChanges: Bool {
    !inserted.isEmpty || !updated.isEmpty || !deleted.isEmpty
  }

  var hasEventChanges: Bool {
    !eventObjects.isEmpty || !refreshedObjects.isEmpty || !invalidatedObjects.isEmpty
      || !pendingDeletions.isEmpty
  }

  /// The coordinator at the root of the chain of parents.
  final var rootCoordinator: NSPersistentStoreCoordinator? { persistentStoreCoordinator }
}

/// The queue that a context belongs to.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
  /// No longer supported by Apple's framework either; made like a private queue.
  case confinementConcurrencyType = 0
  case privateQueueConcurrencyType = 1
  case mainQueueConcurrencyType = 2
}

extension NSManagedObjectContext {
  public struct ConcurrencyType: Hashable, RawRepresentable, Sendable {
    public let rawValue: NSManagedObjectContextConcurrencyType
    public init(rawValue: NSManagedObjectContextConcurrencyType) { self.rawValue = rawValue }

    public static let privateQueue = ConcurrencyType(rawValue: .privateQueueConcurrencyType)
    public static let mainQueue = ConcurrencyType(rawValue: .mainQueueConcurrencyType)
  }
}
