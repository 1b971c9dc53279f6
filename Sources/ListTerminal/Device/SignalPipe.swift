import Foundation

/// Signals as bytes in a pipe, so that `poll` can wait for them together with input.
///
/// One at a time per process, since signals belong to the process. Closing it ends the reader and
/// resets the signals to their default actions.
final class SignalPipe: Sendable {
  let readEnd: Int32
  private let writeEnd: Int32
  private let signals: [Int32]

  /// The end that handlers write to. Sound: a single word, written before handlers are installed
  /// and after they are removed.
  nonisolated(unsafe) private static var current: Int32 = -1

  init(_ signals: [Int32]) {
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    (readEnd, writeEnd) = (ends[0], ends[1])
    self.signals = signals
    Self.current = writeEnd
    for signal in signals {
      Glibc.signal(signal) { number in
        let error = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(SignalPipe.current, &byte, 1)
        errno = error
      }
    }
  }

  /// The signals received since the last call; `nil` if the pipe was closed.
  func take() -> [Int32]? {
    var buffer = [UInt8](repeating: 0, count: 64)
    let count = read(readEnd, &buffer, buffer.count)
    if count > 0 { return buffer[..<count].contains(0) ? nil : buffer[..<count].map(Int32.init) }
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? [] : nil
  }

  /// Resets the signals to their default actions, and ends the reader.
  func close() {
    for signal in signals { Glibc.signal(signal, SIG_DFL) }
    Self.current = -1
    var end: UInt8 = 0
    _ = write(writeEnd, &end, 1)
  }

  deinit {
    Glibc.close(readEnd)
    Glibc.close(writeEnd)
  }
}
