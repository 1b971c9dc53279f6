import Foundation
import PostgreSQLServer
import TestSupport
import Testing

@testable import StoreWriter

/// Eight processes with ten contexts each edit one store on a server, each by way of a proxy that cuts connections and
/// goes silent, while backends are stopped and ended and the server is killed: what was acknowledged is there, once,
/// and no edit waits long. Checked by psql. FLEET_SECONDS is the length of the run, FLEET_KILLS how often the server
/// is killed; with CLUSTER_KILLS and CLUSTER_FREEZES a cluster takes the server's place.
@Suite(.enabled(if: PostgreSQLServer.isAvailable, "There is no PostgreSQL server"), .serialized)
struct FleetTests {
  private static let processes = 8
  private static let contexts = 10
  /// Of the store, in seconds.
  private static let timeout = 2.0
  private static let environment = ProcessInfo.processInfo.environment
  private static let seconds = environment["FLEET_SECONDS"].flatMap(Double.init) ?? 6
  private static let kills = environment["FLEET_KILLS"].flatMap(Int.init) ?? 1
  private static let schema = "fleet"

  @Test func whatIsAcknowledgedIsThereOnceOnAServerThatIsKilled() throws {
    let address = try PostgreSQLServer.start(restarts: true)
    let url = try PostgreSQLServer.url(schema: Self.schema, of: address)
    var proxies: [CuttingProxy] = []
    defer { for proxy in proxies { proxy.close() } }
    let urls = try (0..<Self.processes).map { _ in
      let (proxy, way) = try CuttingProxy.before(url)
      proxies.append(proxy)
      return way
    }
    var random = Self.random()
    try run(url, urls, address, &random) { random in
      let end = ContinuousClock.now + .seconds(Self.seconds)
      let pause = Duration.seconds(Self.seconds) / (Self.kills + 1)
      var nextKill = ContinuousClock.now + pause
      while ContinuousClock.now < end {
        if ContinuousClock.now > nextKill {
          nextKill += pause
          try Self.killServer(address)
        }
        // A server that was just killed answers nobody.
        try? Self.disturb(proxies, address, &random)
      }
    }
  }

  @Test(.enabled(if: PostgreSQLCluster.kills > 0, "CLUSTER_KILLS is not set"))
  func whatIsAcknowledgedIsThereOnceOnAClusterWhosePrimaryChanges() throws {
    let cluster = try PostgreSQLCluster()
    defer { cluster.stop() }
    let url = try PostgreSQLServer.url(schema: Self.schema, of: cluster.address)
    var random = Self.random()
    let urls = [URL](repeating: url, count: Self.processes)
    try run(url, urls, cluster.address, &random) { _ in
      for _ in 0..<PostgreSQLCluster.kills {
        try cluster.waitUntilWhole()
        try cluster.killPrimary()
      }
      for _ in 0..<PostgreSQLCluster.freezes {
        try cluster.waitUntilWhole()
        try cluster.freezePrimary()
      }
      try cluster.waitUntilWhole()
    }
  }

  private static func random() -> SplitMix64 {
    let seed = environment["FLEET_SEED"].flatMap(UInt64.init) ?? .random(in: 0..<1_000_000)
    print("seed \(seed)")
    return SplitMix64(seed: seed)
  }

