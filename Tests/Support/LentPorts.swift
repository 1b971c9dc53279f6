import Foundation
import Synchronization

/// Ports on loopback that nobody else has: no other test of this run nor of another on the same machine, and no
/// program that took whatever port was free.
///
/// A port is good for servers that are started again on it. It lies outside of the system's range for ports that
/// programs do not choose; a lock with its number, which ends with the process, keeps it from other runs.
package enum LentPorts {
  private static let last = Mutex(Int.random(in: 0..<Int.max / 2))

  /// A port, until the process ends.
  package static func lend() throws -> Int { try lend(with: []) }

  /// A port of which those with these distances are lent too.
  package static func lend(with distances: [Int]) throws -> Int {
    let range = range
    for _ in 0..<range.count {
      let number = last.withLock { last in
        last += 1
        return last
      }
      let first = range.lowerBound + number % range.count
      let ports = [first] + distances.map { first + $0 }
      if ports.allSatisfy({ (1025..<65536).contains($0) && isFree($0) }), lock(ports) {
        return first
      }
    }
    throw LentPortsError()
  }

  /// Below the system's own range, or above it where there is little room below.
  private static var range: Range<Int> {
    let file = "/proc/sys/net/ipv4/ip_local_port_range"
    // Without that file the usual range is taken.
    let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
    let bounds = text.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    let (low, high) = bounds.count == 2 ? (bounds[0], bounds[1]) : (32768, 60999)
    return low > 14_000 ? 10_000..<low : high + 1..<65536
  }

  /// Whether a server could listen there now.
  private static func isFree(_ port: Int) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  private static func lock(_ ports: [Int]) -> Bool {
    var locks: [Int32] = []
    for port in ports {
      guard let lock = lock(port) else {
        for lock in locks { close(lock) }
        return false
      }
      locks.append(lock)
    }
    return true
  }

  /// A socket without a file, whose name one process can have: open until the process ends.
  private static func lock(_ port: Int) -> Int32? {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    // A child that outlives the tests must not keep it.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    let name = Array("\0opencoredata-test-port-\(port)".utf8)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    let length = MemoryLayout<sa_family_t>.size + name.count
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(length)) == 0
      }
    }
    if isBound { return descriptor }
    close(descriptor)
    return nil
  }
}

private struct LentPortsError: Error, CustomStringConvertible {
  let description = "There is no free port on this machine."
}
