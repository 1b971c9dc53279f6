/// The implementation of a fetched results controller for every result type: the list, its reader,
/// and its delegate and subscribers.
///
/// Owned by its controller; observes the context. Confined to the context's queue.
final class FetchedResultsEngine {
  let context: NSManagedObjectContext
  let request: NSFetchRequest<NSFetchRequestResult>
  let sectionNameKeyPath: String?
  let cacheName: String?
  weak var delegate: (any NSFetchedResultsControllerDelegate)?
  /// The controller that owns the engine, in the form that delegates get.
  weak var controller: NSFetchedResultsController<NSFetchRequestResult>?
  /// The extensions of Apple's behaviour.
  var options = FetchedResultsOptions()
  let subscribers = DifferenceSubscribers()
  /// One element for each fetch that another context is executing for this engine.
  var missed: [MissedChanges] = []
  /// Whether changes are not delivered, because they belong to a fetch.
  var isSilent = false
  /// Cancels a fetch on another queue.
  let cancellation = ReadCancellation()

  /// nil before the first fetch.
  var list: FetchedList?
  /// Maps the words of the list to identities.
  private var namespace: IdentityNamespace
  var reader: ContextListReader?
  var matchTest: MatchTest?
  /// Objects in a section of another name. Checked again after a merge, which may change their
  /// neighbours.
  var misfits: Set<UInt64> = []
  /// Finds the rows to update when related objects change.
  var watch: RelatedObjectWatch?
  /// Whether the context was reset: changes are not tracked until the next fetch.
  var isStale = false
  var delivery: Delivery?
  /// The class of the last delegate that had no difference method.
  var classicDelegate: ObjectIdentifier?
  var window = ObjectWindow()
  /// The temporary IDs that clients have got, until they become permanent.
  var temporaryIDs: [UInt64: NSManagedObjectID] = [:]
  /// Valid until the list changes.
  var fetchedObjects: [NSManagedObject]?
  var sectionInfos: [FetchedSectionInfo]?
  /// Whether the sections of the last fetch came from the cache.
  var hasCachedSections = false

  init(
    _ request: NSFetchRequest<NSFetchRequestResult>, in context: NSManagedObjectContext,
    sectionNameKeyPath: String?, cacheName: String?
  ) {
    self.request = request
    self.context = context
    self.sectionNameKeyPath = sectionNameKeyPath
    self.cacheName = cacheName
    namespace = IdentityNamespace(of: context)
    context.addObserver(self)
  }

  deinit { subscribers.finish() }

  var isTracking: Bool { delegate != nil || !subscribers.isEmpty }

  /// Runs `body` on the context's queue.
  func inTurn<Result>(_ body: () throws -> Result) rethrows -> Result {
    try context.confinement.inTurn(body)
  }

  /// Fetches. Only a delegate with the snapshot method and subscribers are notified.
  func performFetch() throws {
    let old = list
    try fetch()
    deliverInitialSnapshot()
    if let old, let list, !subscribers.isEmpty { publish(ListChanges(from: old, to: list)) }
  }

  /// Fetches, and delivers the difference from the previous list.
  func refetch() throws {
    let old = list
    try fetch()
    guard let old, let list else { return deliverInitialSnapshot() }
    let changes = ListChanges(from: old, to: list)
    if !changes.isEmpty { deliver(changes, objects: .none) }
  }

  /// Adopts the list of an equal fetch that another context has executed, and applies `missed` to
  /// it. Notifies as ``performFetch()`` does.
  func adopt(_ made: FetchedList, missing missed: MissedChanges) throws {
    let old = list
    try fetch(made)
    isSilent = true
    for changes in missed.changes { follow(changes) }
    isSilent = false
    deliverInitialSnapshot()
    if let old, let list, !subscribers.isEmpty { publish(ListChanges(from: old, to: list)) }
  }

