// The notifications of coordinators with their types.

extension NSPersistentStoreCoordinator {
  /// The stores of a coordinator have changed, on the main thread.
  ///
  /// Source: developer.apple.com/documentation/coredata/nspersistentstorecoordinator/storesdidchangemessage
  public struct StoresDidChangeMessage: NotificationCenter.MainActorMessage {
    public typealias Subject = NSPersistentStoreCoordinator
    public static var name: Notification.Name { .NSPersistentStoreCoordinatorStoresDidChange }

    public let persistentStoreCoordinator: NSPersistentStoreCoordinator
    public let addedStores: [NSPersistentStore]
    public let removedStores: [NSPersistentStore]
    /// Of a migration the old store and the new one.
    public let uuidChangedStores: [NSPersistentStore]

    public static func makeMessage(_ notification: Notification) -> StoresDidChangeMessage? {
      guard let change = StoresChange(notification) else { return nil }
      return StoresDidChangeMessage(
        persistentStoreCoordinator: change.coordinator, addedStores: change.added,
        removedStores: change.removed, uuidChangedStores: change.uuidChanged)
    }

    public static func makeNotification(_ message: StoresDidChangeMessage) -> Notification {
      StoresChange(
        coordinator: message.persistentStoreCoordinator, added: message.addedStores,
        removed: message.removedStores, uuidChanged: message.uuidChangedStores
      ).notification
    }
  }

  /// The stores of a coordinator have changed, on any thread.
  public struct StoresDidChangeAsyncMessage: NotificationCenter.AsyncMessage {
    public typealias Subject = NSPersistentStoreCoordinator
    public static var name: Notification.Name { .NSPersistentStoreCoordinatorStoresDidChange }

    public let persistentStoreCoordinator: NSPersistentStoreCoordinator
    public let addedStores: [NSPersistentStore]
    public let removedStores: [NSPersistentStore]
    public let uuidChangedStores: [NSPersistentStore]

    public static func makeMessage(_ notification: Notification) -> StoresDidChangeAsyncMessage? {
      guard let change = StoresChange(notification) else { return nil }
      return StoresDidChangeAsyncMessage(
        persistentStoreCoordinator: change.coordinator, addedStores: change.added,
        removedStores: change.removed, uuidChangedStores: change.uuidChanged)
    }

    public static func makeNotification(_ message: StoresDidChangeAsyncMessage) -> Notification {
      StoresChange(
        coordinator: message.persistentStoreCoordinator, added: message.addedStores,
        removed: message.removedStores, uuidChanged: message.uuidChangedStores
      ).notification
    }
  }

  /// A store has changed, by whatever coordinator or process.
  public struct RemoteChangeMessage: NotificationCenter.AsyncMessage {
    public typealias Subject = NSPersistentStoreCoordinator
    public static var name: Notification.Name { .NSPersistentStoreRemoteChange }

    public let persistentStoreCoordinator: NSPersistentStoreCoordinator
    public let storeURL: URL?
    public let storeUUID: String?
    public let historyToken: NSPersistentHistoryToken?

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
  /// A set-up, an import or an export has begun or ended: never here.
  public struct EventChangedMessage: NotificationCenter.AsyncMessage {
    public typealias Subject = NSPersistentCloudKitContainer
    public static var name: Notification.Name {
      NSPersistentCloudKitContainer.eventChangedNotification
    }

    public let event: Event

    public static func makeMessage(_ notification: Notification) -> EventChangedMessage? {
      let key = NSPersistentCloudKitContainer.eventNotificationUserInfoKey
      return (notification.userInfo?[key] as? Event).map(EventChangedMessage.init)
    }

    public static func makeNotification(_ message: EventChangedMessage) -> Notification {
      Notification(
        name: name, object: nil,
        userInfo: [NSPersistentCloudKitContainer.eventNotificationUserInfoKey: message.event])
    }
  }
}

/// What the notification of changed stores says.
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
    // Beside the stores, a migration names the IDs that have changed.
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
