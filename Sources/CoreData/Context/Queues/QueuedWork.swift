import Synchronization

/// What waits for one context's queue, in order. One piece of it at a time asks for a place among those of all contexts, so
/// that a context with much to do does not keep the others waiting.
///
/// Sendable: `state` has its lock.
final class QueuedWork: Sendable {
  private struct State {
    var limit: WorkLimit?
    var pieces = WaitingLine<@Sendable () -> Void>()
    /// Whether one of them has a place, or waits for one.
    var isScheduled = false
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
    state.withLock { $0.pieces.takeFirst() }?()
    limit?.leave()
    let isDone = state.withLock { state in
      state.isScheduled = !state.pieces.isEmpty
      return !state.isScheduled
    }
    if !isDone { schedule(start) }
  }

  /// Runs what has been added so far, on the queue: for who is on it and came later.
  func runAll() {
    while let piece = state.withLock({ $0.pieces.takeFirst() }) { piece() }
  }
}
