import CoreData
import CoreDataSupport
import Synchronization
import SyncSupport
import Testing
import TestSupport

@testable import CoreDataSync

/// What an engine does while it is closed, or its store removed: nothing is written after the end,
/// and who waits is told.
@Suite struct EndingTests {
  /// What sync's own store says.
  private static func ownState(of phone: Phone) throws -> (Standing, [RecordID], batch: String?) {
    let files = try phone.backUp()
    let store = try SyncStore(url: files.appendingPathComponent("store.sqlite-sync"))
    defer { try? store.close() }
    let map = ModelMap(model: phone.model, configuration: phone.configuration)
    let (state, intent, _) = try store.load(map: map) { ReplicaID(1) }
    return (state.standing, state.records.keys.sorted(), intent?.batch)
  }

  private static let stops: [EngineStep] = [
    .recovered, .scanned, .frozen, .answered, .attaching, .intended, .applied, .finished, .dropped,
  ]

  @Test(.timeLimit(.minutes(15)), arguments: Sample.of(stops, [false, true]))
  func nothingIsWrittenOnceTheStoreIsRemoved(_ stop: EngineStep, isRunning: Bool) async throws {
    let two = try await Two.withNotes()
    let phone = two.a
    try two.b.edit { try $0.find("Note", "title", "m").setValue("of b", forKey: "title") }
    try await two.b.sync()
    if stop == .attaching { two.cloud.restore(two.cloud.withServer { $0 }) }
    // What is unsent would be refused before anything is asked for.
    if stop != .attaching { try phone.edit { $0.insert("Note", ["title": "of a"]) } }
    let hasConflict = Mutex(stop == .dropped)
    let isRemoved = Mutex(false)
    let before = Mutex<(Standing, [RecordID], batch: String?)?>(nil)
    phone.onStep = { [unowned phone] step in
      if step == .intended, hasConflict.withLock({ $0 }) {
        hasConflict.withLock { $0 = false }
        try phone.edit { try $0.find("Note", "title", "m").setValue(2, forKey: "lo") }
      }
      guard step == stop, !isRemoved.withLock({ $0 }) else { return }
      if stop == .attaching { try phone.edit { $0.insert("Note", ["title": "of a"]) } }
      try phone.coordinator.removeStores()
      let state = try Self.ownState(of: phone)
      before.withLock { $0 = state }
      isRemoved.withLock { $0 = true }
    }
    if isRunning { await phone.engine.start() }
    let error = await #expect(throws: (any Error).self) {
      // Of a running engine the cycle may be its own, before this one.
      for _ in 0..<20 { try await phone.sync() }
    }
    #expect(isRemoved.withLock { $0 }, "\(stop) is reached")
    #expect("\(try #require(error))".contains("has ended"), "\(stop): \(String(describing: error))")
    let after = try Self.ownState(of: phone)
    let known = try #require(before.withLock { $0 })
    #expect(after.0 == known.0 && after.1 == known.1 && after.batch == known.batch, "\(stop)")
    // The next engine goes on.
    phone.onStep = nil
    try await phone.restart()
    try await two.settle()
    for phone in [two.a, two.b] {
      #expect(try phone.values("Note", "title") == ["n", "of a", "of b"], "\(stop)")
      #expect(phone.engine.status.toSend == 0)
      try await phone.engine.close()
    }
  }

  /// Returns when the task is cancelled, whose streams end.
  private static func waitForCancellation() async {
    let (stream, end) = AsyncStream<Void>.makeStream()
    for await _ in stream {}
    withExtendedLifetime(end) {}
  }

  /// Whether the server's answer comes late, or never as nobody wants it any more.
  @Test(.timeLimit(.minutes(15)), arguments: Sample.of([false, true], [false, true]))
  func whoWaitsWhenAnEngineIsClosedIsTold(isRunning: Bool, hearsCancellation: Bool) async throws {
    let two = try await Two.withNotes()
    let (phone, engine) = (two.a, two.a.engine)
    try phone.edit { $0.insert("Note", ["title": "late"]) }
    phone.line.beforePush = {
      await Self.waitForCancellation()
      if hearsCancellation { throw CancellationError() }
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
