import CoreDataSync
import Foundation
import Logging
import SyncServer
import TestSupport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A server in this process, and a file of keys.
///
/// anna writes everywhere, bob only reads accounts at home and sees nothing else, carl reads.
final class RunningServer: Sendable {
  static let keys = """
    # key              whose zones
    anna-anna-anna-anna anna *=write
    bobb-bobb-bobb-bobb bob  home=write,Account=read
    carl-carl-carl-carl carl home=read
    """
  let folder: TestFolder
  let keyFile: URL
  let ledger: SyncLedger
  let url: URL
  private let task: Task<Void, any Error>

  init(
    _ kind: LedgerKind = .sqlite, at store: URL? = nil,
    limits: SyncServer.Limits = SyncServer.Limits(),
    logger: Logger = Logger(label: "SyncServer")
  ) async throws {
    let folder = try TestFolder()
    self.folder = folder
    keyFile = folder.file("keys.txt")
    try Data(Self.keys.utf8).write(to: keyFile)
    ledger = try SyncLedger(at: store ?? kind.url(in: folder))
    let server = SyncServer(
      ledger: ledger, keys: try KeyFile(keyFile), limits: limits, logger: logger)
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    task = Task { try await server.run(host: "127.0.0.1", port: 0) { port.yield($0) } }
    var found: Int?
    for await number in ports {
      found = number
      break
    }
    guard let found, let url = URL(string: "http://127.0.0.1:\(found)") else {
      throw CocoaError(.fileReadUnknown)
    }
    self.url = url
  }

  deinit { task.cancel() }

  func transport(_ key: String = "anna-anna-anna-anna") -> URLSessionSyncTransport {
    URLSessionSyncTransport(server: url, key: key, timeout: Patience.seconds)
  }

  /// A request as somebody else might send it; the status and the answer.
  func send(
    _ path: String, _ body: Data?, key: String? = "anna-anna-anna-anna",
    headers: [String: String] = [:]
  ) async throws -> (Int, String) {
    var request = URLRequest(url: url.appendingPathComponent("sync/v1/\(path)"))
    request.httpMethod = body == nil ? "GET" : "POST"
    request.httpBody = body
    request.timeoutInterval = Patience.seconds
    if let key { request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization") }
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    let (data, response) = try await URLSession.shared.data(for: request)
    return ((response as? HTTPURLResponse)?.statusCode ?? 0, String(decoding: data, as: UTF8.self))
  }
}

/// A device that pushes one record after the other.
struct SyncWriter: Sendable {
  let zone: String
  let replica: ReplicaID
  var previous: RecordID?
  var generator: SplitMix64
  var time: UInt64 = SyncLedger.systemTime()

  init(zone: String = "home", seed: UInt64) {
    self.zone = zone
    generator = SplitMix64(seed: seed)
    replica = ReplicaID(generator.next())
  }

  mutating func greeting() -> SyncGreeting {
    SyncGreeting(
      application: "Tests", replica: replica, zones: [zone], schema: MessageHistory.schema)
  }

  mutating func clock() -> Clock {
    time += 1
    return Clock(ticks: time << 16, replica: replica)
  }

  /// An insertion of accounts, which are not unique.
  mutating func insertions(_ count: Int = 1, name: String = "a") -> PushMessage {
    let records = (0..<count).map { number in
      let clock = clock()
      return RecordChange(
        id: .random(using: &generator), entity: "Account", life: Life(isDead: false, clock: clock),
        registers: ["name": Register(clock: clock, value: .text("\(name) \(number)"))])
    }
    return PushMessage(
      zone: zone, id: .random(using: &generator), replica: replica, previous: previous, epoch: nil,
      safe: 0, records: records)
  }

  func pull(_ cursor: Int64 = 0, limit: Int = 1000) -> PullRequest {
    PullRequest(
      zone: zone, cursor: cursor, base: cursor, safe: cursor, epoch: nil, limit: limit)
  }
}

extension Pulled {
  var page: Page? { if case .page(let page) = outcome { page } else { nil } }
}

extension Pushed {
  var acceptance: Acceptance? { if case .accepted(let answer) = outcome { answer } else { nil } }
}
