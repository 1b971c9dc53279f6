/// What is behind a fetched results controller, whatever the type of its results: the list, how it
/// is read, and who is told.
///
/// Owned by its controller; the context tells it of changes. Belongs to the context's queue.
final class FetchedResultsEngine {
  let context: NSManagedObjectContext
  let request: NSFetchRequest<NSFetchRequestResult>
  let sectionNameKeyPath: String?
  let cacheName: String?
  weak var delegate: (any NSFetchedResultsControllerDelegate)?
  /// The controller that owns the engine, in the form that delegates know.
  weak var controller: NSFetchedResultsController<NSFetchRequestResult>?
  /// What is done beyond what Apple's class does.
  var options = FetchedResultsOptions()
  let subscribers = DifferenceSubscribers()
  /// One for each fetch that another context carries out for this engine.
  var missed: [MissedChanges] = []
  /// Whether nobody is told of what changes, since it belongs to a fetch.
  var isSilent = false
  /// Gives up a fetch on another queue.
  let cancellation = ReadCancellation()

  /// nil before the first fetch.
  var list: FetchedList?
  /// What the words of the list stand for.
  private var namespace: IdentityNamespace
  var reader: ContextListReader?
  var matchTest: MatchTest?
  /// In a section that does not fit them: looked at again by a merge, which may bring their neighbours.
  var misfits: Set<UInt64> = []
  /// The related objects whose changes the rows follow.
  var watch: RelatedObjectWatch?
  /// Whether the context was reset: nothing is tracked until the next fetch.
  var isStale = false
  var delivery: Delivery?
  /// The class of a delegate that has turned out to have no method for a difference.
  var classicDelegate: ObjectIdentifier?
  var window = ObjectWindow()
  /// Those that clients were told, until they become permanent.
  var temporaryIDs: [UInt64: NSManagedObjectID] = [:]
  /// Kept until the list changes.
  var fetchedObjects: [NSManagedObject]?
  var sectionInfos: [FetchedSectionInfo]?
  /// Whether the last fetch took its sections from the cache.
  var hasCachedSections = false

  init(
    _ request: NSFetchRequest<NSFetchRequestResult>, _ context: NSManagedObjectContext,
    _ sectionNameKeyPath: String?, _ cacheName: String?
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

  /// Fetches; only a delegate for snapshots and subscribers are told.
  func performFetch() throws {
    let old = list
    try fetch()
    deliverInitialSnapshot()
    if let old, let list, !subscribers.isEmpty { publish(ListChanges(from: old, to: list)) }
  }

  /// Fetches, and tells what is different now.
  func refetch() throws {
    let old = list
    try fetch()
    guard let old, let list else { return deliverInitialSnapshot() }
    let changes = ListChanges(from: old, to: list)
    if !changes.isEmpty { deliver(changes, .none) }
  }

  /// Takes over the list of the same fetch that another context carried out, and brings it up to date;
  /// as ``performFetch()``.
  func adopt(_ made: FetchedList, missing missed: MissedChanges) throws {
    let old = list
    try fetch(made)
    isSilent = true
    for changes in missed.changes { follow(changes) }
    isSilent = false
    deliverInitialSnapshot()
    if let old, let list, !subscribers.isEmpty { publish(ListChanges(from: old, to: list)) }
  }

  /// Fetches the identities and finds the sections, unless they were found elsewhere.
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
    let reader = ContextListReader(context, layout, columns: columns, naming: naming)
    let watch = try RelatedObjectWatch(options.watchedKeyPaths, layout.entity)
    list = try made ?? makeList(words, reader, columns, states)
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
    _ words: ContiguousArray<UInt64>, _ reader: ContextListReader, _ columns: [SortColumn],
    _ states: [String]?
  ) throws -> FetchedList {
    guard sectionNameKeyPath != nil else { return FetchedList(words) }
    let sections = try sections(origin(words, columns, states), reader) {
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

  /// The object of a word; where the context has it no more one that is gone, as after a reset.
  func object(_ word: UInt64) -> NSManagedObject {
    namespace.object(PackedIdentity(bits: word), in: context)
  }

  /// The ID of an object of the list.
  func identity(_ word: UInt64) -> NSManagedObjectID {
    let packed = PackedIdentity(bits: word)
    if namespace.isCurrent(in: context), let known = context.identity(of: packed) { return known }
    return namespace.identity(packed)
  }

  /// The object at a rank, its values and those of its neighbours read along.
  func object(at rank: Int) -> NSManagedObject {
    context.takeOverPermanentIDs()
    guard let list else { preconditionFailure("There are no results before the first fetch") }
    let found = object(list.order[rank])
    guard found.isFault, found.current == nil else { return found }
    window.read(around: rank, of: list, batchSize: request.fetchBatchSize, self)
    return found
  }

  /// The rank of a path that must be in the list.
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

  /// All objects. Without a batch size their rows are read, at once.
  func allObjects() -> [NSManagedObject]? {
    context.takeOverPermanentIDs()
    guard let list else { return nil }
    if let fetchedObjects { return fetchedObjects }
    let objects = list.order.words(in: 0..<list.count).map(object)
    if request.fetchBatchSize == 0 { read(objects) }
    fetchedObjects = objects
    return objects
  }

  /// Reads the rows of faults. An object whose row cannot be read says so when it is used.
  func read(_ objects: [NSManagedObject]) {
    do { try context.fillFaults(objects) } catch { return }
  }

  /// Whether an object is this context's, and where it is in the list.
  func rank(of object: NSManagedObject) -> Int? {
    context.takeOverPermanentIDs()
    if let other = object.managedObjectContext {
      guard other === context, namespace.isCurrent(in: context) else { return nil }
    }
    return list?.order.rank(of: object.packedIdentity.bits)
  }
}
