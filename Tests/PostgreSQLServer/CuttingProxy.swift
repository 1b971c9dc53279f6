import Foundation
import TestSupport

/// Stands between a store and the server on a Unix socket, cuts a connection after so many bytes of either
/// direction, once, or forwards nothing for a while. Counts round trips: how often a client has said something since the server spoke.
///
/// Sendable: `lock` guards what changes.
package final class CuttingProxy: @unchecked Sendable {
  private let place: TestFolder
  package var folder: String { place.url.path }
  private let server: String
  private let listener: Int32
  private let lock = NSCondition()
  private var isSilent = false
  private var budget: Int?
  private var cutCount = 0
  private var trips = 0

  /// - Parameter server: the path of the server's socket.
  package init(server: String) throws {
    self.server = server
    place = try TestFolder(isShort: true)
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let bound = Self.with(place.file(".s.PGSQL.5432").path) { [listener] in bind(listener, $0, $1) }
    guard bound == 0, listen(listener, 16) == 0 else { throw CocoaError(.fileWriteUnknown) }
    Thread.detachNewThread { [listener] in
      while true {
        let client = accept(listener, nil, nil)
        // For want of a descriptor, or because a client has gone again, others come.
        if client < 0, [EINTR, ECONNABORTED, EMFILE, ENFILE].contains(errno) {
          Thread.sleep(forTimeInterval: 0.01)
          continue
        }
        guard client >= 0 else {
          Glibc.close(listener)
          return
        }
        Thread.detachNewThread { self.forward(client) }
      }
    }
  }

  /// One before the server of this address, and the address by way of it.
  package static func before(_ url: URL) throws -> (CuttingProxy, URL) {
    let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems
    guard let folder = items?.first(where: { $0.name == "host" })?.value else {
      throw CocoaError(.fileReadUnknown)
    }
    let proxy = try CuttingProxy(server: "\(folder)/.s.PGSQL.5432")
    guard let own = URL(string: url.absoluteString.replacing(folder, with: proxy.folder)) else {
      throw CocoaError(.fileReadUnknown)
    }
    return (proxy, own)
  }

  /// The thread that listens closes the socket: closed here, its number could be that of another test's when the thread
  /// listens to it again.
  package func close() {
    speak()
    shutdown(listener, Int32(SHUT_RDWR))
  }

  /// Connections stay open and new ones are taken, and nothing passes, until ``speak()``.
  package func beSilent() { lock.withLock { isSilent = true } }

  package func speak() {
    lock.withLock {
      isSilent = false
      lock.broadcast()
    }
  }

  /// How many connections were cut.
  package var cuts: Int { lock.withLock { cutCount } }

  /// The next bytes on any connection count; when so many have passed, that connection is cut.
  package func cut(after bytes: Int) { lock.withLock { budget = bytes } }

  /// Whether it was cut already; nothing is cut any more.
  package func stopCutting() { lock.withLock { budget = nil } }

  /// How many round trips `body` takes, of all connections together.
  package func roundTrips(of body: () throws -> Void) rethrows -> Int {
    lock.withLock { trips = 0 }
    try body()
    return lock.withLock { trips }
  }

  private func forward(_ client: Int32) {
    let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer {
      Glibc.close(client)
      Glibc.close(server)
    }
    guard Self.with(self.server, { connect(server, $0, $1) }) == 0 else { return }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var isAnswered = true
    while true {
      var sources = [
        pollfd(fd: client, events: Int16(POLLIN), revents: 0),
        pollfd(fd: server, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&sources, 2, -1) > 0 else { return }
      for (source, target) in [(0, server), (1, client)] where sources[source].revents != 0 {
        let count = read(sources[source].fd, &buffer, buffer.count)
        guard count > 0 else { return }
        lock.withLock { while isSilent { lock.wait() } }
        if source == 0, isAnswered { lock.withLock { trips += 1 } }
        isAnswered = source == 1
        let allowed = allowance(count)
        var sent = 0
        while sent < allowed {
          let part = buffer[sent..<allowed].withUnsafeBytes {
            send(target, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
          }
          guard part > 0 else { return }
          sent += part
        }
        if allowed < count { return }
      }
    }
  }

  /// How many of so many bytes may pass.
  private func allowance(_ count: Int) -> Int {
    lock.withLock {
      guard let left = budget else { return count }
      guard count > left else {
        budget = left - count
        return count
      }
      budget = nil
      cutCount += 1
      return left
    }
  }

  private static func with(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
