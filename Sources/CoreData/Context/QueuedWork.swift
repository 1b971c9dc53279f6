import Synchronization

/// What waits for one context's queue, in order. One piece of it at a time asks for a place among those of all contexts, so
/// that a context with much to do does not keep the others waiting.
///
/// Sendable: `state` has its lock.
final class QueuedWork: Sendable {
  private struct State {
    var limit: WorkLimit?
    var pieces: [@Sendable () -> Void] = []
    /// How many of them have been taken.
    var taken = 0
    /// Whether one of them has a place, or waits for one.
    var isScheduled = false

    mutating func take() -> (@Sendable () -> Void)? {
      guard taken < pieces.count else { return nil }
      let piece = pieces[taken]
      pieces[taken] = {}
      taken += 1
      if taken == pieces.count || taken > 1024 {
        pieces.removeFirst(taken)
        taken = 0
      }
      return piece
    }
  }

  private let state = Mutex(State())

  /// Nil for a context without a coordinator.
  var limit: WorkLimit? {
    get { state.withLock { $0.limit } }
    set { state.withLock { $0.limit = newValue } }
  }

  /// Adds a piece, which `start` leads to its queue when its turn has come.
  func add(
    _ piece: @escaping @Sendable () -> Void,
    startingBy start: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) {
    let isFirst = state.withLock { state in
      state.pieces.append(piece)
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if isFirst { schedule(start) }
  }

  private func schedule(
    _ start: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) {
    guard let limit else { return start { self.runNext(nil, start) } }
    limit.enter { start { self.runNext(limit, start) } }
  }

  private func runNext(
    _ limit: WorkLimit?, _ start: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) {
    state.withLock { $0.take() }?()
    limit?.leave()
    let isDone = state.withLock { state in
      state.isScheduled = !state.pieces.isEmpty
      return !state.isScheduled
    }
    if !isDone { schedule(start) }
  }

  /// Runs what has been added so far, on the queue: for who is on it and came later.
  func runAll() {
    while let piece = state.withLock({ $0.take() }) { piece() }
  }
}
