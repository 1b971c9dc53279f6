import CoreData
import PostgreSQLServer
import TestSupport
import Testing

@testable import PostgreSQLStore

/// Addresses with several hosts, over TCP and TLS.
@Suite(.enabled(if: PostgreSQLServer.isAvailable), .serialized) struct AddressTests {
  private static let server = Result { try PostgreSQLServer.start(onLoopback: true) }

  /// Of the server on loopback.
  private func url(_ host: String, _ more: String = "") throws -> URL {
    let address = try Self.server.get()
    let port = try #require(address.firstMatch(of: #/port=(\d+)/#)).1
    return try #require(
      URL(
        string: "postgresql:///postgres?user=coredata&host=\(host)&port=\(port)\(more)"
          + "&options=-csearch_path%3Dloopback"))
  }

  @Test func ofSeveralHostsTheFirstThatIsThereIsTaken() throws {
    let one = try PostgreSQLServer.url(schema: TestName.make("hosts")).absoluteString
    let folder = try #require(one.firstMatch(of: #/host=([^&]*)/#)).1
    let nobodys = try TestFolder(isShort: true)
    let text = one.replacing("host=\(folder)", with: "host=\(nobodys.url.path),127.0.0.1,\(folder)")
      .replacing("port=5432", with: "port=1,1,5432")
    let coordinator = try ServerStack.open(#require(URL(string: text)))
    #expect(coordinator.persistentStores.count == 1)
    // None of them.
    let error = #expect(throws: NSError.self) {
      try ServerStack.open(#require(URL(string: text.replacing("5432", with: "2"))))
    }
    #expect(error?.localizedFailureReason?.contains("Is the server running") == true)
  }

  /// What an address says of connecting holds, whatever longer time the store was told.
  @Test(arguments: [nil, 30.0]) func theShorterOfTwoTimesHolds(_ timeout: TimeInterval?) throws {
    let (proxy, address) = try CuttingProxy.before(
      PostgreSQLServer.url(schema: TestName.make("connect")))
    defer { proxy.close() }
    proxy.beSilent()
    let short = try #require(URL(string: "\(address.absoluteString)&connect_timeout=2"))
    let start = ContinuousClock.now
    #expect(throws: (any Error).self) {
      try PostgreSQLConnection(ServerAddress(short), timeout: timeout)
    }
    #expect((ContinuousClock.now - start) / .seconds(1) < 2.5 * Patience.stretch + 3)
  }

  /// The advice is of what is wrong, and given once.
  @Test(arguments: [
    ("postgresql://127.0.0.1:1/shop", "Is the server running", "host in the address"),
    ("postgresql://no.such.host.invalid/shop", "host in the address", "Is the server running"),
  ])
  func adviceIsOfWhatIsWrong(_ text: String, _ wanted: String, _ other: String) throws {
    let url = try #require(URL(string: text))
    let error = #expect(throws: NSError.self) { try ServerStack.open(url) }
    let reason = try #require(error?.localizedFailureReason)
    #expect(reason.components(separatedBy: wanted).count == 2, "\(reason)")
    #expect(!reason.contains(other) && !reason.contains("?."), "\(reason)")
  }

  /// A machine that is switched off is noticed, unless somebody has said how.
  @Test func connectionsOverTCPAreKeptAlive() throws {
    func value(_ option: Int32, _ more: String = "") throws -> Int32 {
      let connection = try PostgreSQLConnection(ServerAddress(url("127.0.0.1", more)), timeout: nil)
      var (value, length) = (0 as Int32, socklen_t(4))
      #expect(getsockopt(connection.socket, Int32(IPPROTO_TCP), option, &value, &length) == 0)
      return value
    }
    #expect(try value(TCP_KEEPIDLE) == 30)
    #expect(try value(TCP_KEEPINTVL) == 10)
    #expect(try value(TCP_KEEPCNT) == 3)
    #expect(try value(TCP_USER_TIMEOUT) == 60_000)
    #expect(try value(TCP_KEEPIDLE, "&keepalives_idle=77") == 77)
    #expect(try value(TCP_KEEPINTVL, "&keepalives_interval=7") == 7)
    #expect(try value(TCP_USER_TIMEOUT, "&tcp_user_timeout=5000") == 5000)
    #expect(try value(TCP_KEEPIDLE, "&keepalives=0") != 30)
  }

  @Test func certificatesAreCheckedAsTheAddressAsks() throws {
    let server = try PostgreSQLConnection(
      ServerAddress(#require(URL(string: Self.server.get()))), timeout: nil)
    let data = try server.query("SELECT current_setting('data_directory')").text(0, column: 0)
    for name in ["server", "other"] {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = [
        "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
        "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout",
        "\(data)/\(name).key", "-out", "\(data)/\(name).crt",
      ]
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else {
        return print("Certificates are not tested: openssl makes none here.")
      }
      let owner = try FileManager.default.attributesOfItem(atPath: data)[.ownerAccountID]
      try FileManager.default.setAttributes(
        [.ownerAccountID: owner ?? 0, .posixPermissions: 0o600],
        ofItemAtPath: "\(data)/\(name).key")
    }
    let refused = try url("localhost", "&sslmode=require")
    let without = #expect(throws: NSError.self) { try ServerStack.open(refused) }
    #expect(without?.localizedFailureReason?.contains("sslmode") == true, "\(without as Any)")
    try server.execute("ALTER SYSTEM SET ssl = on")
    try server.execute("SELECT pg_reload_conf()")
    // Until the server has read its settings anew.
    try Patience.wait(for: "a server with certificates") {
      (try? PostgreSQLConnection(ServerAddress(refused), timeout: nil)) != nil
    }
    let full = "&sslmode=verify-full&sslrootcert=\(data)"
    let coordinator = try ServerStack.open(url("localhost", "\(full)/server.crt"))
    #expect(coordinator.persistentStores.count == 1)
    for (host, file) in [("localhost", "other"), ("localhost", "none"), ("127.0.0.1", "server")] {
      let address = try url(host, "\(full)/\(file).crt")
      let error = #expect(throws: NSError.self) { try ServerStack.open(address) }
      let reason = error?.localizedFailureReason ?? ""
      #expect(reason.contains("sslrootcert"), "\(host) \(file): \(reason)")
      #expect(!reason.contains("Is the server running"), "\(host) \(file): \(reason)")
    }
  }
}