  /// Fetches the identities and finds the sections, unless `made` is given.
  private func fetch(_ made: FetchedList? = nil) throws {
    guard request.resultType == .managedObjectResultType else {
      throw CoreDataError.unsupported(
        "A fetched results controller over a request of result type \(request.resultType.rawValue)",
        instead: "Use managedObjectResultType.")
    }
    let states = storeStates()
    let words = made == nil ? try cancellation.watching(fetchedWords) : []
    try cancellation.check()
    let namespace = IdentityNamespace(of: context)
    guard let layout = request.settings.entity?.layout else {
      throw CoreDataError.make(.coreData, reason: "A fetch request must have an entity.")
    }
    try RowAggregate.check(request.predicate, canBeFollowedIn: layout)
    let columns = try (request.sortDescriptors ?? []).map { try SortColumn($0, layout: layout) }
    let naming = try sectionNameKeyPath.map { try SectionNaming($0, layout: layout) }
    let reader = ContextListReader(context, layout: layout, columns: columns, naming: naming)
    let watch = try RelatedObjectWatch(options.watchedKeyPaths, entity: layout.entity)
    list = try made ?? makeList(words, reader: reader, columns: columns, states: states)
    self.namespace = namespace
    self.reader = reader
    self.watch = watch
    matchTest = MatchTest(request.settings, layout: layout, context: context)
    misfits = []
    temporaryIDs = [:]
    isStale = false
    forgetObjects()
    sectionInfos = nil
    catchUpWithRelatedObjects()
  }

  private func makeList(
    _ words: ContiguousArray<UInt64>, reader: ContextListReader, columns: [SortColumn],
    states: [String]?
  ) throws -> FetchedList {
    guard sectionNameKeyPath != nil else { return FetchedList(words) }
    let sections = try sections(origin(words, columns: columns, states: states), reader: reader) {
      let scanner = SectionScanner(words: words, reader: reader)
      return try scanner.sections(areGrouped: areGrouped(columns))
    }
    return FetchedList(words, sections: sections)
  }

  private func areGrouped(_ columns: [SortColumn]) -> Bool {
    if options.hasContiguousSections { return true }
    guard let first = columns.first, first.isPlain else { return false }
    return request.sortDescriptors?.first?.key == sectionNameKeyPath
  }

  func forgetObjects() {
    fetchedObjects = nil
    window.forget()
  }

  // MARK: - Objects

  /// The object of a word. If the context no longer has it, as after a reset, an object without
  /// context.
  func object(_ word: UInt64) -> NSManagedObject {
    namespace.object(PackedIdentity(bits: word), in: context)
  }

  /// The ID of an object of the list.
  func identity(_ word: UInt64) -> NSManagedObjectID {
    let packed = PackedIdentity(bits: word)
    if namespace.isCurrent(in: context), let known = context.identity(of: packed) { return known }
    return namespace.identity(packed)
  }

  /// The object at a rank. Its values are read in one batch with those of its neighbours.
  func object(at rank: Int) -> NSManagedObject {
    context.takeOverPermanentIDs()
    guard let list else { preconditionFailure("There are no results before the first fetch") }
    let found = object(list.order[rank])
    guard found.isFault, found.current == nil else { return found }
    window.read(around: rank, of: list, batchSize: request.fetchBatchSize, self)
    return found
  }

  /// The rank of an index path; traps if it is not in the list.
  func requiredRank(of path: IndexPath) -> Int {
    guard let list else {
      fatalError("no object at index path \(path): performFetch has not been called")
    }
    guard path.section >= 0, path.section < list.sections.count else {
      fatalError("no section at index \(path.section)")
    }
    guard let rank = list.rank(of: ListPath(section: path.section, row: path.row)) else {
      fatalError("no object at index \(path.row) in section at index \(path.section)")
    }
    return rank
  }

  /// All objects, in order. Without a batch size, their rows are read at once.
  func allObjects() -> [NSManagedObject]? {
    context.takeOverPermanentIDs()
    guard let list else { return nil }
    if let fetchedObjects { return fetchedObjects }
    let objects = list.order.words(in: 0..<list.count).map(object)
    if request.fetchBatchSize == 0 { read(objects) }
    fetchedObjects = objects
    return objects
  }

  /// Fills faults. Errors are ignored here: an object whose row cannot be read reports it when
  /// used.
  func read(_ objects: [NSManagedObject]) {
    do { try context.fillFaults(objects) } catch { return }
  }

  /// The rank of an object in the list; nil if it is not there or belongs to another context.
  func rank(of object: NSManagedObject) -> Int? {
    context.takeOverPermanentIDs()
    if let other = object.managedObjectContext {
      guard other === context, namespace.isCurrent(in: context) else { return nil }
    }
    return list?.order.rank(of: object.packedIdentity.bits)
  }
}
