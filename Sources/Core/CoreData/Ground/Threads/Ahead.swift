import Foundation

/// A result that another thread computes before it is needed.
///
/// If no thread has begun by the time ``value`` is read, the reader computes the result itself: a
/// reader never waits for a thread to become free.
///
/// Sendable: `state` is guarded by `lock`. The creator must hand over everything that `make` uses:
/// no other code may use it until ``value`` or ``cancel()`` has returned.
final class Ahead<Result>: @unchecked Sendable {
  private enum State {
    case waiting(() -> Result)
    case underWay
    case done(Result)
    case over
  }

  // Guarded by `lock`. `NSLock` rather than `Mutex`, because `State` is not Sendable.
  private var state: State
  private let lock = NSLock()
  private let end = DispatchSemaphore(value: 0)

  init(_ make: @escaping () -> Result) {
    state = .waiting(make)
    DispatchQueue.global(qos: .userInitiated).async { self.makeAhead() }
  }

  /// Computes the result unless the reader has begun to. Releases `make` before the result is
  /// announced: the last references to what `make` uses are then the reader's, which frees them.
  private func makeAhead() {
    var make = claim()
    guard let result = make?() else { return }
    make = nil
    lock.withLock { state = .done(result) }
    end.signal()
  }

  private func claim() -> (() -> Result)? {
    lock.withLock {
      guard case .waiting(let make) = state else { return nil }
      state = .underWay
      return make
    }
  }

  /// The result; waits if another thread is computing it. May be read once.
  var value: Result {
    if let make = claim() { return make() }
    end.wait()
    return lock.withLock {
      guard case .done(let result) = state else { fatalError("The end came before the result") }
      state = .over
      return result
    }
  }

  /// Discards the result; waits for a computation that has begun. Nothing is computed after the
  /// return.
  func cancel() {
    guard claim() == nil else { return }
    end.wait()
    lock.withLock { state = .over }
  }
}
