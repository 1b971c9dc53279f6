/// Keeps the results of a fetch request as a list with sections, up to date with its context, and
/// tells a delegate what changes in it, in the terms of a table view.
///
/// The list holds identities; objects are made, and their rows read in batches, as they are asked
/// for. A change costs O(log n), whatever the length of the list. With a delegate the controller
/// follows the changes that its context processes, saved or not; without one the list stays as it
/// was fetched.
///
/// Belongs to its context's queue; what reads objects or makes them enters it by itself. The request must not change
/// once the controller has it, but for a new ``performFetch()``.
///
/// Source: developer.apple.com/documentation/coredata/nsfetchedresultscontroller
open class NSFetchedResultsController<ResultType: NSFetchRequestResult>: NSObject {
  // No stored property depends on the type of the results, so that a delegate can be given the
  // controller in its erased form.
  final let engine: FetchedResultsEngine

  /// A controller that has yet to fetch.
  ///
  /// Traps, as Apple's raises `NSInvalidArgumentException`, when the request's sort descriptors are
  /// nil.
  ///
  /// - Parameters:
  ///   - fetchRequest: which objects, and in what order.
  ///   - context: whose objects are shown, and whose changes are followed.
  ///   - sectionNameKeyPath: what the objects are grouped by; nil for one section. The first sort
  ///     descriptor must group by the same.
  ///   - name: the name of a file that keeps the sections from one run of the program to the next. It
  ///     is used for as long as the entity, the section key path, the sort descriptors, the predicate
  ///     and the SQLite store's files are the same; otherwise it is silently made anew. Lists with
  ///     unsaved changes, of child contexts and of other types of stores are not cached.
  public init(
    fetchRequest: NSFetchRequest<ResultType>, managedObjectContext context: NSManagedObjectContext,
    sectionNameKeyPath: String?, cacheName name: String?
  ) {
    if fetchRequest.sortDescriptors == nil {
      fatalError(
        "An instance of \(Self.displayName) requires a fetch request with sort descriptors")
    }
    engine = FetchedResultsEngine(fetchRequest.erased, context, sectionNameKeyPath, name)
    super.init()
    engine.controller = erased
  }

  private static var displayName: String {
    let name = String(describing: self)
    return String(name.prefix { $0 != "<" })
  }

  /// The same controller as delegates see it.
  ///
  /// Sound because every type of results is a class, whose references are one pointer, and because
  /// nothing that is stored depends on the type.
  private var erased: NSFetchedResultsController<NSFetchRequestResult> {
    Unmanaged.fromOpaque(Unmanaged.passUnretained(self).toOpaque()).takeUnretainedValue()
  }

  /// Fetches. The classic delegate is not told; a delegate for snapshots gets the first one.
  ///
  /// - Throws: what the fetch throws; code 134060 when the order puts objects of one section apart.
  open func performFetch() throws { try engine.inTurn { try engine.performFetch() } }

  open var fetchRequest: NSFetchRequest<ResultType> {
    // Sound for the same reason as `erased`.
    Unmanaged.fromOpaque(Unmanaged.passUnretained(engine.request).toOpaque()).takeUnretainedValue()
  }

  open var managedObjectContext: NSManagedObjectContext { engine.context }
  open var sectionNameKeyPath: String? { engine.sectionNameKeyPath }
  open var cacheName: String? { engine.cacheName }

  /// Who is told of changes; not kept alive. Without one the controller follows no changes: fetch
  /// again after setting one later.
  open var delegate: (any NSFetchedResultsControllerDelegate)? {
    get { engine.delegate }
    set { engine.delegate = newValue }
  }

  // MARK: - Objects

  /// All objects, in order; nil before ``performFetch()``.
  ///
  /// The array does not change later; it is made anew after each change, O(n), as Swift's arrays
  /// cannot be lazy. For a long list use ``object(at:)`` and ``sections``, which make and read just
  /// what is looked at.
  ///
  /// After the context was reset the list stays as it was until the next fetch. An object that cannot be had
  /// any more, because it was never saved or because its store was removed, is one without a context, whose
  /// values are nil.
  open var fetchedObjects: [ResultType]? {
    engine.inTurn { engine.allObjects().map { $0.map(typed) } }
  }

  /// The object at a path, read in a batch with its neighbours. O(log n).
  ///
  /// Traps, as Apple's raises `NSInternalInconsistencyException`, when there is none.
  open func object(at indexPath: IndexPath) -> ResultType {
    engine.inTurn { typed(engine.object(at: engine.requiredRank(of: indexPath))) }
  }

  /// The path of an object; nil when it is not in the list. O(log n).
  open func indexPath(forObject object: ResultType) -> IndexPath? {
    guard let object = object as? NSManagedObject else { return nil }
    return engine.inTurn {
      guard let rank = engine.rank(of: object) else { return nil }
      return engine.list.map { IndexPath($0.path(of: rank)) }
    }
  }

  // MARK: - Sections

  /// The sections in order; nil before ``performFetch()``. Without a section key path there is one,
  /// with everything.
  open var sections: [any NSFetchedResultsSectionInfo]? { engine.infos() }

  /// The title of a section in an index: the delegate's, else the first letter as a capital.
  open func sectionIndexTitle(forSectionName sectionName: String) -> String? {
    guard let delegate else { return FetchedResultsEngine.usualIndexTitle(sectionName) }
    return delegate.controller(erased, sectionIndexTitleForSectionName: sectionName)
  }

  /// The titles of all sections, for an index; neighbours with one title share it.
  open var sectionIndexTitles: [String] { engine.indexTitles().map(\.title) }

  /// The section that an entry of the index leads to: the first with its title.
  ///
  /// Traps when the index has no such entry.
  open func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int {
    let titles = engine.indexTitles()
    guard titles.indices.contains(sectionIndex), titles[sectionIndex].title == title else {
      fatalError("Index title at \(sectionIndex) is not equal to '\(title)'")
    }
    return titles[sectionIndex].section
  }

  /// Deletes a section cache, or all of this program's for nil.
  open class func deleteCache(withName name: String?) { SectionCache.standard.delete(name) }
}
