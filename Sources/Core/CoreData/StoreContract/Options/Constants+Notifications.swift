// MARK: - Keys of the user info of a coordinator's notifications

/// The stores that were added, an array.
public let NSAddedPersistentStoresKey = "added"
/// The stores that were removed, an array.
public let NSRemovedPersistentStoresKey = "removed"
/// The old and the new store whose UUID has changed, an array.
public let NSUUIDChangedPersistentStoresKey = "changed"
/// The URL of the changed store.
public let NSPersistentStoreURLKey = "storeURL"
/// The history token of the change.
public let NSPersistentHistoryTokenKey = "historyToken"

// MARK: - Keys of the user info of a context's notifications

/// The set of inserted objects.
public let NSInsertedObjectsKey = "inserted"
/// The set of updated objects.
public let NSUpdatedObjectsKey = "updated"
/// The set of deleted objects.
public let NSDeletedObjectsKey = "deleted"
/// The set of refreshed objects, whose values were read again.
public let NSRefreshedObjectsKey = "refreshed"
/// The set of invalidated objects, which are unusable.
public let NSInvalidatedObjectsKey = "invalidated"
/// The IDs of all objects, an array, after a reset.
public let NSInvalidatedAllObjectsKey = "invalidatedAll"
/// The token of the query generation after the save.
public let NSManagedObjectContextQueryGenerationKey = "newQueryGeneration"
/// The set of IDs of inserted objects.
public let NSInsertedObjectIDsKey = "inserted_objectIDs"
/// The set of IDs of updated objects.
public let NSUpdatedObjectIDsKey = "updated_objectIDs"
/// The set of IDs of deleted objects.
public let NSDeletedObjectIDsKey = "deleted_objectIDs"
/// The set of IDs of refreshed objects.
public let NSRefreshedObjectIDsKey = "refreshed_objectIDs"
/// The set of IDs of invalidated objects.
public let NSInvalidatedObjectIDsKey = "invalidated_objectIDs"
