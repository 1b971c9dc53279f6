/// The kinds of requests to a store.
public enum NSPersistentStoreRequestType: UInt, Sendable {
  /// An ``NSFetchRequest``.
  case fetchRequestType = 1
  /// An ``NSSaveChangesRequest``.
  case saveRequestType = 2
  /// An ``NSBatchInsertRequest``.
  case batchInsertRequestType = 5
  /// An ``NSBatchUpdateRequest``.
  case batchUpdateRequestType = 6
  /// An ``NSBatchDeleteRequest``.
  case batchDeleteRequestType = 7
  /// An ``NSPersistentHistoryChangeRequest``. Apple's framework has this type too, without a public
  /// name.
  case persistentHistoryRequestType = 8
}

/// The superclass of all requests to stores.
///
/// Source: developer.apple.com/documentation/coredata/nspersistentstorerequest
open class NSPersistentStoreRequest: NSObject, NSCopying {
  /// Makes a request to all stores.
  public override init() {}

  /// The stores that the request is sent to; all of the coordinator's when nil.
  open var affectedStores: [NSPersistentStore]?

  /// The kind of the request. Subclasses must override it; the superclass traps.
  open var requestType: NSPersistentStoreRequestType {
    fatalError("\(type(of: self)) must say its requestType; use one of its superclass's subclasses")
  }

  /// A copy; an immutable request may return itself.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}
