import Synchronization

/// The row versions of a client's incremental store, for the objects that contexts use. By them a
/// save detects that another context has changed an object.
///
/// A client numbers the versions of its nodes as it likes, or not at all, and does not report their
/// versions after a save. So rows have versions of their own: they go up by one with each save, and
/// whenever a node comes with another version than before.
///
/// Sendable: guarded by its lock.
final class NodeRowCache: Sendable {
  private struct Entry {
    var version: Int64
    /// The version of the last node; nil after a save, until the next node comes.
    var nodeVersion: UInt64?
  }

  // Sendable: used under the lock of `state` alone; IDs are immutable.
  private struct State: @unchecked Sendable {
    var entries: [NSManagedObjectID: Entry] = [:]
    var users: [NSManagedObjectID: Int] = [:]
  }

  private let state = Mutex(State())

  /// The version for the row that is made of a node.
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

  /// The newest known version; nil for an object that was neither read nor saved.
  func version(of identity: NSManagedObjectID) -> Int64? {
    state.withLock { $0.entries[identity]?.version }
  }

  /// Raises the version of an object beyond `version`, which the store has reported as outdated.
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
      // Version 0 marks an object that is gone.
      for identity in deleted { state.entries[identity] = Entry(version: 0, nodeVersion: nil) }
    }
  }

  /// Counts the contexts that have begun and ceased to use objects; entries of unused objects are
  /// removed.
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
