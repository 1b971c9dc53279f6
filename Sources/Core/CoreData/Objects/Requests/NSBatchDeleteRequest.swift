/// A request to delete rows from a SQL store without loading objects.
///
/// The delete rules Cascade and Nullify are applied to the rows; No Action leaves references to
/// deleted rows. A Deny rule that forbids a deletion and a mandatory relationship that leads to a
/// deleted row are errors, and nothing is deleted then. Minimum counts are not checked. Contexts
/// are not updated: pass the deleted IDs to
/// ``NSManagedObjectContext/mergeChanges(fromRemoteContextSave:into:)``.
///
/// Source: developer.apple.com/documentation/coredata/nsbatchdeleterequest
open class NSBatchDeleteRequest: NSPersistentStoreRequest {
  private let fetch: any AnyFetchRequest
  /// The IDs that the request was made from, all of one entity; nil for a request made from a fetch
  /// request.
  let objectIDs: [NSManagedObjectID]?
  /// The form of the result; the status alone by default.
  open var resultType = NSBatchDeleteRequestResultType.resultTypeStatusOnly

  /// Makes a request that deletes the objects that a fetch request matches, limit and offset
  /// included.
  public init<T: NSFetchRequestResult>(fetchRequest fetch: NSFetchRequest<T>) {
    self.fetch = fetch
    objectIDs = nil
    super.init()
    affectedStores = fetch.affectedStores
  }

  /// Makes a request that deletes the objects with these IDs, which must be of one entity.
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

  /// The fetch request that matches the objects to delete.
  open var fetchRequest: NSFetchRequest<NSFetchRequestResult> {
    guard let erased = (fetch as? any ErasableFetchRequest)?.erasedRequest else {
      fatalError("\(type(of: fetch)) is no NSFetchRequest")
    }
    return erased
  }

  final var plainRequest: any AnyFetchRequest { fetch }
}

/// A fetch request that can be viewed as a request with any type of results.
private protocol ErasableFetchRequest {
  var erasedRequest: NSFetchRequest<NSFetchRequestResult> { get }
}

extension NSFetchRequest: ErasableFetchRequest {
  fileprivate var erasedRequest: NSFetchRequest<NSFetchRequestResult> { erased }
}

/// The forms of the result of a batch deletion.
public enum NSBatchDeleteRequestResultType: UInt, Sendable {
  /// A `Bool`: true if the deletion succeeded.
  case resultTypeStatusOnly = 0
  /// `[NSManagedObjectID]`: the deleted rows, those deleted by Cascade rules included.
  case resultTypeObjectIDs = 1
  /// `Int`: the number of deleted rows.
  case resultTypeCount = 2
}

/// The result of a batch deletion.
open class NSBatchDeleteResult: NSPersistentStoreResult {
  private let outcome: Any?
  private let outcomeType: NSBatchDeleteRequestResultType

  /// Makes an empty result, for subclasses returned by custom stores, which override ``result`` and
  /// ``resultType``.
  public override init() {
    outcome = nil
    outcomeType = .resultTypeStatusOnly
  }

  init(_ result: Any?, type: NSBatchDeleteRequestResultType) {
    outcome = result
    outcomeType = type
  }

  /// The result, in the form that ``resultType`` names.
  open var result: Any? { outcome }

  /// The form of ``result``.
  open var resultType: NSBatchDeleteRequestResultType { outcomeType }
}
