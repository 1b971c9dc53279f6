import Foundation
import Synchronization

/// Announces that work is going on, after a delay.
///
/// Made and ended by a plain session, one for each piece of work. It writes from a global queue,
/// since the main queue may be busy. The lock keeps its line from mixing with the lines after the
/// end.
final class WorkNotice: Sendable {
  private enum State {
    case waiting, said, over
  }

  static let patience = DispatchTimeInterval.milliseconds(250)
  private static let line = Array("Working…\n".utf8)

  private let state = Mutex(State.waiting)
  private let output: Int32

  init(output: Int32, patience: DispatchTimeInterval = patience) {
    self.output = output
    DispatchQueue.global(qos: .userInitiated).asyncAfter(deadline: .now() + patience) {
      [weak self] in self?.say()
    }
  }

  private func say() {
    state.withLock { state in
      guard state == .waiting else { return }
      state = .said
      // A short line is written as a whole. A closed output is noticed by the next line.
      _ = Self.line.withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
    }
  }

  /// Ends the notice. Returns whether the work was announced.
  func end() -> Bool {
    state.withLock { state in
      defer { state = .over }
      return state == .said
    }
  }
}
