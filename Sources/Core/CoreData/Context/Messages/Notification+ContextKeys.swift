// The user info of contexts' notifications, written and read for their messages.

extension Notification {
  typealias ContextKey = NSManagedObjectContext.NotificationKey

  typealias ChangedIDs = (
    inserted: Set<NSManagedObjectID>, updated: Set<NSManagedObjectID>,
    deleted: Set<NSManagedObjectID>, refreshed: Set<NSManagedObjectID>,
    invalidated: Set<NSManagedObjectID>
  )

  /// Makes the notification of a context with these values as its user info.
  static func of(
    _ context: NSManagedObjectContext?, name: Notification.Name, values: [ContextKey: Any?],
    historyToken: NSPersistentHistoryToken? = nil
  ) -> Notification {
    var userInfo: [AnyHashable: Any] = [:]
    for (key, value) in values { userInfo[key.rawValue] = value }
    userInfo[NSManagedObjectContext.changeTokenKey] = historyToken
    return Notification(name: name, object: context, userInfo: userInfo)
  }

  func objects(_ key: ContextKey) -> Set<NSManagedObject> {
    userInfo?[key.rawValue] as? Set<NSManagedObject> ?? []
  }

  private func ids(_ key: ContextKey) -> Set<NSManagedObjectID> {
    userInfo?[key.rawValue] as? Set<NSManagedObjectID> ?? []
  }

  var changedIDs: ChangedIDs {
    (
      ids(.insertedObjectIDs), ids(.updatedObjectIDs), ids(.deletedObjectIDs),
      ids(.refreshedObjectIDs), ids(.invalidatedObjectIDs)
    )
  }

  var historyToken: NSPersistentHistoryToken? {
    userInfo?[NSManagedObjectContext.changeTokenKey] as? NSPersistentHistoryToken
  }

  var queryGeneration: NSQueryGenerationToken? {
    userInfo?[ContextKey.queryGeneration.rawValue] as? NSQueryGenerationToken
  }
}
