import Synchronization

/// The limit for contexts of all coordinators of the process that run at once on private queues: a
/// process with a store per tenant has no more threads than any other. The first block of a
/// coordinator always gets a place, so that coordinators whose server hangs do not block all
/// others.
///
/// Sendable: `state` has a lock, which is acquired while that of a `WorkLimit` is held.
final class WorkPlaces: Sendable {
  static let shared = WorkPlaces()

  /// The number of places; each holds a thread.
  static let most = 160

  private struct State {
    var taken = 0
    var waiting = WaitingLine<WorkLimit>()
    var waiters: Set<ObjectIdentifier> = []
  }

  private let state = Mutex(State())

  /// Occupies a place and returns true; if all are occupied, returns false and remembers `limit`,
  /// which ``leave()`` returns when a place is free.
  ///
  /// - Parameter isFirst: true if no block of the coordinator is running.
  func enter(_ limit: WorkLimit, isFirst: Bool) -> Bool {
    state.withLock { state in
      if isFirst || state.taken < Self.most {
        state.taken += 1
        return true
      }
      if state.waiters.insert(ObjectIdentifier(limit)).inserted { state.waiting.append(limit) }
      return false
    }
  }

  /// Frees a place; returns the next limit that waits for one, whose `beginAll` must be called.
  func leave() -> WorkLimit? {
    state.withLock { state in
      state.taken -= 1
      guard state.taken < Self.most, let next = state.waiting.takeFirst() else { return nil }
      state.waiters.remove(ObjectIdentifier(next))
      return next
    }
  }
}
