import Synchronization

/// The readers of a controller's differences.
///
/// Differences are published on the context's queue; subscribing and ending are possible on any.
/// Guarded by `state`'s lock.
final class DifferenceSubscribers: Sendable {
  private struct State {
    var next = 0
    var continuations: [Int: AsyncStream<FetchedResultsDifference>.Continuation] = [:]
  }

  private let state = Mutex(State())

  var isEmpty: Bool { state.withLock { $0.continuations.isEmpty } }

  func subscribe() -> AsyncStream<FetchedResultsDifference> {
    let (stream, continuation) = AsyncStream.makeStream(of: FetchedResultsDifference.self)
    let number = state.withLock { state in
      state.next += 1
      state.continuations[state.next] = continuation
      return state.next
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { state in state.continuations[number] = nil }
    }
    return stream
  }

  func publish(_ difference: FetchedResultsDifference) {
    for continuation in all() { continuation.yield(difference) }
  }

  /// Ends every sequence. `finish()` calls `onTermination`, which takes the lock: it is not held
  /// here.
  func finish() { for continuation in all() { continuation.finish() } }

  private func all() -> [AsyncStream<FetchedResultsDifference>.Continuation] {
    state.withLock { state in state.continuations.sorted { $0.key < $1.key }.map(\.value) }
  }
}
