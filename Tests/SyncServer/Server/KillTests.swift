import CoreDataSync
import Foundation
import SyncServer
import TestSupport
import Testing

/// A server that is killed in the midst of pushes: what was acknowledged is there, once.
@Suite struct KillTests {
  /// KILLS chooses another number.
  private static let kills =
    ProcessInfo.processInfo.environment["KILLS"].flatMap(Int.init) ?? 4

  @Test(arguments: LedgerKind.all.filter { $0 != .inMemory })
  func acknowledgedPushesAreThereOnce(_ kind: LedgerKind) async throws {
    let folder = try TestFolder()
    let store = try #require(try kind.url(in: folder))
    let keys = folder.file("keys.txt")
    try Data(RunningServer.keys.utf8).write(to: keys)
    let server = try SyncServerProcess(
      store: store.isFileURL ? store.path : store.absoluteString, keys: keys)
    try server.start()
    let transport = URLSessionSyncTransport(
      server: server.url, key: "anna-anna-anna-anna", timeout: Patience.seconds)
    var first = SyncWriter(seed: 1)
    _ = try await transport.greet(first.greeting())

    let written = try await withThrowingTaskGroup(of: [RecordID].self) { group in
      for seed in 10..<UInt64(14) {
        group.addTask { try await Self.push(SyncWriter(seed: seed), by: transport) }
      }
      for _ in 0..<Self.kills {
        try await Task.sleep(for: .milliseconds(Int.random(in: 100...500)))
        server.kill()
        try server.start()
      }
      try await Task.sleep(for: .milliseconds(200))
      group.cancelAll()
      return try await group.reduce(into: []) { $0 += $1 }
    }
    // One of each device may have come whose answer did not.
    let found = try await all(first, by: transport)
    #expect(Set(written).count == written.count)
    #expect(found.count >= written.count && found.count <= written.count + 4)
    #expect(Set(written).subtracting(found).isEmpty)
    #expect(Set(found).count == found.count)
    print("\(written.count) pushes acknowledged on \(kind) with \(Self.kills) kills")
    #expect(server.stop() == 0)
  }

  /// One push after the other, each until it is answered, until the task is cancelled.
  private static func push(
    _ writer: SyncWriter, by transport: URLSessionSyncTransport
  ) async throws -> [RecordID] {
    var writer = writer
    var written: [RecordID] = []
    while !Task.isCancelled {
      let message = writer.insertions()
      while true {
        do {
          let pushed = try await transport.push(message)
          try #require(pushed.acceptance == Acceptance(), "\(pushed)")
          break
        } catch let error as SyncTransportError {
          try #require(error.isPassing, "\(error)")
          // Cancelled while the server is away.
          guard (try? await Task.sleep(for: .milliseconds(5))) != nil else { return written }
        } catch is CancellationError { return written }
      }
      writer.previous = message.id
      written.append(message.records[0].id)
    }
    return written
  }

  private func all(
    _ writer: SyncWriter, by transport: URLSessionSyncTransport
  ) async throws -> [RecordID] {
    var found: [RecordID] = []
    var cursor: Int64 = 0
    while true {
      var request = writer.pull(cursor, limit: 300)
      (request.base, request.safe) = (0, 0)
      let page = try #require(try await transport.pull(request).page)
      found += page.rows.compactMap { if case .record(let row) = $0 { row.id } else { nil } }
      cursor = page.cursor
      if page.isDone { return found }
    }
  }
}
