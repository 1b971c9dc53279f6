import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Reads wake-ups from server-sent events: lines "data: HEAD ZONE".
final class WakeReader: ResponseReader {
  private let continuation: AsyncThrowingStream<SyncWakeUp, any Error>.Continuation
  private var rest: [UInt8] = []
  private var refusal = Data()
  /// Far longer than any zone's name.
  private static let longestLine = 4096

  init(_ continuation: AsyncThrowingStream<SyncWakeUp, any Error>.Continuation) {
    self.continuation = continuation
  }

  func read(_ data: Data, of response: HTTPURLResponse?) -> SyncTransportError? {
    if let response, response.statusCode != 200 {
      refusal += data.prefix(1000 - min(1000, refusal.count))
      return nil
    }
    for byte in data {
      if byte == UInt8(ascii: "\n") {
        read(String(decoding: rest, as: UTF8.self))
        rest = []
      } else if rest.count < Self.longestLine {
        rest.append(byte)
      } else {
        return SyncTransportError(.answer, message: "A line of the stream has no end.")
      }
    }
    return nil
  }

  private func read(_ line: String) {
    guard line.hasPrefix("data: ") else { return }
    let parts = line.dropFirst(6).split(separator: " ", maxSplits: 1)
    guard parts.count == 2, let head = Int64(parts[0]) else { return }
    continuation.yield(SyncWakeUp(zone: String(parts[1]), head: head))
  }

  func end(_ response: HTTPURLResponse?, _ error: (any Error)?) {
    if let response, response.statusCode != 200 {
      let text = String(decoding: refusal, as: UTF8.self)
      return continuation.finish(throwing: SyncTransportError(response, text: text))
    }
    continuation.finish(
      throwing: error
        ?? SyncTransportError(.unreachable, message: "The server has ended the connection."))
  }
}
