import Foundation
import Synchronization

/// Signals as bytes in a pipe, so that `poll` can wait for them together with input, or a queue.
///
/// Dispatch's own sources of signals can lose one that comes soon after they began: a program that
/// was told to end then goes on for ever. A pipe is there before its handlers are.
///
/// One at a time per process, since signals belong to the process. Closing it ends the reader and
/// resets the signals to their default actions.
package final class SignalPipe: Sendable {
  package let readEnd: Int32
  private let writeEnd: Int32
  private let signals: [Int32]

  /// The end that handlers write to.
  private static let current = Atomic<Int32>(-1)

  package init(_ signals: [Int32]) {
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    (readEnd, writeEnd) = (ends[0], ends[1])
    self.signals = signals
    Self.current.store(writeEnd, ordering: .sequentiallyConsistent)
    for signal in signals {
      Glibc.signal(signal) { number in
        let error = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(SignalPipe.current.load(ordering: .sequentiallyConsistent), &byte, 1)
        errno = error
      }
    }
    Self.receive(signals)
  }

  /// A thread to which the signals can be delivered. Whoever started the program may have them
  /// blocked in all others: a program's threads begin with the mask of the thread that started it.
  private static func receive(_ signals: [Int32]) {
    Thread.detachNewThread {
      var mask = sigset_t()
      sigemptyset(&mask)
      for signal in signals { sigaddset(&mask, signal) }
      pthread_sigmask(SIG_UNBLOCK, &mask, nil)
      while true { pause() }
    }
  }

  /// The signals received since the last call; `nil` if the pipe was closed.
  package func take() -> [Int32]? {
    var buffer = [UInt8](repeating: 0, count: 64)
    let count = read(readEnd, &buffer, buffer.count)
    if count > 0 { return buffer[..<count].contains(0) ? nil : buffer[..<count].map(Int32.init) }
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? [] : nil
  }

  /// Calls `handler` on a queue for each signal that comes, until the source is cancelled, which
  /// must happen before the pipe is freed.
  package func source(
    on queue: DispatchQueue, handler: @escaping @Sendable (Int32) -> Void
  ) -> any DispatchSourceRead {
    let source = DispatchSource.makeReadSource(fileDescriptor: readEnd, queue: queue)
    source.setEventHandler { [self] in
      for signal in take() ?? [] { handler(signal) }
    }
    source.resume()
    return source
  }

  /// Resets the signals to their default actions, and ends the reader.
  package func close() {
    for signal in signals { Glibc.signal(signal, SIG_DFL) }
    _ = Self.current.compareExchange(
      expected: writeEnd, desired: -1, ordering: .sequentiallyConsistent)
    var end: UInt8 = 0
    _ = write(writeEnd, &end, 1)
  }

  deinit {
    Glibc.close(readEnd)
    Glibc.close(writeEnd)
  }
}
