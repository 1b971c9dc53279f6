/// The changes of a context's save, as a custom store receives them.
///
/// Source: developer.apple.com/documentation/coredata/nssavechangesrequest
open class NSSaveChangesRequest: NSPersistentStoreRequest {
  /// The objects to insert.
  open private(set) var insertedObjects: Set<NSManagedObject>?
  /// The objects to update.
  open private(set) var updatedObjects: Set<NSManagedObject>?
  /// The objects to delete.
  open private(set) var deletedObjects: Set<NSManagedObject>?
  /// The objects whose row versions are checked and incremented.
  open private(set) var lockedObjects: Set<NSManagedObject>?

  /// Makes a request to save these changes.
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
