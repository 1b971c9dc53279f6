/// A request to insert rows into a SQL store without creating objects.
///
/// The rows come as dictionaries, all at once or one at a time, or as the values of one object that
/// a handler fills for each row. Keys are names of attributes; an attribute without a value gets
/// the model's default. Relationships cannot be set. The only validation is that mandatory
/// attributes have a value. Contexts are not updated: pass the inserted IDs to
/// ``NSManagedObjectContext/mergeChanges(fromRemoteContextSave:into:)``.
///
/// If a row violates a uniqueness constraint, the context's merge policy decides: it throws error
/// 133021, writes the given values over those of the stored row, or keeps the stored row.
///
/// Source: developer.apple.com/documentation/coredata/nsbatchinsertrequest
open class NSBatchInsertRequest: NSPersistentStoreRequest {
  private let namedEntity: EntityName
  /// The rows as dictionaries, for a request that has all of them at once.
  open var objectsToInsert: [[String: Any]]?
  /// Fills a dictionary for each row; returns true to end the insertion, without the row of that
  /// call.
  open var dictionaryHandler: ((NSMutableDictionary) -> Bool)?
  /// Fills an object for each row; returns true to end the insertion, without the row of that call.
  /// Every call gets one and the same object, which belongs to no context and must not be kept.
  open var managedObjectHandler: ((NSManagedObject) -> Bool)?
  /// The form of the result; the status alone by default.
  open var resultType = NSBatchInsertRequestResultType.statusOnly

  /// Traps: a request must have an entity.
  @available(*, deprecated, message: "Use init(entityName:objects:)")
  public override init() { fatalError("An NSBatchInsertRequest must have an entity") }

  /// Makes a request that inserts dictionaries as rows of the entity with this name.
  public init(entityName: String, objects dictionaries: [[String: Any]]) {
    namedEntity = .name(entityName)
    objectsToInsert = dictionaries
    super.init()
  }

  /// Makes a request that inserts dictionaries as rows of an entity.
  public init(entity: NSEntityDescription, objects dictionaries: [[String: Any]]) {
    namedEntity = .entity(entity)
    objectsToInsert = dictionaries
    super.init()
  }

  private init(_ entity: EntityName) {
    namedEntity = entity
    super.init()
  }

  /// Makes a request that inserts the rows that a handler fills as dictionaries; see
  /// ``dictionaryHandler``.
  public convenience init(
    entity: NSEntityDescription, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool
  ) {
    self.init(.entity(entity))
    dictionaryHandler = handler
  }

  /// Makes a request that inserts the rows that a handler fills as an object; see
  /// ``managedObjectHandler``.
  public convenience init(
    entity: NSEntityDescription, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool
  ) {
    self.init(.entity(entity))
    managedObjectHandler = handler
  }

  /// Makes a request that inserts, for the entity with this name, the rows that a handler fills as
  /// dictionaries; see ``dictionaryHandler``.
  public convenience init(
    entityName: String, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool
  ) {
    self.init(.name(entityName))
    dictionaryHandler = handler
  }

  /// Makes a request that inserts, for the entity with this name, the rows that a handler fills as
  /// an object; see ``managedObjectHandler``.
  public convenience init(
    entityName: String, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool
  ) {
    self.init(.name(entityName))
    managedObjectHandler = handler
  }

  open override var requestType: NSPersistentStoreRequestType { .batchInsertRequestType }
  /// The name of the entity whose rows are inserted.
  open var entityName: String { namedEntity.name }
  /// The entity that the request was made with; nil for a request made with a name.
  open var entity: NSEntityDescription? { namedEntity.entity }

  final func layout(in model: NSManagedObjectModel) throws -> EntityLayout {
    try namedEntity.layout(in: model)
  }
}

/// The forms of the result of a batch insertion.
public enum NSBatchInsertRequestResultType: UInt, Sendable {
  /// A `Bool`: true if the insertion succeeded.
  case statusOnly = 0
  /// `[NSManagedObjectID]`: the inserted and updated rows.
  case objectIDs = 1
  /// `Int`: the number of inserted and updated rows.
  case count = 2
}

/// The result of a batch insertion.
open class NSBatchInsertResult: NSPersistentStoreResult {
  private let outcome: Any?
  private let outcomeType: NSBatchInsertRequestResultType

  /// Makes an empty result, for subclasses returned by custom stores, which override ``result`` and
  /// ``resultType``.
  public override init() {
    outcome = nil
    outcomeType = .statusOnly
  }

  init(_ result: Any?, type: NSBatchInsertRequestResultType) {
    outcome = result
    outcomeType = type
  }

  /// The result, in the form that ``resultType`` names.
  open var result: Any? { outcome }

  /// The form of ``result``.
  open var resultType: NSBatchInsertRequestResultType { outcomeType }
}

/// The entity of a batch request: its name or its description.
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

  /// The layout of the entity in `model`. Throws error 134060 if the model has no such entity.
  func layout(in model: NSManagedObjectModel) throws -> EntityLayout {
    if let entity = model.entitiesByName[name] { return entity.layout }
    throw CoreDataError.make(
      .coreData, reason: "The model has no entity “\(name)” that a batch request could be for.")
  }
}
