import Foundation
import TestSupport

/// A server that says one thing to whoever comes, and nothing else.
///
/// Sendable: nothing changes after `init`.
final class FakeServer: Sendable {
  private let place: TestFolder
  /// Of the socket, for an address.
  var folder: String { place.url.path }
  private let listener: Int32
  private let greeting: [UInt8]

  /// Lets everybody in, and says that it is of some version.
  convenience init(version: String) throws {
    func parameter(_ name: String, _ value: String) -> [UInt8] {
      Self.message("S", Array("\(name)\0\(value)\0".utf8))
    }
    try self.init(
      greeting: Self.message("R", [0, 0, 0, 0])
        + parameter("server_version", version) + parameter("server_encoding", "UTF8")
        + parameter("client_encoding", "UTF8") + Self.message("Z", Array("I".utf8)))
  }

  /// Lets nobody in.
  convenience init(severity: String, state: String, text: String) throws {
    let fields = ["S\(severity)", "VFATAL", "C\(state)", "M\(text)"].map { "\($0)\0" }
    try self.init(greeting: Self.message("E", Array((fields.joined() + "\0").utf8)))
  }

  private init(greeting: [UInt8]) throws {
    self.greeting = greeting
    place = try TestFolder(isShort: true)
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = place.file(".s.PGSQL.5432").path
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

  /// The thread that serves closes the socket: closed here, its number could be that of another test's when the thread
  /// listens to it again.
  func close() { shutdown(listener, Int32(SHUT_RDWR)) }

  private func serve() {
    while true {
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else {
        Glibc.close(listener)
        return
      }
      var buffer = [UInt8](repeating: 0, count: 4096)
      // Who comes says its name, which nobody asks about.
      guard read(connection, &buffer, buffer.count) > 0 else {
        Glibc.close(connection)
        continue
      }
      _ = write(connection, greeting, greeting.count)
      // Until it goes, or at once where nobody is let in.
      while greeting.first != UInt8(ascii: "E"), read(connection, &buffer, buffer.count) > 0 {}
      Glibc.close(connection)
    }
  }

  /// Its kind, its length, and what it says.
  private static func message(_ kind: Character, _ body: [UInt8]) -> [UInt8] {
    let length = UInt32(body.count + 4).bigEndian
    return Array("\(kind)".utf8) + withUnsafeBytes(of: length) { Array($0) } + body
  }
}
