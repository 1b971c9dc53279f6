import Synchronization

/// State of an interval that has begun.
///
/// Source: developer.apple.com/documentation/os/ossignpostintervalstate
public final class OSSignpostIntervalState: Sendable {
  let signpostID: OSSignpostID
  private let begin = ContinuousClock.now
  private let isOpen: Mutex<Bool>

  init(id: OSSignpostID, isOpen: Bool) {
    signpostID = id
    self.isOpen = Mutex(isOpen)
  }

  /// Creates the state of an interval that was begun elsewhere.
  public static func beginState(id: OSSignpostID) -> OSSignpostIntervalState {
    OSSignpostIntervalState(id: id, isOpen: true)
  }

  /// Ends the interval and returns its length; nil if it has already ended.
  func end() -> Duration? {
    let elapsed = begin.duration(to: .now)
    return isOpen.withLock { isOpen in
      defer { isOpen = false }
      return isOpen ? elapsed : nil
    }
  }
}
