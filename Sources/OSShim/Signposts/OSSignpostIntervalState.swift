import Synchronization

/// An interval that has begun.
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

  /// For an interval that something else has begun.
  public static func beginState(id: OSSignpostID) -> OSSignpostIntervalState {
    OSSignpostIntervalState(id: id, isOpen: true)
  }

  /// How long it took; nil when it has ended before.
  func end() -> Duration? {
    let elapsed = begin.duration(to: .now)
    return isOpen.withLock { isOpen in
      defer { isOpen = false }
      return isOpen ? elapsed : nil
    }
  }
}
