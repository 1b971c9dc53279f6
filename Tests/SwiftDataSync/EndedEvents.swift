import CoreData
import TestSupport

/// The events of all containers that end from now on.
final class EndedEvents: @unchecked Sendable {
  // Sendable: the lock guards what was told; the observer is only handed back.
  private let lock = NSLock()
  private var told: [NSPersistentCloudKitContainer.Event] = []
  private var observer: (any NSObjectProtocol)?

  init() {
    observer = NotificationCenter.default.addObserver(
      forName: NSPersistentCloudKitContainer.eventChangedNotification, object: nil, queue: nil
    ) { [weak self] notification in
      let key = NSPersistentCloudKitContainer.eventNotificationUserInfoKey
      guard let self,
        let event = notification.userInfo?[key] as? NSPersistentCloudKitContainer.Event,
        event.endDate != nil
      else { return }
      lock.withLock { self.told.append(event) }
    }
  }

  deinit { if let observer { NotificationCenter.default.removeObserver(observer) } }

  var all: [NSPersistentCloudKitContainer.Event] { lock.withLock { told } }
}
