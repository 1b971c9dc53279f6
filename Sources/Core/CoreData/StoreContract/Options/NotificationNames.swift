extension NSNotification.Name {
  /// A context is about to save. The object is the context.
  public static let NSManagedObjectContextWillSave = Self(
    "NSManagingContextWillSaveChangesNotification")
  /// A context has saved. The object is the context, the user info has the sets of objects.
  public static let NSManagedObjectContextDidSave = Self(
    "NSManagingContextDidSaveChangesNotification")
  /// Objects of a context have changed. The object is the context, the user info has the sets of
  /// objects.
  public static let NSManagedObjectContextObjectsDidChange = Self(
    "NSObjectsChangedInManagingContextNotification")
  /// A context has saved. The user info has the sets of object IDs.
  public static let NSManagedObjectContextDidSaveObjectIDs = Self(
    "NSManagedObjectContextDidSaveObjectIDsNotification")
  /// A context has merged changes. The user info has the sets of object IDs.
  public static let NSManagedObjectContextDidMergeChangesObjectIDs = Self(
    "NSManagedObjectContextDidMergeChangesObjectIDsNotification")

  /// A coordinator is about to change its stores. Never posted here.
  public static let NSPersistentStoreCoordinatorStoresWillChange = Self(
    "NSPersistentStoreCoordinatorStoresWillChangeNotification")
  /// A coordinator has added, removed or migrated stores. The user info has the stores.
  public static let NSPersistentStoreCoordinatorStoresDidChange = Self(
    "NSPersistentStoreCoordinatorStoresDidChangeNotification")
  /// A coordinator is about to remove a store. The object is the store.
  public static let NSPersistentStoreCoordinatorWillRemoveStore = Self(
    "NSPersistentStoreCoordinatorWillRemoveStoreNotification")
  /// Any coordinator of any process has changed a store.
  public static let NSPersistentStoreRemoteChange = Self(
    "NSPersistentStoreRemoteChangeNotification")
}
