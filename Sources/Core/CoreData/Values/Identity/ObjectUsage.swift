import Synchronization

/// The objects of a store that contexts use. Contexts and objects record beginnings and ends of
/// use; the store learns of them together, when a context comes to rest.
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

  /// Removes and returns the beginnings and ends of use since the last call, each in their order.
  func take() -> (begun: [PackedIdentity], ended: [PackedIdentity]) {
    let taken = notes.withLock { notes in
      defer { notes = Notes() }
      return notes
    }
    return (taken.begun, taken.ended)
  }
}
