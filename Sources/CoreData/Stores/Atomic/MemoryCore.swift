import Synchronization

/// What a store that is held in memory whole shares between threads: its contents. Each such store owns
/// one.
///
/// Sendable: `contents` has its lock. A save that writes before it applies holds `saving` from its first
/// look at the contents to the end; readers see the contents as they were until then.
package final class MemoryCore: Sendable {
  private let contents = Mutex(MemoryContents())
  private let saving = Mutex<Void>(())

  package init() {}

  var current: MemoryContents { contents.withLock { $0 } }

  func replace(with new: MemoryContents) { contents.withLock { $0 = new } }

  func reserveKeys(_ count: Int, root: Int) -> Int64 {
    contents.withLock { $0.reserveKeys(count, root: root) }
  }

  /// Applies changes in place. Throws ``SaveConflicts``.
  func apply(_ changes: StoreChanges) throws {
    let conflicts = contents.withLock { contents in
      let conflicts = contents.conflicts(changes)
      if conflicts.isEmpty { contents.apply(changes) }
      return SaveConflicts(conflicts: conflicts)
    }
    if !conflicts.conflicts.isEmpty { throw conflicts }
  }

  /// Applies changes once `write` has written what the contents will be; what it throws leaves them as
  /// they were. Throws ``SaveConflicts``, before anything is written.
  func apply(
    _ changes: StoreChanges, writing write: (inout MemoryContents) throws -> Void
  ) throws {
    try saving.withLock { _ in
      var next = current
      let conflicts = next.conflicts(changes)
      if !conflicts.isEmpty { throw SaveConflicts(conflicts: conflicts) }
      next.apply(changes)
      try write(&next)
      contents.withLock { contents in
        // Keys that were given meanwhile stay given.
        next.keepKeys(of: contents)
        contents = next
      }
    }
  }
}
