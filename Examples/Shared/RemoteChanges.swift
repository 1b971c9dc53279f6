import CoreData
import Synchronization

/// Tells contexts what other processes have saved to a store on a server, by way of its history.
///
/// Sendable: used by the queue of `context`, but for what the lock guards.
final class RemoteChanges: @unchecked Sendable {
  /// How long other processes may take to hear of a change, seconds.
  private static let historyAge: TimeInterval = 7 * 86_400

  /// What this process saves has it, and reaches its own contexts by itself.
  let author = "\(ProcessInfo.processInfo.processName) \(UUID())"
  private let context: NSManagedObjectContext
  private var token: NSPersistentHistoryToken?
  private var observer: (any NSObjectProtocol)?
  private let followers = Mutex<[Follower]>([])

  private struct Follower {
    weak var context: NSManagedObjectContext?
  }

  /// To be made before any context reads. Forgets what is so old that everybody has heard of it.
  init(_ coordinator: NSPersistentStoreCoordinator) throws {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    self.context = context
    token = coordinator.currentPersistentHistoryToken(fromStores: nil)
    try context.performAndWait {
      // On a standby nothing can be deleted.
      if coordinator.persistentStores.allSatisfy(\.isReadOnly) { return }
      let end = Date(timeIntervalSinceNow: -Self.historyAge)
      _ = try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: end))
    }
    observer = NotificationCenter.default.addObserver(
      forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
    ) { [weak self] _ in
      guard let self else { return }
      // Not on the thread that listens: contexts may keep a merge waiting.
      self.context.perform { self.merge() }
    }
  }

  deinit { observer.map(NotificationCenter.default.removeObserver) }

  func add(_ context: NSManagedObjectContext) {
    context.transactionAuthor = author
    followers.withLock { followers in
      followers.removeAll { $0.context == nil }
      followers.append(Follower(context: context))
    }
  }

  /// Those of several transactions as one: a list that is behind catches up at once.
  private static func changes(
    _ transactions: [NSPersistentHistoryTransaction]
  ) -> [AnyHashable: Any] {
    let changes = transactions.flatMap { $0.changes ?? [] }
    func identities(_ type: NSPersistentHistoryChangeType) -> Set<NSManagedObjectID> {
      Set(changes.filter { $0.changeType == type }.map(\.changedObjectID))
    }
    let deleted = identities(.delete)
    let all: [String: Set<NSManagedObjectID>] = [
      NSInsertedObjectIDsKey: identities(.insert).subtracting(deleted),
      NSUpdatedObjectIDsKey: identities(.update).subtracting(deleted),
      NSDeletedObjectIDsKey: deleted,
    ]
    return all.filter { !$0.value.isEmpty }
  }

  private func merge() {
    let contexts = followers.withLock { $0.compactMap(\.context) }
    do {
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
      let result = try context.execute(request) as? NSPersistentHistoryResult
      let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
      let changes = Self.changes(transactions.filter { $0.author != author })
      if !changes.isEmpty {
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: contexts)
      }
      token = transactions.last?.token ?? token
    } catch let error as NSError {
      // The server is away, and the next notification makes up for it; or what was missed is forgotten.
      guard error.code == NSPersistentHistoryTokenExpiredError else { return }
      token = context.persistentStoreCoordinator?.currentPersistentHistoryToken(fromStores: nil)
      for context in contexts { context.perform { context.refreshAllObjects() } }
    }
  }
}
