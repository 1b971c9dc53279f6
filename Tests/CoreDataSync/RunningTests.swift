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
    try await Patience.waiting(for: "the other device") {
      try two.b.values("Note", "title") == ["m", "seen"]
    }
    try await two.a.engine.close()
    try await two.b.engine.close()
  }

  /// Who asks for a cycle while others are under way waits for those, and keeps none from ending: by
  /// itself, beside a running engine that is stopped and started, and cancelled.
  @Test(.timeLimit(.minutes(15)), arguments: Sample.of([false, true], [false, true]))
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
    #expect(loss?.reason == .denied("This key may not write Folder."))
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

  /// By another name it has another log, and would have another store of sync's.
  @Test func aStoreWithTwoNamesIsRefused() async throws {
    let two = try await Two.withNotes()
    let store = try #require(two.a.coordinator.persistentStores.first?.url)
    try await two.a.restart()
    let link = store.deletingLastPathComponent().appendingPathComponent("Link.sqlite")
    try FileManager.default.linkItem(at: store, to: link)
    let error = await #expect(throws: SyncError.self) { try await two.a.engine.syncNow() }
    #expect("\(try #require(error))".contains("2 names"))
    try FileManager.default.removeItem(at: link)
    try await two.a.engine.syncNow()
    try await two.a.engine.close()
  }

  /// Who has a lock whose file was removed takes it again, or, if another engine was there before,
  /// leaves the store to that one.
  @Test(arguments: [false, true])
  func aLockThatIsRemovedIsNoticed(anotherIsThere: Bool) async throws {
    let two = try await Two.withNotes()
    try await two.a.sync()
    let store = try #require(two.a.coordinator.persistentStores.first?.url)
    let lock = store.deletingLastPathComponent()
      .appendingPathComponent(store.lastPathComponent + "-sync.lock")
    try FileManager.default.removeItem(at: lock)
    let other = SyncEngine(
      coordinator: two.a.coordinator, configuration: two.a.configuration,
      transport: Line(two.cloud), seams: .init())
    if anotherIsThere { try await other.syncNow() } else { try await two.a.sync() }
    let (first, second) = anotherIsThere ? (other, two.a.engine) : (two.a.engine, other)
    await #expect(throws: SyncError.locked) { try await second.syncNow() }
    try two.a.edit { try $0.find("Note", "title", "n").setValue("one", forKey: "title") }
    try await first.syncNow()
    try await two.b.sync()
    #expect(try two.b.values("Note", "title") == ["m", "one"])
    try await first.close()
    try two.a.edit { try $0.find("Note", "title", "one").setValue("two", forKey: "title") }
    try await second.syncNow()
    try await two.b.sync()
    #expect(try two.b.values("Note", "title") == ["m", "two"])
    try await second.close()
  }

  /// What waits for a person is tried again without an edit: a key that is given back, a zone that
  /// is made.
  @Test(
    arguments: Sample.of([
      SyncTransportError.Reason.unauthorized, .forbidden, .refused, .protocolNumber, .unavailable,
    ]))
  func aDeviceThatIsNotEditedNoticesThatItsKeyIsBack(
    _ reason: SyncTransportError.Reason
  ) async throws {
    let two = try await Two.withNotes()
    two.a.refusalPause = 0.05
    try await two.a.restart()
    try await two.a.sync()
    let error = SyncTransportError(reason, message: "no", retryAfter: 0.05)
    two.a.line.failures = Array(repeating: error, count: 3)
    await two.a.engine.start()
    try await Patience.waiting(for: "the device to try again") {
      two.a.line.failures.isEmpty && two.a.engine.status.activity == .idle
    }
    try await two.a.engine.close()
  }

  /// Nothing is called synced that waits, or cannot be shown.
  @Test func whatIsHeldIsToldWhateverHoldsIt() async throws {
    let two = try await Two.withNotes()
    // A folder whose account the server does not have yet.
    let (folder, account) = (RecordID(high: 1, low: 1), RecordID(high: 1, low: 2))
    let clock = Clock(ticks: UInt64(two.cloud.now) << 16, replica: ReplicaID(7))
    _ = two.cloud.push(
      PushMessage(
        zone: "zone", id: RecordID(high: 1, low: 3), replica: ReplicaID(7), previous: nil,
        epoch: nil, safe: 0,
        records: [
          RecordChange(
            id: folder, entity: "Folder", life: Life(isDead: false, clock: clock),
            registers: ["title": Register(clock: clock, value: .text("waits"))])
        ]), readOnly: [])
    _ = account
    try await two.a.sync()
    #expect(try two.a.values("Folder", "title") == ["X", "Y"])
    #expect(two.a.engine.status.held.map(\.entity) == ["Folder"])
  }

  @Test func aStoreOfSyncsThatCannotBeReadIsNamed() async throws {
    let two = try await Two.withNotes()
    try await two.a.restart()
    let own = two.a.folder.appendingPathComponent("store.sqlite-sync")
    for file in [own.path + "-wal", own.path + "-shm"] {
      try? FileManager.default.removeItem(atPath: file)  // not there after a clean end
    }
    try Data("this is no store, and was one before somebody wrote into it".utf8).write(to: own)
    let error = await #expect(throws: SyncError.self) { try await two.a.engine.syncNow() }
    let words = "\(try #require(error))"
    #expect(words.contains(own.path) && words.contains("move"))
    try FileManager.default.removeItem(at: own)
    try await two.a.restart()
    try await two.settle()
    for phone in [two.a, two.b] { #expect(try phone.values("Note", "title") == ["m", "n"]) }
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
    try await two.a.restart()
    try await two.a.engine.syncNow()
    #expect(two.a.engine.status.activity == .idle)
    try await two.a.engine.close()
  }

  @Test(arguments: Sample.of([UInt64.max, 1 << 63, 1 << 47, 0]))
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
