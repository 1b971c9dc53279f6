import CoreData

/// Follows the saves of other processes to a store, without writing to it: by its history if it has
/// one, else by row versions.
///
///     StoreStamp differs ─► history after the token, or RowVersions of each entity ─► merge
///
/// Sendable: `lock` guards `followers`; `warnings` is written in the initialiser only; all other
/// variables are used on `queue` alone.
package final class StoreFollower: @unchecked Sendable {
  /// The interval of polling.
  private static let pause = DispatchTimeInterval.milliseconds(25)
  /// The interval of polling for a server, which costs a query.
  private static let pauseOfServer = DispatchTimeInterval.milliseconds(250)
  /// The maximum number of rows that are compared. More would take seconds for each save of another
  /// process.
  private static let mostRows = 500_000
  /// The number of changes that are merged at once. Between two portions a context's queue is free
  /// for other work.
  private static let share = 500

  private let store: OpenedStore
  private let queue = DispatchQueue(label: "StoreFollower")
  private let reader: NSManagedObjectContext
  private var stamp: StoreStamp
  private var token: NSPersistentHistoryToken?
  private var versions: [RowVersions] = []
  private var unmerged = RowVersions.Changes()
  private var timer: (any DispatchSourceTimer)?
  private let lock = NSLock()
  private var followers: [Follower] = []

  private struct Follower {
    weak var context: NSManagedObjectContext?
    let didMerge: @Sendable () -> Void
  }

  /// Changes that cannot be followed, as texts for the user.
  package private(set) var warnings: [String] = []

  /// Records the store's current state. Make a follower before any context reads. Throws for a
  /// store that is read into memory once.
  package init(_ store: OpenedStore) throws {
    self.store = store
    reader = store.makeContext()
    // Read first, so that no change is missed in between.
    stamp = try StoreStamp(store)
    token = store.coordinator.currentPersistentHistoryToken(fromStores: nil)
    guard token == nil else { return }
    for entity in store.model.entities where entity.superentity == nil {
      let count = try store.withContext {
        try $0.count(for: NSFetchRequest<NSManagedObject>(entityName: entity.name ?? ""))
      }
      if count <= Self.mostRows {
        versions.append(try RowVersions(store, entity: entity))
      } else {
        warnings.append(
          "\(entity.name ?? "") has \(count) objects and the store no history: what others change in it is not "
            + "followed.")
      }
    }
  }

  deinit { timer?.cancel() }

  /// Merges later saves of other processes into a context.
  ///
  /// - Parameter didMerge: called on the context's queue after each merge.
  package func add(_ context: NSManagedObjectContext, didMerge: @escaping @Sendable () -> Void) {
    lock.withLock {
      followers.removeAll { $0.context == nil }
      followers.append(Follower(context: context, didMerge: didMerge))
    }
    queue.async { [weak self] in self?.start() }
  }

  // MARK: - Queue

  private func start() {
    guard timer == nil else { return }
    let timer = DispatchSource.makeTimerSource(queue: queue)
    let pause = store.format.isFile ? Self.pause : Self.pauseOfServer
    timer.schedule(deadline: .now(), repeating: pause, leeway: .milliseconds(5))
    timer.setEventHandler { [weak self] in self?.look() }
    timer.resume()
    self.timer = timer
  }

  /// Looks for changes and merges them. A store that cannot be read now is tried again at the next
  /// interval.
  private func look() {
    guard let now = try? StoreStamp(store) else { return }
    do {
      if now != stamp {
        let (found, end) = try changes()
        unmerged.append(found)
        token = end ?? token
        stamp = now
      }
      for share in unmerged.shares(of: Self.share) { try merge(share.data) }
      unmerged = .init()
    } catch {
      // The next attempt merges all of them again, which is harmless.
    }
  }

  private func changes() throws -> (RowVersions.Changes, NSPersistentHistoryToken?) {
    var changes = RowVersions.Changes()
    guard let token else {
      // All entities or none: the next attempt compares with the same versions again.
      var next = versions
      for index in next.indices { changes.append(try next[index].changes()) }
      versions = next
      return (changes, nil)
    }
    let end = store.coordinator.currentPersistentHistoryToken(fromStores: nil)
    try reader.performAndWait {
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
      request.resultType = .changesOnly
      let result = try reader.execute(request) as? NSPersistentHistoryResult
      var last: [NSManagedObjectID: NSPersistentHistoryChangeType] = [:]
      for change in result?.result as? [NSPersistentHistoryChange] ?? [] {
        let isNew = last[change.changedObjectID] == .insert && change.changeType == .update
        if !isNew { last[change.changedObjectID] = change.changeType }
      }
      changes.inserted = last.filter { $0.value == .insert }.map(\.key)
      changes.updated = last.filter { $0.value == .update }.map(\.key)
      changes.deleted = last.filter { $0.value == .delete }.map(\.key)
    }
    return (changes, end)
  }

  private func merge(_ data: [AnyHashable: Any]) throws {
    for follower in lock.withLock({ followers }) {
      guard let context = follower.context else { continue }
      try context.performAndWait {
        try context.mergeRemoteChanges(data)
        follower.didMerge()
      }
    }
  }
}

extension RowVersions.Changes {
  mutating func append(_ other: Self) {
    inserted += other.inserted
    updated += other.updated
    deleted += other.deleted
  }

  /// The changes in the form that merging expects.
  var data: [AnyHashable: Any] {
    [
      NSInsertedObjectIDsKey: inserted, NSUpdatedObjectIDsKey: updated,
      NSDeletedObjectIDsKey: deleted,
    ]
  }

  /// The changes in portions of at most `size`.
  func shares(of size: Int) -> [Self] {
    let all =
      inserted.map { (NSPersistentHistoryChangeType.insert, $0) } + updated.map { (.update, $0) }
      + deleted.map { (.delete, $0) }
    return stride(from: 0, to: all.count, by: size).map { start in
      var share = Self()
      for (type, id) in all[start..<min(start + size, all.count)] {
        switch type {
        case .insert: share.inserted.append(id)
        case .update: share.updated.append(id)
        case .delete: share.deleted.append(id)
        }
      }
      return share
    }
  }
}
