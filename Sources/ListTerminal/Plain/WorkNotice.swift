import Foundation
import Synchronization

/// Says that work goes on, once that takes longer than anybody waits without a word.
///
/// One for each piece of work; made and ended by a plain session. It writes from a queue of its own,
/// since the main queue may be what is busy; the lock keeps its line apart from the lines that follow
/// the end.
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
      // A line as short as this one is written whole; a reader that is gone is found by the next.
      _ = Self.line.withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
    }
  }

  /// The work is over. True when it has been spoken of.
  func end() -> Bool {
    state.withLock { state in
      defer { state = .over }
      return state == .said
    }
  }
}
