import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Reads wake-ups from server-sent events: lines "data: HEAD ZONE".
///
/// Sendable: the session calls one delegate from one thread at a time.
final class WakeListener: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  enum Event {
    case wake(SyncWakeUp)
    case end(any Error)
  }

  private let note: @Sendable (Event) -> Void
  private var rest: [UInt8] = []
  private var refusal = Data()
  private var isTooLong = false
  /// Far longer than any zone's name.
  private static let longestLine = 4096

  init(_ note: @escaping @Sendable (Event) -> Void) { self.note = note }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    if let response = dataTask.response as? HTTPURLResponse, response.statusCode != 200 {
      refusal += data.prefix(1000 - min(1000, refusal.count))
      return
    }
    for byte in data {
      if byte == UInt8(ascii: "\n") {
        read(String(decoding: rest, as: UTF8.self))
        rest = []
      } else if rest.count < Self.longestLine {
        rest.append(byte)
      } else {
        isTooLong = true
        return dataTask.cancel()
      }
    }
  }

  private func read(_ line: String) {
    guard line.hasPrefix("data: ") else { return }
    let parts = line.dropFirst(6).split(separator: " ", maxSplits: 1)
    guard parts.count == 2, let head = Int64(parts[0]) else { return }
    note(.wake(SyncWakeUp(zone: String(parts[1]), head: head)))
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    note(.end(reason(task, error)))
  }

  private func reason(_ task: URLSessionTask, _ error: (any Error)?) -> any Error {
    if isTooLong { return SyncTransportError(.answer, message: "A line of the stream has no end.") }
    if let error { return SyncTransportError.of(error) }
    if let response = task.response as? HTTPURLResponse, response.statusCode != 200 {
      return SyncTransportError(response, text: String(decoding: refusal, as: UTF8.self))
    }
    return SyncTransportError(.unreachable, message: "The server has ended the connection.")
  }
}
