import Foundation

/// One HTTP request to chromedriver over a socket of its own.
///
/// Foundation's URLSession on Linux cannot read its answers: it writes no blank after the colon of
/// a header.
struct DriverRequest: Sendable {
  let method: String
  let path: String
  let body: Data

  struct Answer: Sendable {
    let status: Int
    let body: Data
  }

  /// Sends the request and waits for the answer, away from the threads of Swift's tasks.
  func send(toPort port: UInt16) async throws -> Answer {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Result { try exchange(port) })
      }
    }
  }

  private func exchange(_ port: UInt16) throws -> Answer {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard socket >= 0 else { throw failure("no socket") }
    defer { close(socket) }
    try connect(socket, port)
    try write(to: socket)
    return try answer(in: try readAnswer(from: socket))
  }

  private func connect(_ socket: Int32, _ port: UInt16) throws {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let result = withUnsafePointer(to: &address) {
      // The call reads no more than the given length, which is that of this structure.
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw failure("no connection to port \(port)") }
  }

  private func write(to socket: Int32) throws {
    let head = """
      \(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\
      Content-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n
      """
    var bytes = Array(head.utf8) + Array(body)
    while !bytes.isEmpty {
      let count = Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
      guard count > 0 else { throw failure("the connection broke") }
      bytes.removeFirst(count)
    }
  }

  /// Reads until all that the head announces is there, or the other side closes.
  private func readAnswer(from socket: Int32) throws -> Data {
    var data = Data()
    var chunk = [UInt8](repeating: 0, count: 65536)
    while !isWhole(data) {
      let count = Glibc.recv(socket, &chunk, chunk.count, 0)
      if count == 0 { break }
      guard count > 0 else { throw failure("the connection broke") }
      data.append(contentsOf: chunk[..<count])
    }
    return data
  }

  private func isWhole(_ data: Data) -> Bool {
    guard let end = data.range(of: Data("\r\n\r\n".utf8)) else { return false }
    let head = String(decoding: data[..<end.lowerBound], as: UTF8.self)
    let length = head.firstMatch(of: /(?i)content-length:\s*(\d+)/).flatMap { Int($0.1) }
    return length.map { data.count - end.upperBound >= $0 } ?? false
  }

  private func answer(in data: Data) throws -> Answer {
    guard let end = data.range(of: Data("\r\n\r\n".utf8)) else { throw failure("no answer") }
    let head = String(decoding: data[..<end.lowerBound], as: UTF8.self)
    let status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return Answer(status: status, body: data[end.upperBound...])
  }

  private func failure(_ reason: String) -> BrowserError {
    .refused(command: "\(method) \(path)", answer: reason)
  }
}
