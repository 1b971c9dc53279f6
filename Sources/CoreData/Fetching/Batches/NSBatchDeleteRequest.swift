/// Deletes rows from a SQLite store without making objects of them.
///
/// The delete rules Cascade and Nullify act on the rows; No Action leaves what points at a deleted row.
/// A row whose Deny rule forbids the deletion, and one that a mandatory relationship leads to, are errors,
/// and nothing is deleted then. Minimum counts are not checked. Contexts do not notice:
/// ``NSManagedObjectContext/mergeChanges(fromRemoteContextSave:into:)`` tells them.
///
/// Source: developer.apple.com/documentation/coredata/nsbatchdeleterequest
open class NSBatchDeleteRequest: NSPersistentStoreRequest {
  private let fetch: any AnyFetchRequest
  /// Whether the request was made from IDs: then they are of one entity.
  let objectIDs: [NSManagedObjectID]?
  /// What the result holds; just whether it went well, by default.
  open var resultType = NSBatchDeleteRequestResultType.resultTypeStatusOnly

  /// Deletes what a fetch request describes, its limit and offset included.
  public init<T: NSFetchRequestResult>(fetchRequest fetch: NSFetchRequest<T>) {
    self.fetch = fetch
    objectIDs = nil
    super.init()
    affectedStores = fetch.affectedStores
  }

  /// Deletes the objects with these IDs, which are of one entity.
  public init(objectIDs objects: [NSManagedObjectID]) {
    let request = NSFetchRequest<NSFetchRequestResult>()
    request.entity = objects.first?.entity
    request.predicate = NSComparisonPredicate(
      leftExpression: .expressionForEvaluatedObject(),
      rightExpression: NSExpression(forConstantValue: objects), modifier: .direct, type: .in,
      options: [])
    fetch = request
    objectIDs = objects
    super.init()
  }

  open override var requestType: NSPersistentStoreRequestType { .batchDeleteRequestType }

  /// The request that describes what is deleted.
  open var fetchRequest: NSFetchRequest<NSFetchRequestResult> {
    guard let erased = (fetch as? any ErasableFetchRequest)?.erasedRequest else {
      fatalError("\(type(of: fetch)) is no NSFetchRequest")
    }
    return erased
  }

  final var plainRequest: any AnyFetchRequest { fetch }
}

/// A fetch request that can be seen as one of any type of results.
private protocol ErasableFetchRequest {
  var erasedRequest: NSFetchRequest<NSFetchRequestResult> { get }
}

extension NSFetchRequest: ErasableFetchRequest {
  fileprivate var erasedRequest: NSFetchRequest<NSFetchRequestResult> { erased }
}

/// What the result of a batch deletion holds.
public enum NSBatchDeleteRequestResultType: UInt, Sendable {
  /// Whether it went well: `Bool`.
  case resultTypeStatusOnly = 0
  /// The IDs of the deleted rows, those that delete rules added included: `[NSManagedObjectID]`.
  case resultTypeObjectIDs = 1
  /// How many rows were deleted: `Int`.
  case resultTypeCount = 2
}

/// The outcome of a batch deletion.
open class NSBatchDeleteResult: NSPersistentStoreResult {
  private let outcome: Any?
  private let outcomeType: NSBatchDeleteRequestResultType

  /// A result of nothing, for subclasses that a store of one's own returns: they override
  /// ``result`` and ``resultType``.
  public override init() {
    outcome = nil
    outcomeType = .resultTypeStatusOnly
  }

  init(_ result: Any?, _ type: NSBatchDeleteRequestResultType) {
    outcome = result
    outcomeType = type
  }

  /// What ``resultType`` says.
  open var result: Any? { outcome }

  open var resultType: NSBatchDeleteRequestResultType { outcomeType }
}
