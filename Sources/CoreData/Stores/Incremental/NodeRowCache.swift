import Synchronization

/// What the coordinator knows of the objects of a client's incremental store that contexts use: their
/// newest rows, by which saves find out that another context has changed an object.
///
/// A store counts its nodes' versions as it likes, or not at all, and does not say what a save made of
/// them. So rows have versions of their own: one more after each save, and whenever a node comes with
/// another version than the last one did.
///
/// Sendable: guarded by its lock; rows in it are sealed.
final class NodeRowCache: Sendable {
  private struct Entry {
    var version: Int64
    /// Of the node that the version stands for; nil after a save, until a node has been seen.
    var nodeVersion: UInt64?
  }

  private struct State: @unchecked Sendable {
    var entries: [NSManagedObjectID: Entry] = [:]
    var users: [NSManagedObjectID: Int] = [:]
  }

  private let state = Mutex(State())

  /// The version of the row that is made of a node.
  func version(of identity: NSManagedObjectID, nodeVersion: UInt64) -> Int64 {
    state.withLock { state in
      let given = Int64(clamping: nodeVersion)
      var entry =
        state.entries[identity] ?? Entry(version: max(1, given), nodeVersion: nodeVersion)
      if let last = entry.nodeVersion, last != nodeVersion {
        entry.version = max(entry.version + 1, given)
      }
      entry.version = max(1, entry.version)
      entry.nodeVersion = nodeVersion
      state.entries[identity] = entry
      return entry.version
    }
  }

  /// The newest version that is known; nil for an object that was not read or saved.
  func version(of identity: NSManagedObjectID) -> Int64? {
    state.withLock { $0.entries[identity]?.version }
  }

  /// The store has found an object to be newer than the version that a context has.
  func advance(_ identity: NSManagedObjectID, beyond version: Int64) {
    state.withLock { state in
      let known = state.entries[identity]?.version ?? version
      state.entries[identity] = Entry(version: max(known, version) + 1, nodeVersion: nil)
    }
  }

  func noteSaved(_ changes: StoreChanges) {
    let saved =
      changes.inserted.map { ($0.identity, changes.version(ofInserted: $0)) }
      + changes.updated.map { ($0.row.identity, $0.snapshot.version + 1) }
    let deleted = changes.deleted.map(\.identity)
    state.withLock { state in
      for (identity, version) in saved {
        state.entries[identity] = Entry(version: version, nodeVersion: nil)
      }
      // Version 0 is of an object that is gone.
      for identity in deleted { state.entries[identity] = Entry(version: 0, nodeVersion: nil) }
    }
  }

  /// Contexts have begun and stopped to use objects: what nobody uses any more is forgotten.
  func count(begun: [NSManagedObjectID], ended: [NSManagedObjectID]) {
    state.withLock { state in
      for identity in begun { state.users[identity, default: 0] += 1 }
      for identity in ended {
        let users = state.users[identity, default: 1] - 1
        state.users[identity] = users > 0 ? users : nil
        if users <= 0 { state.entries[identity] = nil }
      }
    }
  }
}
