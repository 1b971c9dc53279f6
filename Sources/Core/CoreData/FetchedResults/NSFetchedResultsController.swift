/// Keeps the results of a fetch request as a list with sections, up to date with its context, and
/// reports the changes to a delegate, in the terms of a table view.
///
/// The list holds identities. Objects are made, and their rows read in batches, on access. A change
/// costs O(log n) in the length of the list. With a delegate the controller tracks the changes that
/// its context processes, saved or not; without one the list stays as fetched.
///
/// Confined to its context's queue; members that make or read objects enter the queue themselves.
/// The request must not change after it was passed to the controller, except before another
/// ``performFetch()``.
///
/// Source: developer.apple.com/documentation/coredata/nsfetchedresultscontroller
open class NSFetchedResultsController<ResultType: NSFetchRequestResult>: NSObject {
  // No stored property depends on `ResultType`: see `erased`.
  final let engine: FetchedResultsEngine

  /// Creates a controller; call ``performFetch()`` before reading its results.
  ///
  /// Traps if the request's sort descriptors are nil, where Apple's class raises
  /// `NSInvalidArgumentException`.
  ///
  /// - Parameters:
  ///   - fetchRequest: the request, with sort descriptors.
  ///   - context: the context of the objects, whose changes are tracked.
  ///   - sectionNameKeyPath: the key path whose value names an object's section; nil for a single
  ///     section. The first sort descriptor must keep objects of one section together.
  ///   - name: the name of a file that keeps the sections between runs of the program; nil for
  ///     none. The file is valid as long as the entity, the section key path, the sort descriptors,
  ///     the predicate and the SQLite store's files are unchanged; otherwise it is rewritten
  ///     silently. Lists with unsaved changes, of child contexts and of stores of other types are
  ///     not cached.
  public init(
    fetchRequest: NSFetchRequest<ResultType>, managedObjectContext context: NSManagedObjectContext,
    sectionNameKeyPath: String?, cacheName name: String?
  ) {
    if fetchRequest.sortDescriptors == nil {
      fatalError(
        "An instance of \(Self.displayName) requires a fetch request with sort descriptors")
    }
    engine = FetchedResultsEngine(
      fetchRequest.erased, in: context, sectionNameKeyPath: sectionNameKeyPath, cacheName: name)
    super.init()
    engine.controller = erased
  }

  /// Makes a controller of no request and no stack, for subclasses in tests that have answers of
  /// their own.
  public override init() {
    engine = FetchedResultsEngine(
      NSFetchRequest(), in: NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType),
      sectionNameKeyPath: nil,
      cacheName: nil)
    super.init()
    engine.controller = erased
  }

  private static var displayName: String {
    let name = String(describing: self)
    return String(name.prefix { $0 != "<" })
  }

  /// The controller in the form that delegates get.
  ///
  /// Sound: every result type is a class, so references have one layout, and no stored property
  /// depends on the type. The controller is alive, and the result is retained.
  private var erased: NSFetchedResultsController<NSFetchRequestResult> {
    Unmanaged.fromOpaque(Unmanaged.passUnretained(self).toOpaque()).takeUnretainedValue()
  }

  /// Executes the fetch request. A delegate with the snapshot method gets a snapshot; the classic
  /// methods are not called.
  ///
  /// - Throws: the errors of the fetch; code 134060 if the order separates objects of one section.
  open func performFetch() throws { try engine.inTurn { try engine.performFetch() } }

  /// The request that the controller was created with.
  open var fetchRequest: NSFetchRequest<ResultType> {
    // Sound: every result type is a class, so requests of all types have one layout. The engine
    // keeps the request alive.
    Unmanaged.fromOpaque(Unmanaged.passUnretained(engine.request).toOpaque()).takeUnretainedValue()
  }

  /// The context whose objects the controller lists.
  open var managedObjectContext: NSManagedObjectContext { engine.context }
  /// The key path whose value names an object's section; nil for a single section.
  open var sectionNameKeyPath: String? { engine.sectionNameKeyPath }
  /// The name of the section cache; nil for none.
  open var cacheName: String? { engine.cacheName }

  /// The delegate that is notified of changes; held weakly. Without one the controller does not
  /// track changes: fetch again after setting a delegate later.
  open var delegate: (any NSFetchedResultsControllerDelegate)? {
    get { engine.delegate }
    set { engine.delegate = newValue }
  }

  // MARK: - Objects

  /// All objects, in order; nil before ``performFetch()``.
  ///
  /// The array is rebuilt after each change, in O(n), because Swift's arrays cannot be lazy. For a
  /// long list use ``object(at:)`` and ``sections``, which make and read only the objects that are
  /// accessed.
  ///
  /// After a reset of the context the list stays unchanged until the next fetch. An object that no
  /// longer exists, because it was never saved or its store was removed, appears as an object
  /// without a context, whose values are nil.
  open var fetchedObjects: [ResultType]? {
    engine.inTurn { engine.allObjects().map { $0.map(typed) } }
  }

  /// The object at an index path; its neighbours are read in the same batch. O(log n).
  ///
  /// Traps if there is none, where Apple's class raises `NSInternalInconsistencyException`.
  open func object(at indexPath: IndexPath) -> ResultType {
    engine.inTurn { typed(engine.object(at: engine.requiredRank(of: indexPath))) }
  }

  /// The index path of an object; nil if the object is not in the list. O(log n).
  open func indexPath(forObject object: ResultType) -> IndexPath? {
    guard let object = object as? NSManagedObject else { return nil }
    return engine.inTurn {
      guard let rank = engine.rank(of: object) else { return nil }
      return engine.list.map { IndexPath($0.path(of: rank)) }
    }
  }

  // MARK: - Sections

  /// The sections, in order; nil before ``performFetch()``. Without a section key path there is one
  /// section with all objects.
  open var sections: [any NSFetchedResultsSectionInfo]? { engine.infos() }

  /// The index title of a section: the delegate's, else the capitalized first letter of the name.
  open func sectionIndexTitle(forSectionName sectionName: String) -> String? {
    guard let delegate else { return FetchedResultsEngine.usualIndexTitle(sectionName) }
    return delegate.controller(erased, sectionIndexTitleForSectionName: sectionName)
  }

  /// The index titles of all sections; neighbouring sections with equal titles share one.
  open var sectionIndexTitles: [String] { engine.indexTitles().map(\.title) }

  /// The first section with an index title.
  ///
  /// Traps if the index has no such title at this position.
  open func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int {
    let titles = engine.indexTitles()
    guard titles.indices.contains(sectionIndex), titles[sectionIndex].title == title else {
      fatalError("Index title at \(sectionIndex) is not equal to '\(title)'")
    }
    return titles[sectionIndex].section
  }

  /// Deletes the section cache of this name; all section caches of this program for nil.
  open class func deleteCache(withName name: String?) { SectionCache.standard.delete(name) }
}
