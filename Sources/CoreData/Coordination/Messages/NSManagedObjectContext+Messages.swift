// The notifications of contexts with their types. A context announces what it does by notifications; who observes a message
// gets what these say.

extension NSManagedObjectContext {
  /// A context of the main queue has saved.
  ///
  /// Source: developer.apple.com/documentation/coredata/nsmanagedobjectcontext/didsavemessage
  public struct DidSaveMessage: NotificationCenter.MainActorMessage {
    public typealias Subject = NSManagedObjectContext
    public static var name: Notification.Name { didSaveObjectsNotification }

    public let context: NSManagedObjectContext
    public let inserted: Set<NSManagedObject>
    public let updated: Set<NSManagedObject>
    public let deleted: Set<NSManagedObject>
    /// The token of the save's transaction in a store that notes its history.
    public let historyToken: NSPersistentHistoryToken?
    public let queryGeneration: NSQueryGenerationToken?

    public static func makeMessage(_ notification: Notification) -> DidSaveMessage? {
      guard let context = notification.object as? NSManagedObjectContext else { return nil }
      return DidSaveMessage(
        context: context, inserted: notification.objects(.insertedObjects),
        updated: notification.objects(.updatedObjects),
        deleted: notification.objects(.deletedObjects),
        historyToken: notification.historyToken, queryGeneration: notification.queryGeneration)
    }

    public static func makeNotification(_ message: DidSaveMessage) -> Notification {
      .of(
        message.context, name,
        [
          .insertedObjects: message.inserted, .updatedObjects: message.updated,
          .deletedObjects: message.deleted, .queryGeneration: message.queryGeneration,
        ], message.historyToken)
    }
  }

  /// Objects of a context of the main queue have changed.
  ///
  /// Source: developer.apple.com/documentation/coredata/nsmanagedobjectcontext/objectsdidchangemessage
  public struct ObjectsDidChangeMessage: NotificationCenter.MainActorMessage {
    public typealias Subject = NSManagedObjectContext
    public static var name: Notification.Name { didChangeObjectsNotification }

    public let context: NSManagedObjectContext
    public let inserted: Set<NSManagedObject>
    public let updated: Set<NSManagedObject>
    public let deleted: Set<NSManagedObject>
    public let refreshed: Set<NSManagedObject>
    public let invalidated: Set<NSManagedObject>

    public static func makeMessage(_ notification: Notification) -> ObjectsDidChangeMessage? {
      guard let context = notification.object as? NSManagedObjectContext else { return nil }
      return ObjectsDidChangeMessage(
        context: context, inserted: notification.objects(.insertedObjects),
        updated: notification.objects(.updatedObjects),
        deleted: notification.objects(.deletedObjects),
        refreshed: notification.objects(.refreshedObjects),
        invalidated: notification.objects(.invalidatedObjects))
    }

    public static func makeNotification(_ message: ObjectsDidChangeMessage) -> Notification {
      .of(
        message.context, name,
        [
          .insertedObjects: message.inserted, .updatedObjects: message.updated,
          .deletedObjects: message.deleted, .refreshedObjects: message.refreshed,
          .invalidatedObjects: message.invalidated,
        ])
    }
  }

  /// A context of the main queue has saved: the IDs of the objects.
  public struct DidSaveObjectIDsMessage: NotificationCenter.MainActorMessage {
    public typealias Subject = NSManagedObjectContext
    public static var name: Notification.Name { didSaveObjectIDsNotification }

    public let context: NSManagedObjectContext
    public let insertedIDs: Set<NSManagedObjectID>
    public let updatedIDs: Set<NSManagedObjectID>
    public let deletedIDs: Set<NSManagedObjectID>
    public let refreshedIDs: Set<NSManagedObjectID>
    public let invalidatedIDs: Set<NSManagedObjectID>
    public let historyToken: NSPersistentHistoryToken?
    public let queryGeneration: NSQueryGenerationToken?

    public static func makeMessage(_ notification: Notification) -> DidSaveObjectIDsMessage? {
      guard let context = notification.object as? NSManagedObjectContext else { return nil }
      let ids = notification.changedIDs
      return DidSaveObjectIDsMessage(
        context: context, insertedIDs: ids.inserted, updatedIDs: ids.updated,
        deletedIDs: ids.deleted, refreshedIDs: ids.refreshed, invalidatedIDs: ids.invalidated,
        historyToken: notification.historyToken, queryGeneration: notification.queryGeneration)
    }

