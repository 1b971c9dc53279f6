import Foundation
import TestSupport

/// A connection over which not all of a request is sent.
struct HalfRequest {
  private let socket: Int32

  init(_ text: String, port: UInt16) throws {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    _ = Data(text.utf8).withUnsafeBytes { write(socket, $0.baseAddress, $0.count) }
  }

  /// Sends a byte five times a second, until the server ends the connection: what the server said; nil when nothing
  /// happens.
  func drip() -> String? {
    defer { close(socket) }
    waitForBytes(seconds: 0.2)
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1024)
    let start = ContinuousClock.now
    while ContinuousClock.now - start < Patience.duration {
      _ = send(socket, "x", 1, Int32(MSG_NOSIGNAL))
      let count = read(socket, &buffer, buffer.count)
      if count > 0 { answer += buffer.prefix(count) }
      if count == 0 || (count < 0 && errno != EAGAIN) {
        return String(decoding: answer, as: UTF8.self)
      }
    }
    return nil
  }

  /// The connection stays as it is until then.
  func end() { close(socket) }

  /// Sends the rest of the request; all that the server says until it ends the connection.
  func answer(to rest: String) -> String {
    defer { close(socket) }
    waitForBytes(seconds: Patience.seconds)
    _ = Data(rest.utf8).withUnsafeBytes {
      send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = read(socket, &buffer, buffer.count), count > 0 {
      answer += buffer.prefix(count)
    }
    return String(decoding: answer, as: UTF8.self)
  }

  /// How long reading waits.
  private func waitForBytes(seconds: Double) {
    var limit = timeval(
      tv_sec: Int(seconds), tv_usec: Int(seconds.truncatingRemainder(dividingBy: 1) * 1_000_000))
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  /// Waits for the end of the connection.
  func isClosedByServer() -> Bool {
    defer { close(socket) }
    waitForBytes(seconds: Patience.seconds)
    var buffer = [UInt8](repeating: 0, count: 1024)
    while true {
      let count = read(socket, &buffer, buffer.count)
      if count == 0 || (count < 0 && errno == ECONNRESET) { return true }
      if count < 0 { return false }
    }
  }
}
