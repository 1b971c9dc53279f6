import Synchronization

/// The contents that a store in memory shares between threads. Each such store owns one core.
///
/// Sendable: `contents` has its lock. A save that writes before it applies its changes holds
/// `saving` from its first look at the contents to its end; until then readers see the former
/// contents.
package final class MemoryCore: Sendable {
  private let contents = Mutex(MemoryContents())
  private let saving = Mutex<Void>(())

  package init() {}

  var current: MemoryContents { contents.withLock { $0 } }

  func replace(with new: MemoryContents) { contents.withLock { $0 = new } }

  func reserveKeys(_ count: Int, root: Int) -> Int64 {
    contents.withLock { $0.reserveKeys(count, root: root) }
  }

  /// Applies changes to the contents. Throws ``SaveConflicts``.
  func apply(_ changes: StoreChanges) throws {
    let conflicts = contents.withLock { contents in
      let conflicts = contents.conflicts(changes)
      if conflicts.isEmpty { contents.apply(changes) }
      return SaveConflicts(conflicts: conflicts)
    }
    if !conflicts.conflicts.isEmpty { throw conflicts }
  }

  /// Applies changes once `write` has written the new contents; an error of `write` leaves the
  /// contents unchanged. Throws ``SaveConflicts`` before anything is written.
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
        // Keys that were reserved meanwhile stay reserved.
        next.keepKeys(of: contents)
        contents = next
      }
    }
  }
}