    public static func makeNotification(_ message: DidSaveObjectIDsMessage) -> Notification {
      .of(
        message.context, name,
        [
          .insertedObjectIDs: message.insertedIDs, .updatedObjectIDs: message.updatedIDs,
          .deletedObjectIDs: message.deletedIDs, .refreshedObjectIDs: message.refreshedIDs,
          .invalidatedObjectIDs: message.invalidatedIDs,
          .queryGeneration: message.queryGeneration,
        ], message.historyToken)
    }
  }

  /// A context of any queue has saved: the IDs of the objects.
  public struct DidSaveObjectIDsAsyncMessage: NotificationCenter.AsyncMessage {
    public typealias Subject = NSManagedObjectContext
    public static var name: Notification.Name { didSaveObjectIDsNotification }

    public let insertedIDs: Set<NSManagedObjectID>
    public let updatedIDs: Set<NSManagedObjectID>
    public let deletedIDs: Set<NSManagedObjectID>
    public let historyToken: NSPersistentHistoryToken?

    public static func makeMessage(_ notification: Notification) -> DidSaveObjectIDsAsyncMessage? {
      let ids = notification.changedIDs
      return DidSaveObjectIDsAsyncMessage(
        insertedIDs: ids.inserted, updatedIDs: ids.updated, deletedIDs: ids.deleted,
        historyToken: notification.historyToken)
    }

    public static func makeNotification(_ message: DidSaveObjectIDsAsyncMessage) -> Notification {
      .of(
        nil, name,
        [
          .insertedObjectIDs: message.insertedIDs, .updatedObjectIDs: message.updatedIDs,
          .deletedObjectIDs: message.deletedIDs,
        ], message.historyToken)
    }
  }

  /// A context of the main queue has merged changes.
  public struct DidMergeChangesMessage: NotificationCenter.MainActorMessage {
    public typealias Subject = NSManagedObjectContext
    public static var name: Notification.Name { didMergeChangesObjectIDsNotification }

    public let context: NSManagedObjectContext
    public let insertedIDs: Set<NSManagedObjectID>
    public let updatedIDs: Set<NSManagedObjectID>
    public let deletedIDs: Set<NSManagedObjectID>
    public let refreshedIDs: Set<NSManagedObjectID>

    public static func makeMessage(_ notification: Notification) -> DidMergeChangesMessage? {
      guard let context = notification.object as? NSManagedObjectContext else { return nil }
      let ids = notification.changedIDs
      return DidMergeChangesMessage(
        context: context, insertedIDs: ids.inserted, updatedIDs: ids.updated,
        deletedIDs: ids.deleted, refreshedIDs: ids.refreshed)
    }

    public static func makeNotification(_ message: DidMergeChangesMessage) -> Notification {
      .of(
        message.context, name,
        [
          .insertedObjectIDs: message.insertedIDs, .updatedObjectIDs: message.updatedIDs,
          .deletedObjectIDs: message.deletedIDs, .refreshedObjectIDs: message.refreshedIDs,
        ])
    }
  }

  /// A context of any queue has merged changes.
  public struct DidMergeChangesAsyncMessage: NotificationCenter.AsyncMessage {
    public typealias Subject = NSManagedObjectContext
    public static var name: Notification.Name { didMergeChangesObjectIDsNotification }

    public let insertedIDs: Set<NSManagedObjectID>
    public let updatedIDs: Set<NSManagedObjectID>
    public let deletedIDs: Set<NSManagedObjectID>
    public let refreshedIDs: Set<NSManagedObjectID>

    public static func makeMessage(_ notification: Notification) -> DidMergeChangesAsyncMessage? {
      let ids = notification.changedIDs
      return DidMergeChangesAsyncMessage(
        insertedIDs: ids.inserted, updatedIDs: ids.updated, deletedIDs: ids.deleted,
        refreshedIDs: ids.refreshed)
    }

    public static func makeNotification(_ message: DidMergeChangesAsyncMessage) -> Notification {
      .of(
        nil, name,
        [
          .insertedObjectIDs: message.insertedIDs, .updatedObjectIDs: message.updatedIDs,
          .deletedObjectIDs: message.deletedIDs, .refreshedObjectIDs: message.refreshedIDs,
        ])
    }
  }
}
