// MARK: - Keys of the user info of a coordinator's notifications

/// The stores that were added, an array.
public let NSAddedPersistentStoresKey = "added"
/// The stores that were removed, an array.
public let NSRemovedPersistentStoresKey = "removed"
/// An array of the old and the new store whose UUID has changed.
public let NSUUIDChangedPersistentStoresKey = "changed"
/// The URL of the store that has changed.
public let NSPersistentStoreURLKey = "storeURL"
/// The token of the history that belongs to the change.
public let NSPersistentHistoryTokenKey = "historyToken"

// MARK: - Keys of the user info of a context's notifications

/// Set of objects that were inserted.
public let NSInsertedObjectsKey = "inserted"
/// Set of objects that were updated.
public let NSUpdatedObjectsKey = "updated"
/// Set of objects that were deleted.
public let NSDeletedObjectsKey = "deleted"
/// Set of objects whose values were read again.
public let NSRefreshedObjectsKey = "refreshed"
/// Set of objects that are of no use any more.
public let NSInvalidatedObjectsKey = "invalidated"
/// The IDs of all objects, an array, after a reset.
public let NSInvalidatedAllObjectsKey = "invalidatedAll"
/// The token of the query generation after the save.
public let NSManagedObjectContextQueryGenerationKey = "newQueryGeneration"
/// Set of IDs of objects that were inserted.
public let NSInsertedObjectIDsKey = "inserted_objectIDs"
/// Set of IDs of objects that were updated.
public let NSUpdatedObjectIDsKey = "updated_objectIDs"
/// Set of IDs of objects that were deleted.
public let NSDeletedObjectIDsKey = "deleted_objectIDs"
/// Set of IDs of objects whose values were read again.
public let NSRefreshedObjectIDsKey = "refreshed_objectIDs"
/// Set of IDs of objects that are of no use any more.
public let NSInvalidatedObjectIDsKey = "invalidated_objectIDs"
