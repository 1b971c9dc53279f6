import Synchronization

/// How many contexts of all coordinators of the process are at work at once on queues of their own: a process with a store for
/// each tenant has as many threads as any other. A coordinator of which none is at work gets a place in any case, so
/// that those whose server hangs do not keep all others waiting.
///
/// Sendable: `state` has its lock, which is taken inside of a limit's.
final class WorkPlaces: Sendable {
  static let shared = WorkPlaces()

  /// Each of them holds a thread.
  static let most = 160

  private struct State {
    var taken = 0
    var waiting = WaitingLine<WorkLimit>()
    var waiters: Set<ObjectIdentifier> = []
  }

  private let state = Mutex(State())

  /// Whether there was a place; else the limit is called when there may be one.
  ///
  /// - Parameter isFirst: whether nothing of the coordinator is at work.
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

  /// Gives a place back; who is to be called then.
  func leave() -> WorkLimit? {
    state.withLock { state in
      state.taken -= 1
      guard state.taken < Self.most, let next = state.waiting.takeFirst() else { return nil }
      state.waiters.remove(ObjectIdentifier(next))
      return next
    }
  }
}
