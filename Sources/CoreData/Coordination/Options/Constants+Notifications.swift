extension NSNotification.Name {
  /// A context is about to save; the object is the context.
  public static let NSManagedObjectContextWillSave = Self(
    "NSManagingContextWillSaveChangesNotification")
  /// A context has saved; the object is the context, the user info has the sets of objects.
  public static let NSManagedObjectContextDidSave = Self(
    "NSManagingContextDidSaveChangesNotification")
  /// Objects of a context have changed; the object is the context, the user info has the sets.
  public static let NSManagedObjectContextObjectsDidChange = Self(
    "NSObjectsChangedInManagingContextNotification")
  /// A context has saved; the user info has the sets of object IDs.
  public static let NSManagedObjectContextDidSaveObjectIDs = Self(
    "NSManagedObjectContextDidSaveObjectIDsNotification")
  /// A context has merged changes; the user info has the sets of object IDs.
  public static let NSManagedObjectContextDidMergeChangesObjectIDs = Self(
    "NSManagedObjectContextDidMergeChangesObjectIDsNotification")

  /// A coordinator is about to change its stores.
  public static let NSPersistentStoreCoordinatorStoresWillChange = Self(
    "NSPersistentStoreCoordinatorStoresWillChangeNotification")
  /// A coordinator has gained or lost stores; the user info says which.
  public static let NSPersistentStoreCoordinatorStoresDidChange = Self(
    "NSPersistentStoreCoordinatorStoresDidChangeNotification")
  /// A coordinator is about to remove a store; the object is the coordinator.
  public static let NSPersistentStoreCoordinatorWillRemoveStore = Self(
    "NSPersistentStoreCoordinatorWillRemoveStoreNotification")
  /// A store has changed, by whatever coordinator or process.
  public static let NSPersistentStoreRemoteChange = Self(
    "NSPersistentStoreRemoteChangeNotification")
}

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
