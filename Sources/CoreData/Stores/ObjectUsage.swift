import Synchronization

/// Which objects of a store contexts use. Contexts and objects note what begins and ends; the store is
/// told when a context comes to rest, of all of it together.
///
/// Sendable: guarded by its lock.
package final class ObjectUsage: Sendable {
  private struct Notes: Sendable {
    var begun: [PackedIdentity] = []
    var ended: [PackedIdentity] = []
  }

  private let notes = Mutex(Notes())

  func begin(_ identity: PackedIdentity) { notes.withLock { $0.begun.append(identity) } }

  func end(_ identity: PackedIdentity) { notes.withLock { $0.ended.append(identity) } }

  /// What has begun and ended since the last call, each in its order.
  func take() -> (begun: [PackedIdentity], ended: [PackedIdentity]) {
    let taken = notes.withLock { notes in
      defer { notes = Notes() }
      return notes
    }
    return (taken.begun, taken.ended)
  }
}
