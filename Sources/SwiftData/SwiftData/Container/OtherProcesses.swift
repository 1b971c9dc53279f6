import CoreData
import Foundation
import Synchronization

/// Merges what other processes save to a container's files into the container's contexts.
///
///     NSPersistentStoreRemoteChange ─► fetchHistory(after: token) ─► each context's inbox
///
/// The main context empties its inbox at once, on the main queue; the others when they are next
/// used.
///
/// Sendable: `token` and `pause` belong to the queue of `reader`, the rest is constant or has its
/// lock.
final class OtherProcesses: @unchecked Sendable {
  /// Seconds until a store that could not be read is read again, at first and at most.
  private static let pauses = 0.05...1

  /// The name of this process's contexts in the history: their saves reach each other without it.
  let contextName = "\(ProcessInfo.processInfo.processName) \(UUID())"
  private let reader: NSManagedObjectContext
  private let stores: [NSPersistentStore]
  private let inboxes: @Sendable () -> [SaveInbox]
  private var token: NSPersistentHistoryToken?
  private var pause = pauses.lowerBound
  private var observer: (any NSObjectProtocol)?

  /// - Parameters:
  ///   - coordinator: of the container; its stores post remote changes.
  ///   - stores: those that have a history.
  ///   - inboxes: of the contexts, as many as there are by then.
  init(
    _ coordinator: NSPersistentStoreCoordinator, stores: [NSPersistentStore],
    inboxes: @escaping @Sendable () -> [SaveInbox]
  ) {
    reader = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    reader.persistentStoreCoordinator = coordinator
    self.stores = stores
    self.inboxes = inboxes
    token = coordinator.currentPersistentHistoryToken(fromStores: stores)
    observer = NotificationCenter.default.addObserver(
      forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
    ) { [weak self] _ in self?.readSoon() }
    // What came between the token and the observer.
    readSoon()
  }

  deinit { if let observer { NotificationCenter.default.removeObserver(observer) } }

  /// Closes the stores now. By themselves they would be closed a moment later, if one is just being
  /// read or announced.
  func close() {
    reader.performAndWait {
      guard let coordinator = reader.persistentStoreCoordinator else { return }
      reader.persistentStoreCoordinator = nil
      for store in stores { try? coordinator.remove(store) }
    }
  }

  private func readSoon(after seconds: TimeInterval = 0) {
    let read: @Sendable () -> Void = { [weak self] in
      guard let self else { return }
      reader.perform { [weak self] in self?.read() }
    }
    guard seconds > 0 else { return read() }
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: read)
  }

  private func read() {
    guard reader.persistentStoreCoordinator != nil else { return }
    do {
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
      request.affectedStores = stores
      let result = try reader.execute(request) as? NSPersistentHistoryResult
      let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
      announce(transactions.filter { $0.contextName != contextName })
      token = transactions.last?.token ?? token
      pause = Self.pauses.lowerBound
    } catch let error as NSError where error.code == NSPersistentHistoryTokenExpiredError {
      // Some of what was missed is forgotten.
      token = reader.persistentStoreCoordinator?.currentPersistentHistoryToken(fromStores: stores)
      for inbox in inboxes() { inbox.put(SavedChanges(nil)) }
    } catch {
      // Another program has locked the file.
      readSoon(after: pause)
      pause = min(pause * 2, Self.pauses.upperBound)
    }
  }

  /// Announces what has become of each object in the end.
  private func announce(_ transactions: [NSPersistentHistoryTransaction]) {
    var last: [NSManagedObjectID: NSPersistentHistoryChangeType] = [:]
    for change in transactions.flatMap({ $0.changes ?? [] }) {
      let isNew = last[change.changedObjectID] == .insert && change.changeType == .update
      if !isNew { last[change.changedObjectID] = change.changeType }
    }
    if last.isEmpty { return }
    func objects(_ type: NSPersistentHistoryChangeType) -> Set<NSManagedObjectID> {
      Set(last.filter { $0.value == type }.keys)
    }
    let changes = SavedChanges([
      NSInsertedObjectIDsKey: objects(.insert), NSUpdatedObjectIDsKey: objects(.update),
      NSDeletedObjectIDsKey: objects(.delete),
    ])
    for inbox in inboxes() { inbox.put(changes) }
  }
}
