import CoreData
import Foundation
import PostgreSQLServer
import Testing

@testable import StoreWriter

/// Four processes with fifty contexts each save to a store on a server, while a list in each follows. CROWD_SECONDS
/// says for how long.
@Suite(.enabled(if: PostgreSQLServer.isAvailable, "There is no PostgreSQL server"), .serialized)
struct CrowdTests {
  private static let seconds =
    ProcessInfo.processInfo.environment["CROWD_SECONDS"].flatMap(Double.init) ?? 3
  private static let authors = ["first", "second", "third", "fourth"]
  private static let contexts = 50

  @Test func nothingIsLostAndEveryListIsWhatAFetchFinds() throws {
    let url = try PostgreSQLServer.url(schema: "crowd_\(UUID().uuidString.prefix(8).lowercased())")
    let coordinator = try WriterModel.coordinator(url, type: .init(rawValue: "PostgreSQL"))
    let context = WriterModel.context(coordinator, author: "setup")
    try context.performAndWait {
      _ = context.insert("Counter", ["number": 0])
      try context.save()
    }
    let processes = try Self.authors.map {
      try WriterProcess("crowd", url.absoluteString, $0, "\(Self.seconds)", "\(Self.contexts)")
    }
    for process in processes { try #require(process.line() == "ready") }
    for process in processes { try process.tell("go") }
    let reports = try processes.map { try $0.value(CrowdWork.Report.self) }
    #expect(reports.flatMap(\.errors) == [])
    try context.performAndWait {
      context.reset()
      let found = try Set(
        context.all("Note", sortedBy: "code").map { $0.value(forKey: "code") as? String ?? "" })
      let wanted = zip(Self.authors, reports).flatMap { author, report in
        report.notes.enumerated().flatMap { number, count in
          (0..<count).map { "\(author) \(number) \($0 + 1)" }
        }
      }
      #expect(found == Set(wanted))
      #expect(found.count > Self.authors.count * Self.contexts)
      let counter = try context.all("Counter", sortedBy: "number").first
      #expect(counter?.value(forKey: "shared") as? Int == reports.map(\.shared).reduce(0, +))
    }
    let last = try #require(try lastTransaction(context))
    for process in processes { try process.tell("\(last)") }
    let seen = try processes.map { try $0.value(CrowdWork.Seen.self) }
    #expect(seen.map(\.isFresh) == [true, true, true, true])
    #expect(processes.map { $0.waitUntilExit() } == [0, 0, 0, 0])
    for (author, (report, seen)) in zip(Self.authors, zip(reports, seen)) {
      print(
        "Crowd, \(author): \(report.notes.reduce(0, +)) notes and \(report.shared) counts saved by "
          + "\(Self.contexts) contexts, \(report.conflicts) conflicts; a list of \(seen.count); "
          + "\(seen.transactions) transactions of others in it after "
          + String(format: "%.1f ms (median), %.1f ms (95%%)", seen.medianDelay, seen.longDelay))
    }
  }

  private func lastTransaction(_ context: NSManagedObjectContext) throws -> Int64? {
    try context.performAndWait {
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
      request.resultType = .transactionsOnly
      let result = try context.execute(request) as? NSPersistentHistoryResult
      return (result?.result as? [NSPersistentHistoryTransaction])?.last?.transactionNumber
    }
  }
}
