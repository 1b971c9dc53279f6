import CoreData
import Foundation
import Synchronization

/// Tells the contexts that have no queue what others on their coordinator have saved. They merge it when they are
/// next used, on their own thread.
final class SaveAnnouncements: @unchecked Sendable {
  private struct Listener {
    weak var inbox: SaveInbox?
  }

  private let listeners = Mutex<[Listener]>([])
  private var observer: (any NSObjectProtocol)?

  init(_ coordinator: NSPersistentStoreCoordinator) {
    observer = NotificationCenter.default.addObserver(
      forName: NSManagedObjectContext.didSaveObjectIDsNotification, object: nil, queue: nil
    ) { [weak self, weak coordinator] notification in
      guard let self, let coordinator, let context = notification.object as? NSManagedObjectContext,
        context.persistentStoreCoordinator === coordinator
      else { return }
      let changes = SavedChanges(notification.userInfo ?? [:])
      for inbox in self.inboxes where inbox.owner != ObjectIdentifier(context) {
        inbox.put(changes)
      }
    }
  }

  deinit { if let observer { NotificationCenter.default.removeObserver(observer) } }

  func add(_ inbox: SaveInbox) {
    listeners.withLock { all in
      all.removeAll { $0.inbox == nil }
      all.append(Listener(inbox: inbox))
    }
  }

  private var inboxes: [SaveInbox] { listeners.withLock { $0.compactMap(\.inbox) } }
}

/// Sendable: object IDs are, and nothing else is in it.
struct SavedChanges: @unchecked Sendable {
  let userInfo: [AnyHashable: Any]
  init(_ userInfo: [AnyHashable: Any]) { self.userInfo = userInfo }
}

/// What one context has yet to merge.
final class SaveInbox: Sendable {
  let owner: ObjectIdentifier
  private let waiting = Mutex<[SavedChanges]>([])
  private let isEmpty = Atomic<Bool>(true)

  init(of context: NSManagedObjectContext) { owner = ObjectIdentifier(context) }

  func put(_ changes: SavedChanges) {
    waiting.withLock { $0.append(changes) }
    isEmpty.store(false, ordering: .releasing)
  }

  /// Empties the box.
  func take() -> [SavedChanges] {
    guard !isEmpty.exchange(true, ordering: .acquiringAndReleasing) else { return [] }
    return waiting.withLock { all in
      defer { all = [] }
      return all
    }
  }
}
