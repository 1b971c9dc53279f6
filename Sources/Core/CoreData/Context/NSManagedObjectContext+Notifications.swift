extension NSManagedObjectContext {
  /// Posted before a context saves.
  public static let willSaveObjectsNotification = Notification.Name.NSManagedObjectContextWillSave
  /// Posted after a context has saved, with the sets of objects.
  public static let didSaveObjectsNotification = Notification.Name.NSManagedObjectContextDidSave
  /// Posted after objects of a context have changed, with the sets of objects.
  public static let didChangeObjectsNotification =
    Notification.Name.NSManagedObjectContextObjectsDidChange
  /// Posted after a context has saved, with the sets of object IDs.
  public static let didSaveObjectIDsNotification =
    Notification.Name.NSManagedObjectContextDidSaveObjectIDs
  /// Posted after a context has merged changes, with the sets of object IDs.
  public static let didMergeChangesObjectIDsNotification =
    Notification.Name.NSManagedObjectContextDidMergeChangesObjectIDs

  /// The key of the history token in a save's notifications; Apple has no public constant for it.
  static let changeTokenKey = "newChangeToken"

  /// The keys of the user info of a context's notifications; the raw values are the keys.
  public enum NotificationKey: String, Sendable {
    /// The query generation after the save, an ``NSQueryGenerationToken``.
    case queryGeneration = "newQueryGeneration"
    /// The IDs of all objects, an array, after a reset.
    case invalidatedAllObjects = "invalidatedAll"
    /// The set of inserted objects.
    case insertedObjects = "inserted"
    /// The set of updated objects.
    case updatedObjects = "updated"
    /// The set of deleted objects.
    case deletedObjects = "deleted"
    /// The set of refreshed objects, whose values were read again.
    case refreshedObjects = "refreshed"
    /// The set of invalidated objects, which are unusable.
    case invalidatedObjects = "invalidated"
    /// The set of IDs of inserted objects.
    case insertedObjectIDs = "inserted_objectIDs"
    /// The set of IDs of updated objects.
    case updatedObjectIDs = "updated_objectIDs"
    /// The set of IDs of deleted objects.
    case deletedObjectIDs = "deleted_objectIDs"
    /// The set of IDs of refreshed objects.
    case refreshedObjectIDs = "refreshed_objectIDs"
    /// The set of IDs of invalidated objects.
    case invalidatedObjectIDs = "invalidated_objectIDs"
  }
}
