/// Says which objects to fetch from the stores, in what order and in what form.
///
/// Source: developer.apple.com/documentation/coredata/nsfetchrequest
///
/// No stored property depends on the type of the results, so that a request can be seen as one of
/// another type without being copied (see `erased`).
open class NSFetchRequest<ResultType: NSFetchRequestResult>: NSPersistentStoreRequest,
  AnyFetchRequest
{
  package final var settings = FetchSettings()

  /// A request without an entity.
  public override init() {}

  /// A request for the entity of this name, which the context looks up when it executes the request.
  public convenience init(entityName: String) {
    self.init()
    settings.entityName = entityName
  }

  /// A copy of a request, with results of another type: for `request as! NSFetchRequest<NSManagedObject>`,
  /// which Swift cannot convert here. The results of a fetch have to be of that type.
  public convenience init<Other: NSFetchRequestResult>(_ request: NSFetchRequest<Other>) {
    self.init()
    settings = request.settings
    affectedStores = request.affectedStores
  }

  open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

  /// The entity whose objects are fetched.
  ///
  /// Traps when the request has only the entity's name and was not executed yet, as Apple's does:
  /// read ``entityName`` then.
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

  /// Which objects; all of the entity when nil.
  open var predicate: NSPredicate? {
    get { settings.predicate }
    set { settings.predicate = newValue }
  }

  /// The order; any when nil or empty.
  open var sortDescriptors: [NSSortDescriptor]? {
    get { settings.sortDescriptors }
    set { settings.sortDescriptors = newValue }
  }

  /// The most results; 0, the default, for no limit.
  open var fetchLimit: Int {
    get { settings.fetchLimit }
    set { settings.fetchLimit = newValue }
  }

  /// How many results to leave out at the start; 0 by default.
  open var fetchOffset: Int {
    get { settings.fetchOffset }
    set { settings.fetchOffset = newValue }
  }

  /// How many objects to read at a time; 0, the default, for all.
  open var fetchBatchSize: Int {
    get { settings.fetchBatchSize }
    set { settings.fetchBatchSize = newValue }
  }

  /// What is returned; managed objects by default.
  open var resultType: NSFetchRequestResultType {
    get { settings.resultType }
    set { settings.resultType = newValue }
  }

  /// Whether objects of subentities count; true by default.
  open var includesSubentities: Bool {
    get { settings.includesSubentities }
    set { settings.includesSubentities = newValue }
  }

  /// A copy with the same settings.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSFetchRequest<ResultType>()
    copy.settings = settings
    copy.affectedStores = affectedStores
    return copy
  }

  /// The same request with another type of results.
  ///
  /// Sound because every type of results is a class, whose references are one pointer, and because
  /// nothing that is stored depends on the type.
  package final var erased: NSFetchRequest<NSFetchRequestResult> {
    Unmanaged.fromOpaque(Unmanaged.passUnretained(self).toOpaque()).takeUnretainedValue()
  }
}
