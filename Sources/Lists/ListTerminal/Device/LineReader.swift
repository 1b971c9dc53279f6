import Foundation
import ListKit

/// Reads lines of text on a thread of its own, until the input ends or a signal asks the process to
/// end.
final class LineReader: Sendable {
  /// The lines; nil for one that is not UTF-8.
  let lines: AsyncStream<String?>
  private let continuation: AsyncStream<String?>.Continuation
  private let descriptor: Int32
  private let signals: SignalPipe

  /// The maximum length of a line in bytes; the rest is ignored.
  private static let longestLine = 1 << 20

  init(descriptor: Int32, signals: SignalPipe) {
    self.descriptor = descriptor
    self.signals = signals
    (lines, continuation) = AsyncStream.makeStream(of: String?.self)
  }

  func start() {
    let thread = Thread { [self] in
      run()
      continuation.finish()
    }
    thread.name = "Lines"
    thread.start()
  }

  private func run() {
    var line: [UInt8] = []
    var isFirst = true
    func deliver() {
      // A byte order mark is no part of the text.
      let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
      let text = line.dropFirst(isFirst && line.starts(with: mark) ? mark.count : 0)
      let end = text.last == 0x0D ? 1 : 0
      continuation.yield(String(validating: text.dropLast(end), as: UTF8.self))
      (line, isFirst) = ([], false)
    }
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      var descriptors = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: signals.readEnd, events: Int16(POLLIN), revents: 0),
      ]
      if poll(&descriptors, 2, -1) < 0, errno == EINTR { continue }
      if descriptors[1].revents != 0, signals.take() != [] { return }
      guard descriptors[0].revents != 0 else { continue }
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else {
        if !line.isEmpty { deliver() }
        return
      }
      for byte in buffer[..<count] {
        if byte == 0x0A {
          deliver()
        } else if line.count < Self.longestLine {
          line.append(byte)
        }
      }
    }
  }
}
