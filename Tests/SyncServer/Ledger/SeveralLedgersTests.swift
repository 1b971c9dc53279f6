import CoreDataSync
import Foundation
import SyncServer
import Synchronization
import TestSupport
import Testing

/// Several ledgers on one store, as in several processes.
@Suite struct SeveralLedgersTests {
  @Test(arguments: LedgerKind.all.filter { $0 != .inMemory })
  func numbersComeInTheOrderOfCommits(_ kind: LedgerKind) throws {
    let folder = try TestFolder()
    let store = try kind.url(in: folder)
    let ledgers = try (0..<3).map { _ in try SyncLedger(at: store) }
    var first = SyncWriter(seed: 1)
    _ = try ledgers[0].greet(first.greeting()) { _ in SyncRights() }
    let errors = Mutex<[String]>([])
    let pulled = Mutex<[RecordID: Int]>([:])
    let reader = first
    DispatchQueue.concurrentPerform(iterations: 4) { number in
      do {
        if number == 3 {
          try Self.follow(ledgers[0], reader, until: 60) { id in
            pulled.withLock { $0[id, default: 0] += 1 }
          }
          return
        }
        var writer = SyncWriter(seed: UInt64(10 + number))
        for _ in 0..<20 {
          let message = writer.insertions()
          let pushed = try ledgers[number].push([.init(message)], to: "home")
          try #require(pushed[0].acceptance == Acceptance())
          writer.previous = message.id
        }
      } catch { errors.withLock { $0.append("\(error)") } }
    }
    #expect(errors.withLock { $0 } == [])
    // A reader that followed while they wrote has seen each.
    #expect(pulled.withLock { $0.count } == 60)
    let page = try #require(try ledgers[1].pull(first.pull()).page)
    #expect(page.rows.count == 60 && page.head == 61)
  }

  /// Pulls small pages until so many records have come.
  private static func follow(
    _ ledger: SyncLedger, _ writer: SyncWriter, until count: Int, _ note: (RecordID) -> Void
  ) throws {
    var request = writer.pull(limit: 7)
    var seen: Set<RecordID> = []
    let end = ContinuousClock.now + Patience.duration
    while seen.count < count, ContinuousClock.now < end {
      let page = try #require(try ledger.pull(request).page)
      for case .record(let row) in page.rows {
        seen.insert(row.id)
        note(row.id)
        // A row that is new to the reader is whole.
        try #require(row.registers["name"] != nil)
      }
      request.cursor = page.cursor
      if page.isDone { (request.base, request.safe) = (page.cursor, page.cursor) }
    }
  }

  /// A store in memory has no constraints: two zones once had one number, and each other's records.
  @Test(arguments: LedgerKind.all)
  func zonesThatAreMadeAtOnceAreApart(_ kind: LedgerKind) throws {
    let folder = try TestFolder()
    let ledger = try SyncLedger(at: kind.url(in: folder))
    let errors = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 32) { number in
      do {
        var writer = SyncWriter(zone: "zone \(number)", seed: UInt64(number))
        _ = try ledger.greet(writer.greeting()) { _ in SyncRights() }
        _ = try ledger.push([.init(writer.insertions())], to: writer.zone)
      } catch { errors.withLock { $0.append("\(error)") } }
    }
    #expect(errors.withLock { $0 } == [])
    #expect(try ledger.report().map(\.records) == Array(repeating: 1, count: 32))
  }

  /// Ledgers of one store make one zone of a name.
  @Test(arguments: LedgerKind.all.filter { $0 != .inMemory })
  func aZoneIsMadeOnce(_ kind: LedgerKind) throws {
    let folder = try TestFolder()
    let store = try kind.url(in: folder)
    let ledgers = try (0..<4).map { _ in try SyncLedger(at: store) }
    let epochs = Mutex<Set<RecordID>>([])
    DispatchQueue.concurrentPerform(iterations: 4) { number in
      var writer = SyncWriter(seed: 1)
      let welcome = try? ledgers[number].greet(writer.greeting()) { _ in SyncRights() }
      if let zone = welcome?.zones["home"] { epochs.withLock { _ = $0.insert(zone.epoch) } }
    }
    #expect(epochs.withLock { $0.count } == 1)
    #expect(try ledgers[0].report().count == 1)
  }
}
