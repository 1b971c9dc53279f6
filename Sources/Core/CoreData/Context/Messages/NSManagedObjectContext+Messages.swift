// Typed messages for the notifications of contexts. Contexts post notifications; Foundation
// converts them for observers of these messages.

extension NSManagedObjectContext {
  /// Posted when a context on the main queue has saved.
  ///
  /// Source: developer.apple.com/documentation/coredata/nsmanagedobjectcontext/didsavemessage
  public struct DidSaveMessage: NotificationCenter.MainActorMessage {
    public typealias Subject = NSManagedObjectContext
    /// The name of the notification behind the message.
    public static var name: Notification.Name { didSaveObjectsNotification }

    /// The context that posts the message.
    public let context: NSManagedObjectContext
    /// The inserted objects.
    public let inserted: Set<NSManagedObject>
    /// The updated objects.
    public let updated: Set<NSManagedObject>
    /// The deleted objects.
    public let deleted: Set<NSManagedObject>
    /// The token of the save's transaction, if the store tracks history.
    public let historyToken: NSPersistentHistoryToken?
    /// The query generation of the context after the save.
    public let queryGeneration: NSQueryGenerationToken?

    /// Converts a notification; nil if its object is no context.
    public static func makeMessage(_ notification: Notification) -> DidSaveMessage? {
      guard let context = notification.object as? NSManagedObjectContext else { return nil }
      return DidSaveMessage(
        context: context, inserted: notification.objects(.insertedObjects),
        updated: notification.objects(.updatedObjects),
        deleted: notification.objects(.deletedObjects),
        historyToken: notification.historyToken, queryGeneration: notification.queryGeneration)
    }

    /// The notification with the content of a message.
    public static func makeNotification(_ message: DidSaveMessage) -> Notification {
      .of(
        message.context, name: name,
        values: [
          .insertedObjects: message.inserted, .updatedObjects: message.updated,
          .deletedObjects: message.deleted, .queryGeneration: message.queryGeneration,
        ], historyToken: message.historyToken)
    }
  }

  /// Posted when objects of a context on the main queue have changed.
  ///
  /// Source:
  /// developer.apple.com/documentation/coredata/nsmanagedobjectcontext/objectsdidchangemessage
  public struct ObjectsDidChangeMessage: NotificationCenter.MainActorMessage {
    public typealias Subject = NSManagedObjectContext
    /// The name of the notification behind the message.
    public static var name: Notification.Name { didChangeObjectsNotification }

    /// The context that posts the message.
    public let context: NSManagedObjectContext
    /// The inserted objects.
    public let inserted: Set<NSManagedObject>
    /// The updated objects.
    public let updated: Set<NSManagedObject>
    /// The deleted objects.
    public let deleted: Set<NSManagedObject>
    /// The refreshed objects, whose values were read again.
    public let refreshed: Set<NSManagedObject>
    /// The invalidated objects, which are unusable.
    public let invalidated: Set<NSManagedObject>

    /// Converts a notification; nil if its object is no context.
    public static func makeMessage(_ notification: Notification) -> ObjectsDidChangeMessage? {
      guard let context = notification.object as? NSManagedObjectContext else { return nil }
      return ObjectsDidChangeMessage(
        context: context, inserted: notification.objects(.insertedObjects),
        updated: notification.objects(.updatedObjects),
        deleted: notification.objects(.deletedObjects),
        refreshed: notification.objects(.refreshedObjects),
        invalidated: notification.objects(.invalidatedObjects))
    }

    /// The notification with the content of a message.
    public static func makeNotification(_ message: ObjectsDidChangeMessage) -> Notification {
      .of(
        message.context, name: name,
        values: [
          .insertedObjects: message.inserted, .updatedObjects: message.updated,
          .deletedObjects: message.deleted, .refreshedObjects: message.refreshed,
          .invalidatedObjects: message.invalidated,
        ])
    }
  }

  /// Posted when a context on the main queue has saved; has the IDs of the objects.
  public struct DidSaveObjectIDsMessage: NotificationCenter.MainActorMessage {
    public typealias Subject = NSManagedObjectContext
    /// The name of the notification behind the message.
    public static var name: Notification.Name { didSaveObjectIDsNotification }

    /// The context that posts the message.
    public let context: NSManagedObjectContext
    /// The IDs of the inserted objects.
    public let insertedIDs: Set<NSManagedObjectID>
    /// The IDs of the updated objects.
    public let updatedIDs: Set<NSManagedObjectID>
    /// The IDs of the deleted objects.
    public let deletedIDs: Set<NSManagedObjectID>
    /// The IDs of the refreshed objects.
    public let refreshedIDs: Set<NSManagedObjectID>
    /// The IDs of the invalidated objects.
    public let invalidatedIDs: Set<NSManagedObjectID>
    /// The token of the save's transaction, if the store tracks history.
    public let historyToken: NSPersistentHistoryToken?
    /// The query generation of the context after the save.
    public let queryGeneration: NSQueryGenerationToken?

    /// Converts a notification; nil if its object is no context.
    public static func makeMessage(_ notification: Notification) -> DidSaveObjectIDsMessage? {
      guard let context = notification.object as? NSManagedObjectContext else { return nil }
      let ids = notification.changedIDs
      return DidSaveObjectIDsMessage(
        context: context, insertedIDs: ids.inserted, updatedIDs: ids.updated,
        deletedIDs: ids.deleted, refreshedIDs: ids.refreshed, invalidatedIDs: ids.invalidated,
        historyToken: notification.historyToken, queryGeneration: notification.queryGeneration)
    }

