import Foundation

/// A result that another thread makes ahead of the moment when it is needed.
///
/// Whoever needs it while no thread has come to it yet makes it there and then: nothing ever waits for a thread
/// to become free.
///
/// Sendable: what `make` uses is handed over whole to the thread that runs it, and is used by nobody else until
/// ``value`` or ``cancel()`` has returned. That is for its maker to see to.
final class Ahead<Result>: @unchecked Sendable {
  private enum State {
    case waiting(() -> Result)
    case underWay
    case done(Result)
    case over
  }

  // Read and written under the lock. A lock of the system's: it cares for no one's being Sendable.
  private var state: State
  private let lock = NSLock()
  private let end = DispatchSemaphore(value: 0)

  init(_ make: @escaping () -> Result) {
    state = .waiting(make)
    DispatchQueue.global(qos: .userInitiated).async { self.makeAhead() }
  }

  /// Keeps nothing of what the result is made of once it is there, or when nobody needs it any more: what is
  /// freed with it is freed by the one who needed it.
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

  /// The result. To be asked for once.
  var value: Result {
    if let make = claim() { return make() }
    end.wait()
    return lock.withLock {
      guard case .done(let result) = state else { fatalError("The end came before the result") }
      state = .over
      return result
    }
  }

  /// The result is not needed; from here on nobody makes it.
  func cancel() {
    guard claim() == nil else { return }
    end.wait()
    lock.withLock { state = .over }
  }
}
