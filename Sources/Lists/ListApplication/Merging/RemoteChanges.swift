import CoreData
import Synchronization

extension Notification.Name {
  /// Posted on the main queue for a window's context that has merged what other processes have
  /// saved, whether it had met the objects or not.
  package static let contextDidFollowOthers = Notification.Name("ContextDidFollowOthers")
}

/// Tells contexts what other processes have saved to the same store, a file or on a server, by way
/// of its history.
///
///     NSPersistentStoreRemoteChange ─► fetchHistory(after: token) ─► shares ─► each context
///
/// Sendable: used by the queue of `context`, but for what the lock guards.
final class RemoteChanges: @unchecked Sendable {
  /// How long other processes may take to hear of a change, seconds.
  private static let historyAge: TimeInterval = 7 * 86_400
  /// So many changes are merged at a time: between two shares the main queue is everybody's.
  private static let share = 500
  /// Seconds until a store that could not be read is read again, at first and at most.
  private static let pauses = 0.05...1

  /// What this process saves has it, and reaches its own contexts by itself.
  let author = "\(ProcessInfo.processInfo.processName) \(UUID())"
  private let context: NSManagedObjectContext
  private var token: NSPersistentHistoryToken?
  private var observer: (any NSObjectProtocol)?
  private var pause = pauses.lowerBound
  private var isClosed = false
  private let followers = Mutex(Followers())

  private struct Followers {
    var all: [Follower] = []
    /// What others have done to objects that a context has changed and could not save: merged
    /// before that, it would lie below the changes unseen, and the next save would write over it.
    var heldBack: [ObjectIdentifier: NetChanges] = [:]
  }

  private struct Follower {
    weak var context: NSManagedObjectContext?
  }

  /// To be made before any context reads.
  init(_ coordinator: NSPersistentStoreCoordinator) {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    self.context = context
    token = coordinator.currentPersistentHistoryToken(fromStores: nil)
    observer = NotificationCenter.default.addObserver(
      forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
    ) { [weak self] _ in
      // Not on the thread that listens: contexts may keep a merge waiting.
      self?.mergeSoon()
    }
    context.perform { [weak self] in self?.forgetOldHistory() }
    // What came between the token and the observer.
    mergeSoon()
  }

  deinit { observer.map(NotificationCenter.default.removeObserver) }

  /// Ends following, once what is being merged is merged.
  func close() async {
    observer.map(NotificationCenter.default.removeObserver)
    observer = nil
    await context.perform { [self] in isClosed = true }
  }

  func add(_ context: NSManagedObjectContext) {
    context.transactionAuthor = author
    followers.withLock { followers in
      followers.all.removeAll { $0.context == nil }
      followers.all.append(Follower(context: context))
      // Another context of before may have had its address.
      followers.heldBack[ObjectIdentifier(context)] = nil
    }
  }

  /// What is so old that everybody has heard of it. On a standby nothing can be deleted.
  private func forgetOldHistory() {
    guard let coordinator = context.persistentStoreCoordinator,
      !coordinator.persistentStores.allSatisfy(\.isReadOnly)
    else { return }
    let end = Date(timeIntervalSinceNow: -Self.historyAge)
    // It can wait for the next start: a store that is locked, or a server that is away, is no
    // reason to say so.
    _ = try? context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: end))
  }

  // MARK: - Merging

  private func mergeSoon(after seconds: TimeInterval = 0) {
    let merge: @Sendable () -> Void = { [weak self] in
      guard let self else { return }
      self.context.perform { self.merge() }
    }
    guard seconds > 0 else { return merge() }
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: merge)
  }

  private func merge() {
    if isClosed { return }
    do {
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
      let result = try context.execute(request) as? NSPersistentHistoryResult
      let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
      for share in Self.shares(transactions[...]) {
        try merge(NetChanges(share.filter { $0.author != author }))
        token = share.last?.token ?? token
      }
      if transactions.isEmpty { try merge(NetChanges()) }
      pause = Self.pauses.lowerBound
    } catch let error as NSError where error.code == NSPersistentHistoryTokenExpiredError {
      // Some of what was missed is forgotten.
      token = context.persistentStoreCoordinator?.currentPersistentHistoryToken(fromStores: nil)
      for context in contexts { context.perform { context.refreshAllObjects() } }
    } catch {
      // The server is away, or somebody has locked the file. What was merged already is merged
      // again.
      mergeSoon(after: pause)
      pause = min(pause * 2, Self.pauses.upperBound)
    }
  }

  private var contexts: [NSManagedObjectContext] {
    followers.withLock { $0.all.compactMap(\.context) }
  }

  private func merge(_ changes: NetChanges) throws {
    // Saves of this process come by here as well, and there are many of them.
    if changes.isEmpty, followers.withLock({ $0.heldBack.isEmpty }) { return }
    for context in contexts {
      let held = take(heldBackFrom: context)
      let changes = held.adding(changes)
      if changes.isEmpty { continue }
      do {
        let later = try context.performAndWait { try merge(changes, into: context) }
        if !later.isEmpty { holdBack(later, from: context) }
      } catch {
        // The others are read again.
        if !held.isEmpty { holdBack(held, from: context) }
        throw error
      }
    }
  }

  /// Returns what has to wait.
  private func merge(
    _ changes: NetChanges, into context: NSManagedObjectContext
  ) throws -> NetChanges {
    var (now, later) = (changes, NetChanges())
    // What this process has saved before comes first.
    if let onRemoteChanges = (context as? WindowContext)?.onRemoteChanges {
      MainActor.assumeIsolated { onRemoteChanges() }
    }
    context.mergeWaitingSaves()
    // What a deed has changed is saved first, and meets what others have made of it. A save that
    // fails is tried again by the window, which says so.
    if (context as? WindowContext)?.savesEachEvent == true, context.hasChanges {
      try? context.save()
      let edited = context.updatedObjects.union(context.deletedObjects)
      (now, later) = changes.split(Set(edited.map(\.objectID)))
    }
    if !now.isEmpty { try context.mergeRemoteChanges(now.data) }
    NotificationCenter.default.post(name: .contextDidFollowOthers, object: context)
    return later
  }

  private func take(heldBackFrom context: NSManagedObjectContext) -> NetChanges {
    followers.withLock { followers in
      followers.heldBack.removeValue(forKey: ObjectIdentifier(context)) ?? NetChanges()
    }
  }

  private func holdBack(_ changes: NetChanges, from context: NSManagedObjectContext) {
    followers.withLock { $0.heldBack[ObjectIdentifier(context)] = changes }
    mergeSoon(after: Self.pauses.upperBound)
  }

  /// Whole transactions, so many of them that a share has some hundred changes.
  private static func shares(
    _ transactions: ArraySlice<NSPersistentHistoryTransaction>
  ) -> [ArraySlice<NSPersistentHistoryTransaction>] {
    var shares: [ArraySlice<NSPersistentHistoryTransaction>] = []
    var (start, count) = (transactions.startIndex, 0)
    for index in transactions.indices {
      count += transactions[index].changes?.count ?? 0
      guard count >= share else { continue }
      shares.append(transactions[start...index])
      (start, count) = (index + 1, 0)
    }
    if start < transactions.endIndex { shares.append(transactions[start...]) }
    return shares
  }
}
