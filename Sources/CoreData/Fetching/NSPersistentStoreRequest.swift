/// What a request asks for.
public enum NSPersistentStoreRequestType: UInt, Sendable {
  case fetchRequestType = 1
  case saveRequestType = 2
  case batchInsertRequestType = 5
  case batchUpdateRequestType = 6
  case batchDeleteRequestType = 7
  /// A ``NSPersistentHistoryChangeRequest``. Apple's framework has a type for it too, without a public name.
  case persistentHistoryRequestType = 8
}

/// The superclass of everything that is asked of stores.
///
/// Source: developer.apple.com/documentation/coredata/nspersistentstorerequest
open class NSPersistentStoreRequest: NSObject, NSCopying {
  public override init() {}

  /// The stores that the request goes to; all of the coordinator's when nil.
  open var affectedStores: [NSPersistentStore]?

  /// What the request asks for. Subclasses override it.
  open var requestType: NSPersistentStoreRequestType {
    fatalError("\(type(of: self)) must say its requestType; use one of its superclass's subclasses")
  }

  /// A copy; a request that cannot change may return itself.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}