  /// - Parameters:
  ///   - urls: the way of each process to the store.
  ///   - address: of the server, for psql.
  ///   - disturb: runs beside the processes; they edit for as long as it does.
  private func run(
    _ url: URL, _ urls: [URL], _ address: String, _ random: inout SplitMix64,
    while disturb: (inout SplitMix64) throws -> Void
  ) throws {
    let coordinator = try WriterModel.coordinator(url, type: .init(rawValue: "PostgreSQL"))
    let setup = WriterModel.context(coordinator, author: "setup")
    try setup.performAndWait {
      _ = setup.insert("Counter", ["number": 0])
      try setup.save()
    }
    let processes = try urls.enumerated().map { number, url in
      try WriterProcess(
        "fleet", url.absoluteString, "\(number)", "\(Self.contexts)", "\(Self.timeout)",
        "\(UInt64.random(in: 0..<1_000_000, using: &random))")
    }
    for process in processes { try #require(process.line() == "ready") }
    for process in processes { try process.tell("go") }
    try disturb(&random)
    for process in processes { try process.tell("end") }
    var whole = FleetWork.Account()
    for process in processes { whole.add(try process.value(FleetWork.Account.self)) }
    #expect(processes.map { $0.waitUntilExit() } == processes.map { _ in 0 })
    try check(whole, address)
  }

  private func check(_ account: FleetWork.Account, _ address: String) throws {
    let rows = try PSQL.rows("SELECT code, text FROM \(Self.schema).\"Note\"", at: address)
    let texts = Dictionary(grouping: rows) { $0[0] ?? "" }
    let doubled = texts.filter { $0.value.count > 1 }.keys
    let wrong = account.notes.filter { code, allowed in
      !allowed.contains(texts[code].flatMap { $0[0][1] })
    }
    let foreign = texts.keys.filter { account.notes[$0] == nil }
    let counter = try PSQL.value("SELECT shared FROM \(Self.schema).\"Counter\"", at: address)
    let counted = try #require(counter.flatMap { Int($0) })
    print(
      """
      Fleet: \(account.acknowledged) acknowledged, \(account.failures.values.reduce(0, +)) ended in errors \
      \(account.failures.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }), \
      \(account.conflicts) conflicts tried again; \(wrong.count) lost or wrong, \(doubled.count) doubled, \
      \(foreign.count) of nobody; counted \(counted) of \(account.counted) and \
      \(account.countsInDoubt) in doubt; the longest edit took \(account.longest) s
      """)
    #expect(account.acknowledged > 0)
    #expect(wrong.map { "\($0.key): \($0.value), \(texts[$0.key] ?? [])" }.sorted() == [])
    #expect(doubled.sorted() == [])
    #expect(foreign.sorted() == [])
    #expect((account.counted...account.counted + account.countsInDoubt).contains(counted))
    // Its turn, a save, and what has become of it.
    #expect(account.longest < (4 * Self.timeout + 4) * Patience.stretch)
  }

  // MARK: - Disturbances

  private static func disturb(
    _ proxies: [CuttingProxy], _ address: String, _ random: inout SplitMix64
  ) throws {
    guard let proxy = proxies.randomElement(using: &random) else { return }
    let others =
      "FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() "
      + "ORDER BY random()"
    switch Int.random(in: 0..<5, using: &random) {
    case 0, 1: proxy.cut(after: Int.random(in: 0..<4000, using: &random))
    case 2:
      proxy.beSilent()
      pause(.random(in: 0.1...3, using: &random))
      proxy.speak()
    case 3: _ = try PSQL.rows("SELECT pg_terminate_backend(pid) \(others) LIMIT 2", at: address)
    default:
      let pid = try PSQL.value("SELECT pid \(others) LIMIT 1", at: address).flatMap { pid_t($0) }
      guard let pid else { return }
      kill(pid, SIGSTOP)
      pause(.random(in: 0.1...3, using: &random))
      kill(pid, SIGCONT)
    }
    pause(0.05)
  }

  /// The postmaster by SIGKILL, and by that its connections; it is started again.
  private static func killServer(_ address: String) throws {
    guard let folder = try PSQL.value("SELECT current_setting('data_directory')", at: address)
    else { return }
    let file = try String(contentsOfFile: "\(folder)/postmaster.pid", encoding: .utf8)
    if let pid = file.split(separator: "\n").first.flatMap({ pid_t($0) }) { kill(pid, SIGKILL) }
    try Patience.wait(for: "the server to be back") {
      (try? PSQL.value("SELECT 1", at: address)) == "1"
    }
  }

  /// The length of a disturbance, not a wait for anything.
  private static func pause(_ seconds: Double) { usleep(UInt32(seconds * 1_000_000)) }
}
