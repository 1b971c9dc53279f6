import CoreDataSync
import Foundation
import PostgreSQLServer
import PostgreSQLStore
import Synchronization
import SyncServer
import SyncSupport
import Testing
import TestSupport

/// Where a ledger of the tests is.
enum LedgerKind: String, CaseIterable, Sendable {
  case inMemory, sqlite, postgreSQL

  static let all = allCases.filter { $0 != .postgreSQL || PostgreSQLServer.isAvailable }

  func url(in folder: TestFolder) throws -> URL? {
    switch self {
    case .inMemory: nil
    case .sqlite: folder.file("\(UUID().uuidString).sqlite")
    case .postgreSQL: try PostgreSQLServer.url(schema: TestName.make("sync"))
    }
  }
}

/// A ledger whose time a test sets.
final class TestLedger {
  private final class Time: Sendable {
    let now = Mutex<UInt64>(1_000_000_000)
  }
  private let folder: TestFolder
  private let time = Time()
  private let url: URL?
  private(set) var ledger: SyncLedger

  init(_ kind: LedgerKind, folder: TestFolder) throws {
    self.folder = folder
    url = try kind.url(in: folder)
    ledger = try SyncLedger(at: url) { [time] in time.now.withLock { $0 } }
  }

  var now: UInt64 {
    get { time.now.withLock { $0 } }
    set { time.now.withLock { $0 = newValue } }
  }

  /// As after a start of its process; in memory it stays.
  func reopen() throws {
    guard url != nil else { return }
    ledger = try SyncLedger(at: url) { [time] in time.now.withLock { $0 } }
  }

  func greet(_ schema: SyncSchema, zones: [String]) throws -> SyncWelcome {
    let greeting = SyncGreeting(
      application: "Tests", replica: ReplicaID(1), zones: zones, schema: schema)
    return try ledger.greet(greeting) { _ in SyncRights() }
  }
}

@Suite struct LedgerHistoryTests {
  /// A difference, with the seed and the step at which it came.
  struct Difference: Error, CustomStringConvertible {
    let seed: UInt64
    let step: Int
    let text: String
    var description: String { "seed \(seed), step \(step): \(text)" }
  }

  /// SYNC_SEED and SYNC_HISTORIES choose others.
  private static func number(_ name: String, _ usual: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap(Int.init) ?? usual
  }

  /// SYNC_WHOLE=1 compares everything after each push, and so names the one that made the difference.
  private static let comparesAll = ProcessInfo.processInfo.environment["SYNC_WHOLE"] != nil

  private static let whole = PullRequest(
    zone: MessageHistory.zone, cursor: 0, base: 0, safe: 0, epoch: nil, limit: 1000)

  @Test(arguments: LedgerKind.all)
  func answersAreThoseOfTheReference(_ kind: LedgerKind) throws {
    let first = UInt64(Self.number("SYNC_SEED", 1))
    let count = Self.number("SYNC_HISTORIES", Sample.part(of: kind == .postgreSQL ? 2 : 6))
    let folder = try TestFolder()
    var events: [String: Int] = [:]
    for seed in first..<first + UInt64(count) {
      let found = try run(kind, seed: seed, folder)
      events.merge(found) { $0 + $1 }
    }
    print("\(count) histories from seed \(first) on \(kind): \(events.sorted { $0.key < $1.key })")
  }

  /// The lines in which two values differ.
  private static func compare(_ found: Any, _ expected: Any, _ what: Any) -> String {
    func lines(_ value: Any) -> [String] {
      "\(value)".replacing("CoreDataSync.", with: "").replacing("Page.Row", with: "\nRow")
        .split(separator: "\n").map(String.init)
    }
    let (own, others) = (lines(found), lines(expected))
    let differing =
      own.filter { !others.contains($0) }.map { "found    \($0)" }
      + others.filter { !own.contains($0) }.map { "expected \($0)" }
    return (["\(what)", "\(own.count) and \(others.count) lines"] + differing)
      .joined(separator: "\n")
  }

  private func run(
    _ kind: LedgerKind, seed: UInt64, _ folder: TestFolder, steps: Int = 150
  ) throws -> [String: Int] {
    let test = try TestLedger(kind, folder: folder)
    var history = MessageHistory(seed: seed)
    let zones = [MessageHistory.zone, "other"]
    let welcome = try test.greet(MessageHistory.schema, zones: zones)
    let epoch = try #require(welcome.zones[MessageHistory.zone]).epoch
    var reference = ReferenceServer(
      schema: MessageHistory.schema, epoch: epoch, now: test.now)
    for step in 0..<steps {
      func expect<Value: Equatable>(_ found: Value, _ expected: Value, _ what: Any) throws {
        if found == expected { return }
        throw Difference(seed: seed, step: step, text: Self.compare(found, expected, what))
      }
      test.now += UInt64.random(in: 0..<40, using: &history.generator)
      reference.now = test.now
      switch Double.random(in: 0..<1, using: &history.generator) {
      case ..<0.55:
        var batch: [(Int, PushMessage)] = []
        for _ in 0..<Int.random(in: 1...3, using: &history.generator) {
          batch.append(history.push(now: test.now, head: reference.head))
        }
        let pushed = try test.ledger.push(
          batch.map { .init($0.1, rights: history.replicas[$0.0].rights) },
          to: MessageHistory.zone)
        let rights = batch.map { history.replicas[$0.0].rights }
        for (number, (replica, message)) in batch.enumerated() {
          let answer = reference.push(
            message, mayWrite: rights[number].mayWrite, readOnly: rights[number].readOnly)
          try expect(pushed[number], answer, message)
          history.note(answer, of: message, by: replica)
        }
        if Self.comparesAll {
          let (found, expected) = (try test.ledger.pull(Self.whole), reference.pull(Self.whole))
          try expect(found, expected, batch.map(\.1))
        }
      case ..<0.95:
        let (replica, request) = history.pull(head: reference.head)
        let answer = reference.pull(request)
        try expect(test.ledger.pull(request), answer, request)
        history.note(answer, of: request, by: replica)
      case ..<0.97:
        try test.ledger.compact(MessageHistory.zone)
        reference.compact()
        reference.events["compacted", default: 0] += 1
      case ..<0.98:
        try test.ledger.renewEpochs()
        let request = PullRequest(
          zone: MessageHistory.zone, cursor: 0, base: 0, safe: 0, epoch: nil, limit: 1)
        reference.epoch = try test.ledger.pull(request).epoch
        reference.events["restored", default: 0] += 1
      default:
        try test.reopen()
      }
    }
    let whole = Self.whole
    let (found, expected) = (try test.ledger.pull(whole), reference.pull(whole))
    guard found == expected else {
      throw Difference(seed: seed, step: steps, text: Self.compare(found, expected, whole))
    }
    return reference.events
  }
}
