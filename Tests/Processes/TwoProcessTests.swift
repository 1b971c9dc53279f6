import CoreData
import Foundation
import Testing

@testable import StoreWriter

/// Two processes write to one store at the same time. SHARED_SECONDS says for how long.
@Suite(.serialized) struct TwoProcessTests {
  private static let seconds =
    ProcessInfo.processInfo.environment["SHARED_SECONDS"].flatMap(Double.init) ?? 3
  private static let authors = ["first", "second"]

  private func makeStore() throws -> WrittenStore {
    let store = try WrittenStore()
    let coordinator = try WriterModel.coordinator(store.url)
    let context = WriterModel.context(coordinator, author: "setup")
    try context.performAndWait {
      for number in 0..<SharedWork.counters { _ = context.insert("Counter", ["number": number]) }
      try context.save()
    }
    for store in coordinator.persistentStores { try coordinator.remove(store) }
    return store
  }

  @Test func nothingIsLostAndEachIsToldWhatTheOtherDid() throws {
    let seed = UInt64.random(in: 0..<1_000_000)
    let comment: Comment = "seed \(seed)"
    let store = try makeStore()
    let processes = try zip(Self.authors, seed...).map { author, seed in
      try WriterProcess("share", store.url.path, author, "\(Self.seconds)", "\(seed)")
    }
    for process in processes { try #require(process.line() == "ready") }
    for process in processes { try process.tell("go") }
    let reports = try processes.map { try $0.value(SharedWork.Report.self) }
    try checkRows(store, reports, comment)
    let last = try store.number("SELECT MAX(Z_PK) FROM ATRANSACTION")
    for process in processes { try process.tell("\(last)") }
    let seen = try processes.map { try $0.value(SharedWork.Seen.self) }
    try checkSeen(store, seen, comment)
    #expect(processes.map { $0.waitUntilExit() } == [0, 0], comment)
    printFigures(seed, reports, seen)
  }

  /// No update is lost, no key is there twice.
  private func checkRows(
    _ store: WrittenStore, _ reports: [SharedWork.Report], _ comment: Comment
  ) throws {
    for (author, report) in zip(Self.authors, reports) {
      let own = try store.rows("SELECT Z\(author.uppercased()) FROM ZCOUNTER ORDER BY ZNUMBER")
      #expect(own == report.own.map(String.init), comment)
      let kept = try store.number("SELECT COUNT(*) FROM ZNOTE WHERE ZCODE GLOB '\(author) *'")
      #expect(kept == report.inserted - report.deleted, comment)
      #expect(report.saves > 0, comment)
    }
    let shared = try store.number("SELECT SUM(ZSHARED) FROM ZCOUNTER")
    #expect(shared == reports.map(\.shared).reduce(0, +), comment)
    let twice = "SELECT ZCODE FROM ZNOTE GROUP BY ZCODE HAVING COUNT(*) > 1"
    #expect(try store.rows(twice).isEmpty, comment)
    try store.checkHistory(comment)
  }

  /// Each has been told of every transaction of the other, in order, and has merged what it says.
  private func checkSeen(
    _ store: WrittenStore, _ seen: [SharedWork.Seen], _ comment: Comment
  ) throws {
    let counters = try store.rows("SELECT ZFIRST, ZSECOND, ZSHARED FROM ZCOUNTER ORDER BY ZNUMBER")
    for (author, seen) in zip(Self.authors.reversed(), seen) {
      let transactions = try store.rows(
        "SELECT t.Z_PK FROM ATRANSACTION t JOIN ATRANSACTIONSTRING s ON s.Z_PK = t.ZAUTHORTS "
          + "WHERE s.ZNAME = '\(author)' ORDER BY t.Z_PK")
      #expect(seen.transactions.map(String.init) == transactions, comment)
      #expect(
        seen.counters.map { $0.map(String.init).joined(separator: "|") } == counters, comment)
    }
  }

  private func printFigures(
    _ seed: UInt64, _ reports: [SharedWork.Report], _ seen: [SharedWork.Seen]
  ) {
    for (author, (report, seen)) in zip(Self.authors, zip(reports, seen)) {
      print(
        "Two processes, seed \(seed), \(author): \(report.saves) saves, \(report.retries) retries, "
          + "\(seen.transactions.count) transactions of the other seen after "
          + String(format: "%.1f ms (median), %.1f ms (95%%)", seen.medianDelay, seen.longDelay))
    }
  }
}
