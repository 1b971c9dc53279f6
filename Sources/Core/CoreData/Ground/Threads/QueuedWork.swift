import Dispatch
import Synchronization

/// The blocks that wait for one context's queue, in order. One block at a time is scheduled with
/// the coordinator's `WorkLimit`, so that a context with many blocks does not delay other contexts.
///
/// Sendable: `state` has a lock.
final class QueuedWork: Sendable {
  private struct State {
    var limit: WorkLimit?
    var pieces = WaitingLine<@Sendable () -> Void>()
    /// Whether a block is running or is scheduled.
    var isScheduled = false
  }

  private let state = Mutex(State())

  /// nil for a context without a coordinator.
  var limit: WorkLimit? {
    get { state.withLock { $0.limit } }
    set { state.withLock { $0.limit = newValue } }
  }

  /// Adds a block, which runs on `queue` when its turn comes.
  func add(_ piece: @escaping @Sendable () -> Void, to queue: DispatchQueue) {
    let isFirst = state.withLock { state in
      state.pieces.append(piece)
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    guard isFirst else { return }
    if let limit { limit.run(turn(limit, queue: queue)) } else { runLater(queue) }
  }

  /// The job that runs one block, then schedules the next one behind the blocks of all contexts.
  private func turn(_ limit: WorkLimit, queue: DispatchQueue) -> WorkLimit.Piece {
    {
      queue.sync { self.runFirst() }
      if self.goesOn { limit.runAfterThis(self.turn(limit, queue: queue)) }
    }
  }

  private func runLater(_ queue: DispatchQueue) {
    queue.async {
      self.runFirst()
      if self.goesOn { self.runLater(queue) }
    }
  }

  private func runFirst() { state.withLock { $0.pieces.takeFirst() }?() }

  /// Whether more blocks wait; if none does, the next added block is scheduled by `add`.
  private var goesOn: Bool {
    state.withLock { state in
      state.isScheduled = !state.pieces.isEmpty
      return state.isScheduled
    }
  }

  /// Runs all blocks added so far. The caller is on the queue and came after them.
  func runAll() {
    while let piece = state.withLock({ $0.pieces.takeFirst() }) { piece() }
  }
}
