/// Sets values in every row of a SQLite store that a predicate describes, without making objects of them.
///
/// Validation rules are the caller's duty, uniqueness constraints hold. Contexts do not notice:
/// ``NSManagedObjectContext/mergeChanges(fromRemoteContextSave:into:)`` tells them.
///
/// Source: developer.apple.com/documentation/coredata/nsbatchupdaterequest
open class NSBatchUpdateRequest: NSPersistentStoreRequest {
  private let namedEntity: EntityName
  private var usedEntity: NSEntityDescription?
  /// Which rows; all of the entity when nil.
  open var predicate: NSPredicate?
  /// Whether rows of subentities count; true by default.
  open var includesSubentities = true
  /// What the result holds; just whether it went well, by default.
  open var resultType = NSBatchUpdateRequestResultType.statusOnlyResultType
  /// The new values by attribute or to-one relationship (its description or its name): constants, object
  /// IDs, or expressions over the row, such as `NSExpression(format: "count + 1")`.
  open var propertiesToUpdate: [AnyHashable: Any]?

  public init(entityName: String) {
    namedEntity = .name(entityName)
    super.init()
  }

  public init(entity: NSEntityDescription) {
    namedEntity = .entity(entity)
    super.init()
  }

  open override var requestType: NSPersistentStoreRequestType { .batchUpdateRequestType }
  open var entityName: String { namedEntity.name }

  /// The entity. Traps for a request that was made with a name and not executed yet.
  open var entity: NSEntityDescription {
    guard let entity = namedEntity.entity ?? usedEntity else {
      fatalError(
        "This batch update request was created with a string name (\(entityName)), and cannot "
          + "respond to -entity until used by an NSManagedObjectContext")
    }
    return entity
  }

  final func layout(in model: NSManagedObjectModel) throws -> EntityLayout {
    let layout = try namedEntity.layout(in: model)
    usedEntity = layout.entity
    return layout
  }
}

/// What the result of a batch update holds.
public enum NSBatchUpdateRequestResultType: UInt, Sendable {
  /// Whether it went well: `Bool`.
  case statusOnlyResultType = 0
  /// The IDs of the updated rows: `[NSManagedObjectID]`.
  case updatedObjectIDsResultType = 1
  /// How many rows were updated: `Int`.
  case updatedObjectsCountResultType = 2
}

/// The outcome of a batch update.
open class NSBatchUpdateResult: NSPersistentStoreResult {
  private let outcome: Any?
  private let outcomeType: NSBatchUpdateRequestResultType

  /// A result of nothing, for subclasses that a store of one's own returns: they override
  /// ``result`` and ``resultType``.
  public override init() {
    outcome = nil
    outcomeType = .statusOnlyResultType
  }

  init(_ result: Any?, _ type: NSBatchUpdateRequestResultType) {
    outcome = result
    outcomeType = type
  }

  /// What ``resultType`` says.
  open var result: Any? { outcome }

  open var resultType: NSBatchUpdateRequestResultType { outcomeType }
}
