import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreData

/// Threads that want to read at once, more than a database lets, some of whom cannot open a connection.
@Suite struct ReaderTurnTests {
  private struct Refusal: Error {}

  private struct Tally {
    var reading = 0
    var most = 0
    var done = 0
    var refused = 0
    var made = 0
  }

  @Test(arguments: [1, 2, 4], [false, true])
  func noMoreReadThanMayAndEverybodyComesToHisTurn(limit: Int, isQuiet: Bool) throws {
    let folder = try TestFolder()
    let url = folder.file("Store.sqlite")
    let writer = try SQLiteConnection(path: url.path, access: .create, timeout: Patience.seconds)
    try writer.execute("CREATE TABLE T (A)")
    let tally = Mutex(Tally())
    let database = SQLiteDatabase(
      path: url.path, writer: writer, readerLimit: limit, quiet: isQuiet ? QuietReading(url) : nil
    ) {
      let isRefused = tally.withLock { tally in
        tally.made += 1
        if tally.made.isMultiple(of: 2) { return false }
        tally.refused += 1
        return true
      }
      if isRefused { throw Refusal() }
      return try SQLiteConnection(path: url.path, access: .readOnly, timeout: Patience.seconds)
    }
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<200 {
        do {
          try database.read { connection in
            tally.withLock {
              $0.reading += 1
              $0.most = max($0.most, $0.reading)
            }
            defer { tally.withLock { $0.reading -= 1 } }
            let count = try connection.integer("SELECT COUNT(*) FROM T")
            #expect(count == 0)
          }
          tally.withLock { $0.done += 1 }
        } catch is Refusal {} catch { Issue.record(error) }
      }
    }
    let (most, all, refused) = tally.withLock { ($0.most, $0.done + $0.refused, $0.refused) }
    // No turn is lost with a connection that could not be made.
    #expect(most <= limit && all == 1600 && refused > 0)
    database.close()
  }
}
