/// What a context saves, as a store of one's own sees it.
///
/// Source: developer.apple.com/documentation/coredata/nssavechangesrequest
open class NSSaveChangesRequest: NSPersistentStoreRequest {
  /// The objects to insert.
  public final let insertedObjects: Set<NSManagedObject>?
  /// The objects to update.
  public final let updatedObjects: Set<NSManagedObject>?
  /// The objects to delete.
  public final let deletedObjects: Set<NSManagedObject>?
  /// The objects whose versions are checked and counted up.
  public final let lockedObjects: Set<NSManagedObject>?

  public init(
    inserted insertedObjects: Set<NSManagedObject>?,
    updated updatedObjects: Set<NSManagedObject>?,
    deleted deletedObjects: Set<NSManagedObject>?,
    locked lockedObjects: Set<NSManagedObject>?
  ) {
    self.insertedObjects = insertedObjects
    self.updatedObjects = updatedObjects
    self.deletedObjects = deletedObjects
    self.lockedObjects = lockedObjects
    super.init()
  }

  open override var requestType: NSPersistentStoreRequestType { .saveRequestType }
}
