import CoreData
import TestSupport
import Testing

@testable import CoreDataSync

/// What an engine does while it is closed: nothing is written after the end, and who waits is told.
@Suite struct EndingTests {
  /// What sync's own store says.
  private static func ownState(of phone: Phone) throws -> (Standing, [RecordID], batch: String?) {
    let files = try phone.backUp()
    let store = try SyncStore(url: files.appendingPathComponent("store.sqlite-sync"))
    defer { try? store.close() }
    let map = ModelMap(model: phone.model, configuration: phone.configuration)
    let (state, intent) = try store.load(map: map) { ReplicaID(1) }
    return (state.standing, state.records.keys.sorted(), intent?.batch)
  }

  /// Whether the server's answer comes in time, late, or when nobody wants it any more.
  @Test(.timeLimit(.minutes(5)), arguments: [false, true], [false, true])
  func whoWaitsWhenAnEngineIsClosedIsTold(isRunning: Bool, hearsCancellation: Bool) async throws {
    let two = try await Two.withNotes()
    let (phone, engine) = (two.a, two.a.engine)
    try phone.edit { $0.insert("Note", ["title": "late"]) }
    phone.line.beforePush = {
      if hearsCancellation { return try await Task.sleep(for: .seconds(3600)) }
      await Task.detached { try? await Task.sleep(for: .milliseconds(200)) }.value
    }
    let count = phone.line.pushes.count
    if isRunning { await engine.start() }
    let waiting = (0..<3).map { _ in Task { try await engine.syncNow() } }
    try await Patience.waiting(for: "the push") { phone.line.pushes.count > count }
    try await engine.close()
    let state = try Self.ownState(of: phone)
    for task in waiting {
      let error = await #expect(throws: (any Error).self) { try await task.value }
      #expect("\(try #require(error))".contains("has ended"))
    }
    let error = await #expect(throws: (any Error).self) { try await engine.syncNow() }
    #expect("\(try #require(error))".contains("has ended"))
    await engine.start()
    await engine.stop()
    for await _ in engine.statuses {}  // ends
    let after = try Self.ownState(of: phone)
    #expect(after.0 == state.0 && after.1 == state.1 && after.batch == state.batch)
    // Another engine has the store at once.
    try await phone.restart()
    try await two.settle()
    #expect(try two.b.values("Note", "title") == ["late", "m", "n"])
    for phone in [two.a, two.b] { try await phone.engine.close() }
  }
}
