import Foundation
import ListKit

/// Reads a terminal and its signals on a thread of its own, and wakes the main actor.
///
/// The main actor takes all pending input at once, so that after a slow operation the screen is
/// drawn once, not once per key.
///
/// Sendable: `lock` guards the variables; everything else is constant.
final class TerminalReader: @unchecked Sendable {
  // Guarded by `lock`: written by the thread, taken by the main actor.
  private let lock = NSLock()
  private var inputs: [TerminalInput] = []
  private var signals: [Int32] = []
  private var isAtEnd = false
  private let wake: AsyncStream<Void>.Continuation
  /// Yields one element when there is input to take.
  let wakes: AsyncStream<Void>
  private let descriptor: Int32
  private let signalPipe: SignalPipe

  /// The time in milliseconds after which an Escape is a key of its own and not the start of a
  /// sequence.
  private static let escapeTime: Int32 = 40

  init(descriptor: Int32, signals: SignalPipe) {
    self.descriptor = descriptor
    signalPipe = signals
    (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  func start() {
    let thread = Thread { [self] in run() }
    thread.name = "Terminal"
    thread.start()
  }

  func take() -> (inputs: [TerminalInput], signals: [Int32], isAtEnd: Bool) {
    lock.withLock {
      defer { (inputs, signals) = ([], []) }
      return (inputs, signals, isAtEnd)
    }
  }

  private func run() {
    var parser = InputParser()
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      var descriptors = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: signalPipe.readEnd, events: Int16(POLLIN), revents: 0),
      ]
      let ready = poll(&descriptors, 2, parser.isWaiting ? Self.escapeTime : -1)
      if ready < 0, errno == EINTR { continue }
      if ready == 0 { deliver(parser.flush()) }
      if descriptors[1].revents != 0 {
        guard let signals = signalPipe.take() else { return end() }
        deliver([], newSignals: signals)
      }
      if descriptors[0].revents != 0 {
        let count = read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR || errno == EAGAIN { continue }
        guard count > 0 else { return end() }
        deliver(parser.parse(buffer[..<count]))
      }
    }
  }

  private func deliver(_ new: [TerminalInput], newSignals: [Int32] = []) {
    if new.isEmpty, newSignals.isEmpty { return }
    lock.withLock {
      inputs += new
      signals += newSignals
    }
    wake.yield()
  }

  private func end() {
    lock.withLock { isAtEnd = true }
    wake.yield()
    wake.finish()
  }
}
