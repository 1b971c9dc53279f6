/// A request for objects of the stores: which objects, in what order and in what form.
///
/// Source: developer.apple.com/documentation/coredata/nsfetchrequest
///
/// No stored property depends on the result type, so a request can be viewed as one of another
/// result type without copying it (see `erased`).
open class NSFetchRequest<ResultType: NSFetchRequestResult>: NSPersistentStoreRequest,
  AnyFetchRequest
{
  package final var settings = FetchSettings()

  /// Makes a request without an entity.
  public override init() {}

  /// Makes a request for the entity with this name, which the context looks up when it executes the
  /// request.
  public convenience init(entityName: String) {
    self.init()
    settings.entityName = entityName
  }

  /// Makes a copy of a request with another result type: replaces the cast
  /// `request as! NSFetchRequest<NSManagedObject>`, which Swift cannot perform here. The results of
  /// the fetch must be of that type.
  public convenience init<Other: NSFetchRequestResult>(_ request: NSFetchRequest<Other>) {
    self.init()
    settings = request.settings
    affectedStores = request.affectedStores
  }

  /// This object as a request that promises no type of result.
  ///
  /// Sound: the classes differ in the type of their results alone, of which no stored property
  /// depends, and the object keeps its own class.
  final var untyped: NSFetchRequest<NSFetchRequestResult> {
    unsafeBitCast(self, to: NSFetchRequest<NSFetchRequestResult>.self)
  }

  open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

  /// The entity whose objects are fetched.
  ///
  /// Traps if the request was made with a name and was not executed yet, as Apple's does: read
  /// ``entityName`` then.
  open var entity: NSEntityDescription? {
    get {
      if settings.entity == nil, let name = settings.entityName {
        fatalError(
          "This fetch request was created with a string name (\(name)), and cannot respond to "
            + "-entity until used by an NSManagedObjectContext")
      }
      return settings.entity
    }
    set {
      settings.entity = newValue
      settings.entityName = nil
    }
  }

  /// The name of the entity whose objects are fetched.
  open var entityName: String? { settings.entityName ?? settings.entity?.name }

  /// The predicate that objects must match; all objects of the entity when nil.
  open var predicate: NSPredicate? {
    get { settings.predicate }
    set { settings.predicate = newValue }
  }

  /// The order of the results; undefined when nil or empty.
  open var sortDescriptors: [NSSortDescriptor]? {
    get { settings.sortDescriptors }
    set { settings.sortDescriptors = newValue }
  }

  /// The maximum number of results; 0, the default, for no limit.
  open var fetchLimit: Int {
    get { settings.fetchLimit }
    set { settings.fetchLimit = newValue }
  }

  /// The number of results to skip at the start; 0 by default.
  open var fetchOffset: Int {
    get { settings.fetchOffset }
    set { settings.fetchOffset = newValue }
  }

  /// The number of objects that a lazy fetch or a fetched results controller reads at a time; 0,
  /// the default, to let them choose. `fetch(_:)` reads all objects at once.
  open var fetchBatchSize: Int {
    get { settings.fetchBatchSize }
    set { settings.fetchBatchSize = newValue }
  }

  /// The kind of results; managed objects by default.
  open var resultType: NSFetchRequestResultType {
    get { settings.resultType }
    set { settings.resultType = newValue }
  }

  /// Whether objects of subentities are fetched too; true by default.
  open var includesSubentities: Bool {
    get { settings.includesSubentities }
    set { settings.includesSubentities = newValue }
  }

  /// A copy with equal settings.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSFetchRequest<ResultType>()
    copy.settings = settings
    copy.affectedStores = affectedStores
    return copy
  }

  /// This request viewed as one of the erased result type.
  ///
  /// Sound: every result type is a class, whose references are one pointer, and no stored property
  /// depends on the result type.
  package final var erased: NSFetchRequest<NSFetchRequestResult> {
    Unmanaged.fromOpaque(Unmanaged.passUnretained(self).toOpaque()).takeUnretainedValue()
  }
}
