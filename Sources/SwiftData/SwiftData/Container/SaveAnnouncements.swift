import CoreData
import Foundation
import Synchronization

/// Tells the contexts that have no queue what others on their coordinator have saved. They merge it
/// when they are next used, on their own thread.
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
      for inbox in self.inboxes(.confinementConcurrencyType)
      where inbox.owner != ObjectIdentifier(context) {
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

  /// Those of all contexts.
  var inboxes: [SaveInbox] { listeners.withLock { $0.compactMap(\.inbox) } }

  private func inboxes(_ type: NSManagedObjectContextConcurrencyType) -> [SaveInbox] {
    inboxes.filter { $0.type == type }
  }
}

/// Sendable: object IDs are, and nothing else is in it.
struct SavedChanges: @unchecked Sendable {
  /// As merges take them; nil for anything and everything.
  let userInfo: [AnyHashable: Any]?
  init(_ userInfo: [AnyHashable: Any]?) { self.userInfo = userInfo }

  /// Throws where the store cannot be read just now, with nothing merged.
  func merge(into context: NSManagedObjectContext) throws {
    guard let userInfo else { return context.refreshAllObjects() }
    try context.mergeRemoteChanges(userInfo)
  }
}

/// What one context has yet to merge.
///
/// Sendable: `context` is only called on its queue, the rest is constant or has its lock.
final class SaveInbox: @unchecked Sendable {
  let owner: ObjectIdentifier
  let type: NSManagedObjectContextConcurrencyType
  /// Seconds until a store that could not be read is read again.
  private static let pause = 0.25
  private weak var context: ModelObjectContext?
  private let waiting = Mutex<[SavedChanges]>([])
  private let isEmpty = Atomic<Bool>(true)

  init(of context: ModelObjectContext) {
    owner = ObjectIdentifier(context)
    type = context.concurrencyType
    self.context = context
  }

  /// A context of the main queue empties the box as soon as that queue has a moment.
  func put(_ changes: SavedChanges) {
    waiting.withLock { $0.append(changes) }
    isEmpty.store(false, ordering: .releasing)
    mergeOnMainQueue()
  }

  private func mergeOnMainQueue() {
    guard type == .mainQueueConcurrencyType else { return }
    context?.perform { [weak self] in
      guard let self, let context else { return }
      context.modelContext?.saveBeforeMerging()
      merge(into: context)
    }
  }

  /// Empties the box. What cannot be read just now stays in it.
  func merge(into context: NSManagedObjectContext) {
    let all = take()
    for (index, changes) in all.enumerated() {
      do { try changes.merge(into: context) } catch {
        putBack(all[index...])
        return
      }
    }
  }

  private func take() -> [SavedChanges] {
    guard !isEmpty.exchange(true, ordering: .acquiringAndReleasing) else { return [] }
    return waiting.withLock { all in
      defer { all = [] }
      return all
    }
  }

  private func putBack(_ changes: ArraySlice<SavedChanges>) {
    waiting.withLock { $0.insert(contentsOf: changes, at: 0) }
    isEmpty.store(false, ordering: .releasing)
    guard type == .mainQueueConcurrencyType else { return }
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.pause) { [weak self] in
      self?.mergeOnMainQueue()
    }
  }
}
