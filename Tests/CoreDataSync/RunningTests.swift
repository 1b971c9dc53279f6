import CoreData
import TestSupport
import Testing

@testable import CoreDataSync

/// Engines that run by themselves, and what they say of it.
@Suite struct RunningTests {
  @Test func savesAndWakeUpsAreCarriedToTheOtherDevice() async throws {
    let two = try await Two.withNotes()
    await two.a.engine.start()
    await two.b.engine.start()
    try two.a.edit { try $0.find("Note", "title", "n").setValue("seen", forKey: "title") }
    for try await _ in Self.ticks() where try two.b.values("Note", "title") == ["m", "seen"] {
      break
    }
    #expect(try two.b.values("Note", "title") == ["m", "seen"])
    try await two.a.engine.close()
    try await two.b.engine.close()
  }

  /// Moments at which to look, until patience ends.
  private static func ticks() -> AsyncThrowingStream<Void, any Error> {
    AsyncThrowingStream { continuation in
      let task = Task {
        let end = ContinuousClock.now + Patience.duration
        while ContinuousClock.now < end {
          continuation.yield()
          try await Task.sleep(for: .milliseconds(10))
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// Who asks for a cycle while others are under way waits for those, and keeps none from ending: by
  /// itself, beside a running engine that is stopped and started, and cancelled.
  @Test(.timeLimit(.minutes(5)), arguments: [false, true], [false, true])
  func manyWhoSyncAtOnceAllEnd(isRunning: Bool, isCancelled: Bool) async throws {
    let two = try await Two.withNotes()
    let engine = two.a.engine
    for round in 0..<20 {
      if isRunning { await engine.start() }
      try two.a.edit { $0.insert("Note", ["title": "\(round)"]) }
      let cycles = (0..<8).map { _ in Task { try await engine.syncNow() } }
      if isCancelled { for cycle in cycles.prefix(4) { cycle.cancel() } }
      if isRunning { await engine.stop() }
      for cycle in cycles.suffix(4) { try await cycle.value }
      for cycle in cycles.prefix(4) { _ = await cycle.result }
    }
    try await engine.syncNow()
    #expect(engine.status.toSend == 0 && engine.status.activity == .idle)
    try await two.b.sync()
    #expect(try two.b.values("Note", "title").count == 22)
    try await engine.close()
  }

  @Test func statusesSayWhatWaitsAndWhy() async throws {
    let two = try await Two.withNotes()
    two.a.line.isOffline = true
    try two.a.edit { context in
      for number in 0..<3 { context.insert("Note", ["title": "\(number)"]) }
    }
    await #expect(throws: SyncTransportError.self) { try await two.a.sync() }
    let status = two.a.engine.status
    #expect(status.toSend == 3)
    guard case .offline = status.activity else {
      Issue.record("not offline but \(status.activity)")
      return
    }
    two.a.line.isOffline = false
    try await two.a.sync()
    #expect(two.a.engine.status.toSend == 0)
    #expect(two.a.engine.status.activity == .idle)
    for await status in two.a.engine.statuses {
      #expect(status == two.a.engine.status)
      break
    }
  }

  @Test func whatMayNotBeWrittenIsTakenBackAndTold() async throws {
    let two = try await Two.withNotes()
    two.b.line.readOnly = ["Folder"]
    try two.b.edit { context in
      try context.find("Folder", "title", "X").setValue("refused", forKey: "title")
      try context.find("Note", "title", "n").setValue("allowed", forKey: "title")
    }
    try await two.settle()
    for phone in [two.a, two.b] {
      #expect(try phone.values("Folder", "title") == ["X", "Y"])
      #expect(try phone.values("Note", "title") == ["allowed", "m"])
    }
    let loss = two.b.engine.status.losses.first
    #expect(loss?.reason == .denied("read only"))
    #expect(loss?.value == .text("refused"))
  }

  @Test func aStoreHasOneEngineAtATime() async throws {
    let two = try await Two.withNotes()
    let other = SyncEngine(
      coordinator: two.a.coordinator, configuration: two.a.configuration,
      transport: Line(two.cloud), seams: .init())
    await #expect(throws: SyncError.locked) { try await other.syncNow() }
    try await two.a.engine.close()
    try await other.syncNow()
    try await other.close()
  }

  @Test func aStoreHasOneEngineByWhateverName() async throws {
    let two = try await Two.withNotes()
    let store = try #require(two.a.coordinator.persistentStores.first?.url)
    let link = store.deletingLastPathComponent().appendingPathComponent("Link.sqlite")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: store)
    let coordinator = NSPersistentStoreCoordinator(
      managedObjectModel: two.a.coordinator.managedObjectModel)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: link,
      options: [NSPersistentHistoryTrackingKey: true])
    let other = SyncEngine(
      coordinator: coordinator, configuration: two.a.configuration, transport: Line(two.cloud),
      seams: .init())
    await #expect(throws: SyncError.locked) { try await other.syncNow() }
    try await two.a.engine.close()
    try await other.syncNow()
    #expect(other.status.toSend == 0)
    #expect(try two.a.values("Note", "title") == ["m", "n"])
    try await other.close()
  }

  /// What two zones have must not be mixed, nor deleted in both.
  @Test func aStoreIsSyncedInOneZone() async throws {
    let two = try await Two.withNotes()
    try await two.a.engine.close()
    var configuration = two.a.configuration
    let zone = configuration.zone
    configuration.zone = "another"
    let other = SyncEngine(
      coordinator: two.a.coordinator, configuration: configuration, transport: Line(two.cloud),
      seams: .init())
    await #expect(throws: SyncError.otherZone(zone)) { try await other.syncNow() }
    try await other.close()
    try await two.a.engine.syncNow()
    #expect(two.a.engine.status.activity == .idle)
    try await two.a.engine.close()
  }

  @Test(arguments: [UInt64.max, 1 << 63, 1 << 47, 0])
  func noTimeOfAServerIsTooLargeOrTooSmall(_ time: UInt64) async throws {
    let two = try await Two.withNotes()
    var state = ReplicaState(
      standing: Standing(replica: ReplicaID(1)),
      map: ModelMap(
        model: two.a.coordinator.managedObjectModel, configuration: two.a.configuration))
    for now in [0, 1_700_000_000_000, Int64.max >> 16] { state.noteTime(time, now: now) }
    #expect(state.standing.lastTicks <= Clock.ticks((1 << 47) + 300_000))
  }

  @Test func aStoreInMemorySyncsForAsLongAsItLives() async throws {
    let two = try await Two.withNotes()
    let third = try Phone(two.cloud, inMemory: true)
    try await third.sync()
    #expect(try third.values("Note", "title") == ["m", "n"])
    try third.edit { try $0.find("Note", "title", "m").setValue("memory", forKey: "title") }
    try await third.sync()
    try await two.settle()
    #expect(try two.a.values("Note", "title") == ["memory", "n"])
  }

  @Test func historyThatIsPurgedBySyncIsNotMissed() async throws {
    let two = try await Two.withNotes()
    try two.a.edit { try $0.find("Note", "title", "n").setValue("kept", forKey: "title") }
    try await two.a.engine.purgeHistory()
    try two.a.edit { try $0.find("Note", "title", "m").setValue("too", forKey: "title") }
    try await two.settle()
    #expect(try two.b.values("Note", "title") == ["kept", "too"])
  }

  @Test func aStoreWithoutHistoryIsRefused() async throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: HistoriesModel.full)
    try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
    let cloud = Cloud(model: HistoriesModel.full, configuration: HistoriesModel.configuration)
    let engine = SyncEngine(
      coordinator: coordinator, configuration: HistoriesModel.configuration,
      transport: Line(cloud), seams: .init())
    await #expect(throws: SyncError.noHistory) { try await engine.syncNow() }
  }
}
