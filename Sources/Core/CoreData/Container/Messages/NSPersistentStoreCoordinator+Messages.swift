// Typed messages for the notifications of coordinators.

extension NSPersistentStoreCoordinator {
  /// Posted when a coordinator's stores have changed; delivered on the main actor.
  ///
  /// Source:
  /// developer.apple.com/documentation/coredata/nspersistentstorecoordinator/storesdidchangemessage
  public struct StoresDidChangeMessage: NotificationCenter.MainActorMessage {
    public typealias Subject = NSPersistentStoreCoordinator
    /// The name of the notification behind the message.
    public static var name: Notification.Name { .NSPersistentStoreCoordinatorStoresDidChange }

    /// The coordinator that posts the message.
    public let persistentStoreCoordinator: NSPersistentStoreCoordinator
    /// The added stores.
    public let addedStores: [NSPersistentStore]
    /// The removed stores.
    public let removedStores: [NSPersistentStore]
    /// The old store and the new one of a migration.
    public let uuidChangedStores: [NSPersistentStore]

    /// Converts a notification; nil if its object is no coordinator.
    public static func makeMessage(_ notification: Notification) -> StoresDidChangeMessage? {
      guard let change = StoresChange(notification) else { return nil }
      return StoresDidChangeMessage(
        persistentStoreCoordinator: change.coordinator, addedStores: change.added,
        removedStores: change.removed, uuidChangedStores: change.uuidChanged)
    }

    /// The notification with the content of a message.
    public static func makeNotification(_ message: StoresDidChangeMessage) -> Notification {
      StoresChange(
        coordinator: message.persistentStoreCoordinator, added: message.addedStores,
        removed: message.removedStores, uuidChanged: message.uuidChangedStores
      ).notification
    }
  }

  /// Posted when a coordinator's stores have changed, from any thread.
  ///
  /// Sendable: stores guard themselves, and are named here alone.
  public struct StoresDidChangeAsyncMessage: NotificationCenter.AsyncMessage, @unchecked Sendable {
    public typealias Subject = NSPersistentStoreCoordinator
    /// The name of the notification behind the message.
    public static var name: Notification.Name { .NSPersistentStoreCoordinatorStoresDidChange }

    /// The coordinator that posts the message.
    public let persistentStoreCoordinator: NSPersistentStoreCoordinator
    /// The added stores.
    public let addedStores: [NSPersistentStore]
    /// The removed stores.
    public let removedStores: [NSPersistentStore]
    /// The old store and the new one of a migration.
    public let uuidChangedStores: [NSPersistentStore]

    /// Converts a notification; nil if its object is no coordinator.
    public static func makeMessage(_ notification: Notification) -> StoresDidChangeAsyncMessage? {
      guard let change = StoresChange(notification) else { return nil }
      return StoresDidChangeAsyncMessage(
        persistentStoreCoordinator: change.coordinator, addedStores: change.added,
        removedStores: change.removed, uuidChangedStores: change.uuidChanged)
    }

    /// The notification with the content of a message.
    public static func makeNotification(_ message: StoresDidChangeAsyncMessage) -> Notification {
      StoresChange(
        coordinator: message.persistentStoreCoordinator, added: message.addedStores,
        removed: message.removedStores, uuidChanged: message.uuidChangedStores
      ).notification
    }
  }

  /// Posted when any coordinator of any process has changed a store.
  public struct RemoteChangeMessage: NotificationCenter.AsyncMessage {
    public typealias Subject = NSPersistentStoreCoordinator
    /// The name of the notification behind the message.
    public static var name: Notification.Name { .NSPersistentStoreRemoteChange }

    /// The coordinator that posts the message.
    public let persistentStoreCoordinator: NSPersistentStoreCoordinator
    /// The URL of the changed store.
    public let storeURL: URL?
    /// The UUID of the changed store.
    public let storeUUID: String?
    /// The history token of the change, if the store tracks history.
    public let historyToken: NSPersistentHistoryToken?

    /// Converts a notification; nil if its object is no coordinator.
    public static func makeMessage(_ notification: Notification) -> RemoteChangeMessage? {
      guard let coordinator = notification.object as? NSPersistentStoreCoordinator else {
        return nil
      }
      let userInfo = notification.userInfo ?? [:]
      return RemoteChangeMessage(
        persistentStoreCoordinator: coordinator,
        storeURL: userInfo[NSPersistentStoreURLKey] as? URL,
        storeUUID: userInfo[NSStoreUUIDKey] as? String,
        historyToken: userInfo[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken)
    }

    /// The notification with the content of a message.
    public static func makeNotification(_ message: RemoteChangeMessage) -> Notification {
      var userInfo: [AnyHashable: Any] = [:]
      userInfo[NSPersistentStoreURLKey] = message.storeURL
      userInfo[NSStoreUUIDKey] = message.storeUUID
      userInfo[NSPersistentHistoryTokenKey] = message.historyToken
      return Notification(
        name: name, object: message.persistentStoreCoordinator, userInfo: userInfo)
    }
  }
}

extension NSPersistentCloudKitContainer {
  /// Posted when a set-up, an import or an export of a mirrored store begins or ends.
  public struct EventChangedMessage: NotificationCenter.AsyncMessage {
    public typealias Subject = NSPersistentCloudKitContainer
    /// The name of the notification behind the message.
    public static var name: Notification.Name {
      NSPersistentCloudKitContainer.eventChangedNotification
    }

    /// The event.
    public let event: Event

    /// Converts a notification; nil if it has no event.
    public static func makeMessage(_ notification: Notification) -> EventChangedMessage? {
      let key = NSPersistentCloudKitContainer.eventNotificationUserInfoKey
      return (notification.userInfo?[key] as? Event).map(EventChangedMessage.init)
    }

    /// The notification with the content of a message.
    public static func makeNotification(_ message: EventChangedMessage) -> Notification {
      Notification(
        name: name, object: nil,
        userInfo: [NSPersistentCloudKitContainer.eventNotificationUserInfoKey: message.event])
    }
  }
}

/// The user info of the notification that stores have changed.
private struct StoresChange {
  let coordinator: NSPersistentStoreCoordinator
  let added: [NSPersistentStore]
  let removed: [NSPersistentStore]
  let uuidChanged: [NSPersistentStore]

  init(
    coordinator: NSPersistentStoreCoordinator, added: [NSPersistentStore],
    removed: [NSPersistentStore], uuidChanged: [NSPersistentStore]
  ) {
    self.coordinator = coordinator
    self.added = added
    self.removed = removed
    self.uuidChanged = uuidChanged
  }

  init?(_ notification: Notification) {
    guard let coordinator = notification.object as? NSPersistentStoreCoordinator else { return nil }
    // After a migration the array holds, besides stores, the object IDs that have changed.
    func stores(_ key: String) -> [NSPersistentStore] {
      (notification.userInfo?[key] as? [Any] ?? []).compactMap { $0 as? NSPersistentStore }
    }
    self.init(
      coordinator: coordinator, added: stores(NSAddedPersistentStoresKey),
      removed: stores(NSRemovedPersistentStoresKey),
      uuidChanged: stores(NSUUIDChangedPersistentStoresKey))
  }

  var notification: Notification {
    let stores = [
      NSAddedPersistentStoresKey: added, NSRemovedPersistentStoresKey: removed,
      NSUUIDChangedPersistentStoresKey: uuidChanged,
    ].filter { !$0.value.isEmpty }
    return Notification(
      name: .NSPersistentStoreCoordinatorStoresDidChange, object: coordinator, userInfo: stores)
  }
}
