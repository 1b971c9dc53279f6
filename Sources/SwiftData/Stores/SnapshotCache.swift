import CoreData
import Synchronization

/// What a custom store has said of models: kept for as long as a context uses them, and of those that came along with
/// a fetch until the next one.
///
/// Sendable: guarded by its lock; snapshots are values.
final class SnapshotCache: Sendable {
  private struct State: @unchecked Sendable {
    var known: [NSManagedObjectID: DefaultSnapshot] = [:]
    var related: [NSManagedObjectID: DefaultSnapshot] = [:]
    var users: [NSManagedObjectID: Int] = [:]
  }

  private let state = Mutex(State())

  func snapshot(of id: NSManagedObjectID) -> DefaultSnapshot? {
    state.withLock { $0.known[id] ?? $0.related[id] }
  }

  func put(_ snapshots: [(id: NSManagedObjectID, snapshot: DefaultSnapshot)]) {
    let new = Entries(list: snapshots)
    state.withLock { state in
      for (id, snapshot) in new.list {
        state.known[id] = snapshot
        state.related[id] = nil
      }
    }
  }

  /// What came along; newer than what is known, too. A fetch begins anew, the values of one model do not.
  func putRelated(
    _ snapshots: [(id: NSManagedObjectID, snapshot: DefaultSnapshot)], replacing: Bool
  ) {
    let new = Entries(list: snapshots)
    state.withLock { state in
      if replacing { state.related = [:] }
      for (id, snapshot) in new.list {
        if state.known[id] != nil {
          state.known[id] = snapshot
        } else {
          state.related[id] = snapshot
        }
      }
    }
  }

  func remove(_ ids: [NSManagedObjectID]) {
    let gone = Entries(ids: ids)
    state.withLock { state in
      for id in gone.ids {
        state.known[id] = nil
        state.related[id] = nil
      }
    }
  }

  func begin(_ ids: [NSManagedObjectID]) {
    let begun = Entries(ids: ids)
    state.withLock { state in for id in begun.ids { state.users[id, default: 0] += 1 } }
  }

  func end(_ ids: [NSManagedObjectID]) {
    let ended = Entries(ids: ids)
    state.withLock { state in
      for id in ended.ids {
        let users = state.users[id, default: 1] - 1
        state.users[id] = users > 0 ? users : nil
        if users <= 0 { state.known[id] = nil }
      }
    }
  }

  /// On their way through the lock.
  private struct Entries: @unchecked Sendable {
    var list: [(id: NSManagedObjectID, snapshot: DefaultSnapshot)] = []
    var ids: [NSManagedObjectID] = []
  }
}
