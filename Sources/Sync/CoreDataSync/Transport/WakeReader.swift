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
  /// Far more than a minute's beats and heads.
  private static let mostBytes = 1 << 20
  private var minute = ContinuousClock.now
  private var bytes = 0

  init(_ continuation: AsyncThrowingStream<SyncWakeUp, any Error>.Continuation) {
    self.continuation = continuation
  }

  func read(_ data: Data, of response: HTTPURLResponse?) -> SyncTransportError? {
    if let response, response.statusCode != 200 {
      bytes += data.count
      refusal += data.prefix(AnswerReader.longestWords - refusal.count)
      return bytes <= Self.mostBytes
        ? nil : SyncTransportError(response, text: String(decoding: refusal, as: UTF8.self))
    }
    if ContinuousClock.now - minute > .seconds(60) { (minute, bytes) = (.now, 0) }
    bytes += data.count
    for byte in data.prefix(Self.mostBytes) {
      if byte == UInt8(ascii: "\n") {
        read(String(decoding: rest, as: UTF8.self))
        rest = []
      } else if rest.count < Self.longestLine {
        rest.append(byte)
      } else {
        return SyncTransportError(
          .answer,
          message: "A line of the stream of changes has more than \(Self.longestLine) bytes.")
      }
    }
    guard bytes <= Self.mostBytes else {
      return SyncTransportError(
        .answer,
        message: "The stream of changes has more than \(Self.mostBytes) bytes in a minute.")
    }
    return nil
  }

  private func read(_ line: String) {
    guard line.hasPrefix("data: ") else { return }
    let parts = line.dropFirst(6).split(separator: " ", maxSplits: 1)
    guard parts.count == 2, let head = Int64(parts[0]) else { return }
    continuation.yield(SyncWakeUp(zone: String(parts[1]), head: head))
  }

  func end(_ response: HTTPURLResponse?, error: (any Error)?) {
    // What was refused here says more than the status of what was refused.
    if let error = error as? SyncTransportError, error.reason != .unreachable {
      return continuation.finish(throwing: error)
    }
    if let response, response.statusCode != 200 {
      let text = String(decoding: refusal, as: UTF8.self)
      return continuation.finish(throwing: SyncTransportError(response, text: text))
    }
    continuation.finish(
      throwing: error
        ?? SyncTransportError(.unreachable, message: "The server has ended the connection."))
  }
}
