import Foundation

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

  /// Sends a byte five times a second, until the server ends the connection or so many seconds have
  /// passed: nil then, else what the server said.
  func drip(forAtMost seconds: Int) -> String? {
    defer { close(socket) }
    var limit = timeval(tv_sec: 0, tv_usec: 200_000)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1024)
    for _ in 0..<seconds * 5 {
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

  /// Waits for the end of the connection, by so many seconds at most.
  func isClosedByServer(within seconds: Int) -> Bool {
    defer { close(socket) }
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var buffer = [UInt8](repeating: 0, count: 1024)
    while true {
      let count = read(socket, &buffer, buffer.count)
      if count == 0 || (count < 0 && errno == ECONNRESET) { return true }
      if count < 0 { return false }
    }
  }
}
