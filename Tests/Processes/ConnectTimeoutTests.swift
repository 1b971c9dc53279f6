import Foundation
import TestSupport
import Testing

/// How long a server that takes connections and says nothing is waited for, by what says so.
struct ConnectTimeoutTests {
  /// A listener on loopback that answers nobody: the system takes connections for it.
  private final class SilentServer {
    let port: Int
    private let descriptor: Int32

    init() throws {
      port = try LentPorts.lend()
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = in_port_t(port).bigEndian
      address.sin_addr.s_addr = inet_addr("127.0.0.1")
      let bound = withUnsafeBytes(of: &address) {
        bind(
          descriptor, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self),
          socklen_t($0.count))
      }
      guard bound == 0, listen(descriptor, 4) == 0 else { throw CocoaError(.fileReadUnknown) }
    }

    deinit { close(descriptor) }
  }

  enum Place: CaseIterable {
    case address, environment, serviceOfEnvironment, serviceOfAddress
  }

  /// Two seconds are said somewhere, and the store is told nothing, or a minute: the shorter holds.
  @Test(arguments: Place.allCases, [nil, "60"]) func theTimeHolds(
    _ place: Place, _ timeout: String?
  ) throws {
    let server = try SilentServer()
    let folder = try TestFolder()
    let services = folder.file("services.conf")
    try Data("[shop]\nconnect_timeout=2\n".utf8).write(to: services)
    var parameters: [String] = []
    var environment = ["PGSERVICEFILE": services.path, "PGCONNECT_TIMEOUT": ""]
    switch place {
    case .address: parameters = ["connect_timeout=2"]
    case .environment: environment["PGCONNECT_TIMEOUT"] = "2"
    case .serviceOfEnvironment: environment["PGSERVICE"] = "shop"
    case .serviceOfAddress: parameters = ["service=shop"]
    }
    let address =
      "postgresql://nobody@127.0.0.1:\(server.port)/shop"
      + (parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&"))
    let writer = try WriterProcess(
      ["connect", address] + [timeout].compactMap(\.self), environment: environment)
    let seconds = try #require(writer.line().flatMap(Double.init))
    #expect(writer.waitUntilExit() == 0)
    // Without the two seconds it is ten of each host, or the minute.
    #expect(seconds < 2.5 * Patience.stretch + 3, "\(place)")
    // libpq counts whole seconds of the clock.
    #expect(seconds > 0.5)
  }
}
