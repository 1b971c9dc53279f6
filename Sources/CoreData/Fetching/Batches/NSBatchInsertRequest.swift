/// Inserts rows into a SQLite store without making objects of them.
///
/// The rows come as dictionaries, all at once or one at a time, or as values of one object that is filled
/// anew for each row. Keys are names of attributes; an attribute without a value gets the model's default.
/// Relationships cannot be set, and of the validation rules only that mandatory attributes have a value is
/// checked. Contexts do not notice:
/// ``NSManagedObjectContext/mergeChanges(fromRemoteContextSave:into:)`` tells them.
///
/// Where a row has the unique values of one that is there, the context's merge policy decides: an error
/// (133021), the given values over those of the row that is there, or the row as it is.
///
/// Source: developer.apple.com/documentation/coredata/nsbatchinsertrequest
open class NSBatchInsertRequest: NSPersistentStoreRequest {
  private let namedEntity: EntityName
  /// The rows, when they are given all at once.
  open var objectsToInsert: [[String: Any]]?
  /// Fills a dictionary for each row; true ends the insertion, without the row of that call.
  open var dictionaryHandler: ((NSMutableDictionary) -> Bool)?
  /// Fills an object for each row; true ends the insertion, without the row of that call. The object is
  /// the same for every row, belongs to no context and must not be kept.
  open var managedObjectHandler: ((NSManagedObject) -> Bool)?
  /// What the result holds; just whether it went well, by default.
  open var resultType = NSBatchInsertRequestResultType.statusOnly

  /// Traps: a request has an entity.
  @available(*, deprecated, message: "Use init(entityName:objects:)")
  public override init() { fatalError("An NSBatchInsertRequest must have an entity") }

  public init(entityName: String, objects dictionaries: [[String: Any]]) {
    namedEntity = .name(entityName)
    objectsToInsert = dictionaries
    super.init()
  }

  public init(entity: NSEntityDescription, objects dictionaries: [[String: Any]]) {
    namedEntity = .entity(entity)
    objectsToInsert = dictionaries
    super.init()
  }

  private init(_ entity: EntityName) {
    namedEntity = entity
    super.init()
  }

  public convenience init(
    entity: NSEntityDescription, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool
  ) {
    self.init(.entity(entity))
    dictionaryHandler = handler
  }

  public convenience init(
    entity: NSEntityDescription, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool
  ) {
    self.init(.entity(entity))
    managedObjectHandler = handler
  }

  public convenience init(
    entityName: String, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool
  ) {
    self.init(.name(entityName))
    dictionaryHandler = handler
  }

  public convenience init(
    entityName: String, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool
  ) {
    self.init(.name(entityName))
    managedObjectHandler = handler
  }

  open override var requestType: NSPersistentStoreRequestType { .batchInsertRequestType }
  open var entityName: String { namedEntity.name }
  /// The entity that the request was made with; nil when it was made with a name.
  open var entity: NSEntityDescription? { namedEntity.entity }

  final func layout(in model: NSManagedObjectModel) throws -> EntityLayout {
    try namedEntity.layout(in: model)
  }
}

/// What the result of a batch insertion holds.
public enum NSBatchInsertRequestResultType: UInt, Sendable {
  /// Whether it went well: `Bool`.
  case statusOnly = 0
  /// The IDs of the inserted and updated rows: `[NSManagedObjectID]`.
  case objectIDs = 1
  /// How many rows were inserted or updated: `Int`.
  case count = 2
}

/// The outcome of a batch insertion.
open class NSBatchInsertResult: NSPersistentStoreResult {
  private let outcome: Any?
  private let outcomeType: NSBatchInsertRequestResultType

  /// A result of nothing, for subclasses that a store of one's own returns: they override
  /// ``result`` and ``resultType``.
  public override init() {
    outcome = nil
    outcomeType = .statusOnly
  }

  init(_ result: Any?, _ type: NSBatchInsertRequestResultType) {
    outcome = result
    outcomeType = type
  }

  /// What ``resultType`` says.
  open var result: Any? { outcome }

  open var resultType: NSBatchInsertRequestResultType { outcomeType }
}

/// The entity of a batch request, by name or itself.
enum EntityName {
  case name(String)
  case entity(NSEntityDescription)

  var name: String {
    switch self {
    case .name(let name): name
    case .entity(let entity): entity.name ?? ""
    }
  }

  var entity: NSEntityDescription? {
    if case .entity(let entity) = self { entity } else { nil }
  }

  /// Throws when the model has no such entity.
  func layout(in model: NSManagedObjectModel) throws -> EntityLayout {
    if let entity = model.entitiesByName[name] { return entity.layout }
    throw CoreDataError.make(
      .coreData, reason: "The model has no entity “\(name)” that a batch request could be for.")
  }
}
