import Foundation

/// A server that lets everybody in and says that it is of some version; it does nothing else.
///
/// Sendable: nothing changes after `init`.
final class OldServer: Sendable {
  /// Of the socket, for an address.
  let folder: String
  private let listener: Int32
  private let version: String

  init(version: String) throws {
    self.version = version
    folder = "/tmp/old-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = "\(folder)/.s.PGSQL.5432"
    withUnsafeMutableBytes(of: &address.sun_path) { bytes in
      bytes.copyBytes(from: path.utf8.prefix(bytes.count - 1))
    }
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    guard isBound, listen(listener, 4) == 0 else { throw CocoaError(.fileWriteUnknown) }
    let thread = Thread { self.serve() }
    thread.start()
  }

  func close() {
    shutdown(listener, Int32(SHUT_RDWR))
    Glibc.close(listener)
    // What is left in a temporary folder harms nobody.
    try? FileManager.default.removeItem(atPath: folder)
  }

  private func serve() {
    while true {
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else { return }
      var buffer = [UInt8](repeating: 0, count: 4096)
      // Who comes says its name, which nobody asks about.
      guard read(connection, &buffer, buffer.count) > 0 else { continue }
      let greeting =
        Self.message("R", [0, 0, 0, 0])
        + parameter("server_version", version) + parameter("server_encoding", "UTF8")
        + parameter("client_encoding", "UTF8") + Self.message("Z", Array("I".utf8))
      _ = write(connection, greeting, greeting.count)
      // Until it goes.
      while read(connection, &buffer, buffer.count) > 0 {}
      Glibc.close(connection)
    }
  }

  private func parameter(_ name: String, _ value: String) -> [UInt8] {
    Self.message("S", Array("\(name)\0\(value)\0".utf8))
  }

  /// Its kind, its length, and what it says.
  private static func message(_ kind: Character, _ body: [UInt8]) -> [UInt8] {
    let length = UInt32(body.count + 4).bigEndian
    return Array("\(kind)".utf8) + withUnsafeBytes(of: length) { Array($0) } + body
  }
}
