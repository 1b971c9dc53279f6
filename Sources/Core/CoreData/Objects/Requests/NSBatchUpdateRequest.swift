/// A request to set values in all rows of a SQL store that match a predicate, without loading
/// objects.
///
/// Validation rules are not checked; uniqueness constraints hold. Contexts are not updated: pass
/// the updated IDs to ``NSManagedObjectContext/mergeChanges(fromRemoteContextSave:into:)``.
///
/// Source: developer.apple.com/documentation/coredata/nsbatchupdaterequest
open class NSBatchUpdateRequest: NSPersistentStoreRequest {
  private let namedEntity: EntityName
  private var usedEntity: NSEntityDescription?
  /// The rows to update; all of the entity when nil.
  open var predicate: NSPredicate?
  /// Whether rows of subentities are updated too; true by default.
  open var includesSubentities = true
  /// The form of the result; the status alone by default.
  open var resultType = NSBatchUpdateRequestResultType.statusOnlyResultType
  /// The new values by attribute or to-one relationship (its description or its name): constants,
  /// object IDs, or expressions over the row, such as `NSExpression(format: "count + 1")`.
  open var propertiesToUpdate: [AnyHashable: Any]?

  /// Makes a request that updates rows of the entity with this name.
  public init(entityName: String) {
    namedEntity = .name(entityName)
    super.init()
  }

  /// Makes a request that updates rows of an entity.
  public init(entity: NSEntityDescription) {
    namedEntity = .entity(entity)
    super.init()
  }

  open override var requestType: NSPersistentStoreRequestType { .batchUpdateRequestType }
  /// The name of the entity whose rows are updated.
  open var entityName: String { namedEntity.name }

  /// The entity whose rows are updated. Traps for a request made with a name that was not executed
  /// yet.
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

/// The forms of the result of a batch update.
public enum NSBatchUpdateRequestResultType: UInt, Sendable {
  /// A `Bool`: true if the update succeeded.
  case statusOnlyResultType = 0
  /// `[NSManagedObjectID]`: the updated rows.
  case updatedObjectIDsResultType = 1
  /// `Int`: the number of updated rows.
  case updatedObjectsCountResultType = 2
}

/// The result of a batch update.
open class NSBatchUpdateResult: NSPersistentStoreResult {
  private let outcome: Any?
  private let outcomeType: NSBatchUpdateRequestResultType

  /// Makes an empty result, for subclasses returned by custom stores, which override ``result`` and
  /// ``resultType``.
  public override init() {
    outcome = nil
    outcomeType = .statusOnlyResultType
  }

  init(_ result: Any?, type: NSBatchUpdateRequestResultType) {
    outcome = result
    outcomeType = type
  }

  /// The result, in the form that ``resultType`` names.
  open var result: Any? { outcome }

  /// The form of ``result``.
  open var resultType: NSBatchUpdateRequestResultType { outcomeType }
}
