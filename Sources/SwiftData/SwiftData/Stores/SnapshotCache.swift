import CoreData
import Synchronization

/// Cache of snapshots of a custom store. A snapshot stays while a context uses the model; related
/// snapshots that came along with a fetch stay until the next fetch.
///
/// Thread-safe: a mutex guards the state. The state is marked Sendable since snapshots and object
/// IDs are immutable.
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

  /// Adds related snapshots, which also update known ones. `replacing` is true for a fetch, which
  /// drops the related snapshots of the last one, and false when a single model is read.
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

  /// Arguments that are passed into the lock. Sendable: snapshots and object IDs are immutable.
  private struct Entries: @unchecked Sendable {
    var list: [(id: NSManagedObjectID, snapshot: DefaultSnapshot)] = []
    var ids: [NSManagedObjectID] = []
  }
}
