import CoreData
import TestSupport

/// Merges what others write into a context of its own, whenever a notification says that there is something.
///
/// Sendable: everything is used by the context's queue, but for `progress`, which has its lock.
final class HistoryFollower: @unchecked Sendable {
  private let author: String
  private let context: NSManagedObjectContext
  private let counters: [ObjectBox]
  private var token: NSPersistentHistoryToken?
  private var seen = SharedWork.Seen()
  private var delays: [TimeInterval] = []
  private var last: Int64 = 0
  private let progress = NSLock()
  private var observer: (any NSObjectProtocol)?

  init(_ coordinator: NSPersistentStoreCoordinator, author: String) throws {
    self.author = author
    let context = WriterModel.context(coordinator, author: author)
    self.context = context
    token = coordinator.currentPersistentHistoryToken(fromStores: nil)
    counters = try context.performAndWait {
      // Held and read: from now on only merges change them.
      try context.all("Counter", sortedBy: "number").map {
        _ = $0.value(forKey: "shared")
        return ObjectBox($0)
      }
    }
    observer = NotificationCenter.default.addObserver(
      forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
    ) { [weak self] _ in self?.follow() }
  }

  private func follow() {
    let now = Date()
    context.performAndWait {
      do { try read(now) } catch { fatalError("The history could not be read: \(error)") }
    }
  }

  private func read(_ now: Date) throws {
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
    let result = try context.execute(request) as? NSPersistentHistoryResult
    let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
    guard let newest = transactions.last else { return }
    for transaction in transactions {
      context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
      guard transaction.author != author else { continue }
      seen.transactions.append(transaction.transactionNumber)
      delays.append(now.timeIntervalSince(transaction.timestamp))
    }
    token = newest.token
    progress.withLock { last = newest.transactionNumber }
  }

  /// What has been seen, when notifications have told of everything up to a transaction.
  func wait(for number: Int64) throws -> SharedWork.Seen {
    try Patience.wait(for: "the transaction \(number)") { progress.withLock { last >= number } }
    return context.performAndWait {
      seen.counters = counters.map { counter in
        ["first", "second", "shared"].map { counter.object.value(forKey: $0) as? Int ?? -1 }
      }
      let sorted = delays.sorted().map { $0 * 1000 }
      if !sorted.isEmpty {
        seen.medianDelay = sorted[sorted.count / 2]
        seen.longDelay = sorted[sorted.count * 95 / 100]
      }
      return seen
    }
  }
}