    /// The notification with the content of a message.
    public static func makeNotification(_ message: DidSaveObjectIDsMessage) -> Notification {
      .of(
        message.context, name: name,
        values: [
          .insertedObjectIDs: message.insertedIDs, .updatedObjectIDs: message.updatedIDs,
          .deletedObjectIDs: message.deletedIDs, .refreshedObjectIDs: message.refreshedIDs,
          .invalidatedObjectIDs: message.invalidatedIDs,
          .queryGeneration: message.queryGeneration,
        ], historyToken: message.historyToken)
    }
  }

  /// Posted when a context on any queue has saved; has the IDs of the objects.
  public struct DidSaveObjectIDsAsyncMessage: NotificationCenter.AsyncMessage {
    public typealias Subject = NSManagedObjectContext
    /// The name of the notification behind the message.
    public static var name: Notification.Name { didSaveObjectIDsNotification }

    /// The IDs of the inserted objects.
    public let insertedIDs: Set<NSManagedObjectID>
    /// The IDs of the updated objects.
    public let updatedIDs: Set<NSManagedObjectID>
    /// The IDs of the deleted objects.
    public let deletedIDs: Set<NSManagedObjectID>
    /// The token of the save's transaction, if the store tracks history.
    public let historyToken: NSPersistentHistoryToken?

    /// Converts a notification; never nil.
    public static func makeMessage(_ notification: Notification) -> DidSaveObjectIDsAsyncMessage? {
      let ids = notification.changedIDs
      return DidSaveObjectIDsAsyncMessage(
        insertedIDs: ids.inserted, updatedIDs: ids.updated, deletedIDs: ids.deleted,
        historyToken: notification.historyToken)
    }

    /// The notification with the content of a message.
    public static func makeNotification(_ message: DidSaveObjectIDsAsyncMessage) -> Notification {
      .of(
        nil, name: name,
        values: [
          .insertedObjectIDs: message.insertedIDs, .updatedObjectIDs: message.updatedIDs,
          .deletedObjectIDs: message.deletedIDs,
        ], historyToken: message.historyToken)
    }
  }

  /// Posted when a context on the main queue has merged changes.
  public struct DidMergeChangesMessage: NotificationCenter.MainActorMessage {
    public typealias Subject = NSManagedObjectContext
    /// The name of the notification behind the message.
    public static var name: Notification.Name { didMergeChangesObjectIDsNotification }

    /// The context that posts the message.
    public let context: NSManagedObjectContext
    /// The IDs of the inserted objects.
    public let insertedIDs: Set<NSManagedObjectID>
    /// The IDs of the updated objects.
    public let updatedIDs: Set<NSManagedObjectID>
    /// The IDs of the deleted objects.
    public let deletedIDs: Set<NSManagedObjectID>
    /// The IDs of the refreshed objects.
    public let refreshedIDs: Set<NSManagedObjectID>

    /// Converts a notification; nil if its object is no context.
    public static func makeMessage(_ notification: Notification) -> DidMergeChangesMessage? {
      guard let context = notification.object as? NSManagedObjectContext else { return nil }
      let ids = notification.changedIDs
      return DidMergeChangesMessage(
        context: context, insertedIDs: ids.inserted, updatedIDs: ids.updated,
        deletedIDs: ids.deleted, refreshedIDs: ids.refreshed)
    }

    /// The notification with the content of a message.
    public static func makeNotification(_ message: DidMergeChangesMessage) -> Notification {
      .of(
        message.context, name: name,
        values: [
          .insertedObjectIDs: message.insertedIDs, .updatedObjectIDs: message.updatedIDs,
          .deletedObjectIDs: message.deletedIDs, .refreshedObjectIDs: message.refreshedIDs,
        ])
    }
  }

  /// Posted when a context on any queue has merged changes.
  public struct DidMergeChangesAsyncMessage: NotificationCenter.AsyncMessage {
    public typealias Subject = NSManagedObjectContext
    /// The name of the notification behind the message.
    public static var name: Notification.Name { didMergeChangesObjectIDsNotification }

    /// The IDs of the inserted objects.
    public let insertedIDs: Set<NSManagedObjectID>
    /// The IDs of the updated objects.
    public let updatedIDs: Set<NSManagedObjectID>
    /// The IDs of the deleted objects.
    public let deletedIDs: Set<NSManagedObjectID>
    /// The IDs of the refreshed objects.
    public let refreshedIDs: Set<NSManagedObjectID>

    /// Converts a notification; never nil.
    public static func makeMessage(_ notification: Notification) -> DidMergeChangesAsyncMessage? {
      let ids = notification.changedIDs
      return DidMergeChangesAsyncMessage(
        insertedIDs: ids.inserted, updatedIDs: ids.updated, deletedIDs: ids.deleted,
        refreshedIDs: ids.refreshed)
    }

    /// The notification with the content of a message.
    public static func makeNotification(_ message: DidMergeChangesAsyncMessage) -> Notification {
      .of(
        nil, name: name,
        values: [
          .insertedObjectIDs: message.insertedIDs, .updatedObjectIDs: message.updatedIDs,
          .deletedObjectIDs: message.deletedIDs, .refreshedObjectIDs: message.refreshedIDs,
        ])
    }
  }
}
