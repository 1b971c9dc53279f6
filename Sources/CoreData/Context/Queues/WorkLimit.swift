import Synchronization

/// How many contexts of a coordinator are at work at once on queues of their own; the others wait for their turn without a
/// thread.
///
/// What waits for a store holds a thread. The system has some 256 of them for everything that a program does in the
/// background, Swift's tasks included: without a limit as many requests to a server that hangs stop the whole program.
///
/// Sendable: `state` has its lock.
final class WorkLimit: Sendable {
  /// Enough to keep a store busy, and few enough to leave threads to others.
  static let standard = 64

  private struct State {
    var most = WorkLimit.standard
    var running = 0
    var waiting = WaitingLine<@Sendable () -> Void>()

    /// The next to begin; nil when nobody waits or there is no place.
    mutating func next() -> (@Sendable () -> Void)? {
      guard running < most, let first = waiting.takeFirst() else { return nil }
      running += 1
      return first
    }
  }

  private let state = Mutex(State())

  var most: Int {
    get { state.withLock { $0.most } }
    set {
      state.withLock { $0.most = max(1, newValue) }
      while let next = state.withLock({ $0.next() }) { next() }
    }
  }

  /// Calls `begin` as soon as there is a place, which is taken until ``leave()``.
  func enter(_ begin: @escaping @Sendable () -> Void) {
    let next = state.withLock { state in
      state.waiting.append(begin)
      return state.next()
    }
    next?()
  }

  func leave() {
    let next = state.withLock { state in
      state.running -= 1
      return state.next()
    }
    next?()
  }
}
