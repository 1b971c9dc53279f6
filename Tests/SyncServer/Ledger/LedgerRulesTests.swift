import CoreDataSync
import Foundation
import SyncServer
import TestSupport
import Testing

/// Rules of the ledger that histories at random do not reach.
@Suite struct LedgerRulesTests {
  private static let plain = SyncSchema(entities: [.init(name: "Tag", attributes: ["name": false])])
  private static let unique = SyncSchema(entities: [
    .init(name: "Tag", attributes: ["name": false], uniqueness: [["name"]])
  ])

  private func tags(_ writer: inout SyncWriter, _ names: [String]) -> PushMessage {
    var message = writer.insertions(names.count)
    for (number, name) in names.enumerated() {
      message.records[number].entity = "Tag"
      message.records[number].registers["name"]?.value = .text(name)
    }
    return message
  }

  private func rows(_ ledger: SyncLedger, after cursor: Int64 = 0, limit: Int = 1000) throws -> Page
  {
    let request = PullRequest(
      zone: "home", cursor: cursor, base: cursor, safe: cursor, epoch: nil, limit: limit)
    return try #require(try ledger.pull(request).page)
  }

  /// A model that asks for more than the one before it: what is there already is decided anew.
  @Test(arguments: LedgerKind.all)
  func aConstraintThatIsLearntLaterHoldsForWhatIsThere(_ kind: LedgerKind) throws {
    let test = try TestLedger(kind, folder: TestFolder())
    _ = try test.greet(Self.plain, zones: ["home"])
    var writer = SyncWriter(seed: 1)
    let message = tags(&writer, ["a", "b", "a"])
    _ = try test.ledger.push([.init(message)], to: "home")
    #expect(try rows(test.ledger).rows.count == 3)
    _ = try test.greet(Self.unique, zones: ["home"])
    let aliases = try rows(test.ledger).rows.compactMap { row -> RecordID? in
      if case .record(let row) = row { row.alias } else { nil }
    }
    let equal = [message.records[0].id, message.records[2].id]
    #expect(aliases == [equal.min()])
    // Said again it changes nothing.
    let head = try rows(test.ledger).head
    _ = try test.greet(Self.unique, zones: ["home"])
    _ = try test.greet(Self.plain, zones: ["home"])
    #expect(try rows(test.ledger).head == head)
  }

  /// What was deleted after the horizon's time is not forgotten.
  @Test(arguments: LedgerKind.all)
  func theHorizonIsATime(_ kind: LedgerKind) throws {
    let test = try TestLedger(kind, folder: TestFolder())
    _ = try test.greet(Self.plain, zones: ["home"])
    var writer = SyncWriter(seed: 2)
    writer.time = test.now - 1000
    let message = tags(&writer, ["a", "b", "c"])
    _ = try test.ledger.push([.init(message)], to: "home")
    writer.previous = message.id
    let times = try message.records.prefix(2).map { change in
      test.now += 10_000
      writer.time = test.now
      var deletion = writer.insertions(0)
      deletion.safe = 1
      deletion.records = [
        RecordChange(id: change.id, entity: "Tag", life: Life(isDead: true, clock: writer.clock()))
      ]
      _ = try test.ledger.push([.init(deletion)], to: "home")
      writer.previous = deletion.id
      return test.now
    }
    try test.ledger.compact("home", before: times[0] + 1)
    let zone = try #require(try test.ledger.report().first)
    #expect(zone.graves == 1 && zone.records == 2 && zone.horizon == zone.head - 1)
    // Whoever knows the first deletion hears of the second.
    let request = PullRequest(
      zone: "home", cursor: zone.horizon, base: zone.horizon, safe: zone.horizon, epoch: nil,
      limit: 10)
    #expect(try test.ledger.pull(request).page?.rows.count == 1)
    var older = request
    (older.cursor, older.safe) = (zone.horizon - 1, zone.horizon - 1)
    #expect(try test.ledger.pull(older).outcome == .reset)
  }

  /// A page ends with a push where it can, so that what was saved together arrives together.
  @Test func pagesEndAtTheEndOfAPush() throws {
    let test = try TestLedger(.sqlite, folder: TestFolder())
    _ = try test.greet(Self.plain, zones: ["home"])
    var writer = SyncWriter(seed: 3)
    for count in [3, 3, 5] {
      let message = tags(&writer, (0..<count).map { "\(count) \($0)" })
      _ = try test.ledger.push([.init(message)], to: "home")
      writer.previous = message.id
    }
    var (counts, cursor): ([Int], Int64) = ([], 0)
    while true {
      let page = try rows(test.ledger, after: cursor, limit: 4)
      counts.append(page.rows.count)
      cursor = page.cursor
      if page.isDone { break }
    }
    // The last one is longer than a page.
    #expect(counts == [3, 3, 4, 1])
  }
}
