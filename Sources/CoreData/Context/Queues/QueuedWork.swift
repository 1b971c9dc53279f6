import Dispatch
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

  /// Adds a piece, which is run as this queue when its turn has come.
  func add(_ piece: @escaping @Sendable () -> Void, to queue: DispatchQueue) {
    let isFirst = state.withLock { state in
      state.pieces.append(piece)
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    guard isFirst else { return }
    if let limit { limit.run(turn(limit, queue)) } else { runLater(queue) }
  }

  /// One piece, and the next one's place in the line of all contexts.
  private func turn(_ limit: WorkLimit, _ queue: DispatchQueue) -> WorkLimit.Piece {
    {
      queue.sync { self.runFirst() }
      if self.goesOn { limit.runAfterThis(self.turn(limit, queue)) }
    }
  }

  private func runLater(_ queue: DispatchQueue) {
    queue.async {
      self.runFirst()
      if self.goesOn { self.runLater(queue) }
    }
  }

  private func runFirst() { state.withLock { $0.pieces.takeFirst() }?() }

  /// Whether there is more to do; else the next piece is scheduled anew.
  private var goesOn: Bool {
    state.withLock { state in
      state.isScheduled = !state.pieces.isEmpty
      return state.isScheduled
    }
  }

  /// Runs what has been added so far, on the queue: for who is on it and came later.
  func runAll() {
    while let piece = state.withLock({ $0.pieces.takeFirst() }) { piece() }
  }
}
