import CoreData
import TestSupport
import Testing

@testable import CoreDataSync

/// What an application does with its store as a file: it sets the metadata, opens it read only.
@Suite struct PlacesTests {
  private static func url(of phone: Phone) -> URL {
    phone.folder.appendingPathComponent("store.sqlite")
  }

  // MARK: - Metadata

  enum Setting: String, CaseIterable { case byCoordinator, byStore, byClass }

  /// Whatever metadata an application sets, as new ones or as they once were: the stores are still
  /// known to be of one day.
  @Test(arguments: Setting.allCases, [false, true])
  func metadataOfTheApplicationsOwnDoNoHarm(_ setting: Setting, areOld: Bool) async throws {
    let two = try await Two.withNotes()
    let phone = two.a
    var metadata: [String: Any] = [:]
    if areOld {
      metadata = try #require(phone.coordinator.persistentStores.first?.metadata)
      try two.b.edit { try $0.find("Note", "title", "m").setValue("later", forKey: "title") }
      try await two.settle()
    }
    metadata["mine"] = "kept"
    if setting == .byClass { try await phone.engine.close() }
    let store = try #require(phone.coordinator.persistentStores.first)
    switch setting {
    case .byCoordinator: phone.coordinator.setMetadata(metadata, for: store)
    case .byStore: store.metadata = metadata
    case .byClass:
      try phone.coordinator.remove(store)
      try NSPersistentStoreCoordinator.setMetadata(
        metadata, forPersistentStoreOfType: NSSQLiteStoreType, at: Self.url(of: phone))
      try await phone.restart()
    }
    // Saved with this; the increment is not sent, which a restart must know.
    try phone.edit { try $0.find("Folder", "title", "X").setValue(2, forKey: "count") }
    if setting != .byClass { try await phone.restart() }
    let before = phone.line.pulls.count
    try await phone.sync()
    #expect(phone.line.pulls.dropFirst(before).allSatisfy { $0.cursor > 0 }, "nothing is relearned")
    try await two.settle()
    #expect(phone.engine.status.losses.isEmpty)
    for phone in [two.a, two.b] {
      #expect(try phone.values("Folder", "count") == ["0", "2"])
    }
    let now = try #require(phone.coordinator.persistentStores.first?.metadata)
    #expect(now["mine"] as? String == "kept")
    for phone in [two.a, two.b] { try await phone.engine.close() }
  }

  // MARK: - Read only

  @Test(.timeLimit(.minutes(5)), arguments: [false, true])
  func aStoreThatIsReadOnlyIsRefusedOnce(isRunning: Bool) async throws {
    let two = try await Two.withNotes()
    try await two.a.engine.close()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: two.a.model)
    var options: [String: any Sendable] = SimulatedDevice.options
    options[NSReadOnlyPersistentStoreOption] = true
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: Self.url(of: two.a),
      options: options)
    try two.b.edit { try $0.find("Note", "title", "m").setValue("later", forKey: "title") }
    try await two.b.sync()
    let phases = PhaseLog()
    var seams = SyncEngine.Seams()
    seams.refusalPause = 0.01
    let engine = SyncEngine(
      coordinator: coordinator, configuration: two.a.configuration, transport: Line(two.cloud),
      seams: seams, listener: phases)
    if isRunning {
      await engine.start()
      try await Patience.waiting(for: "the error") { !phases.ends.isEmpty }
      try await Task.sleep(for: .milliseconds(300))
    } else {
      for _ in 0..<3 {
        let error = await #expect(throws: (any Error).self) { try await engine.syncNow() }
        #expect("\(try #require(error))".contains("read only"))
      }
    }
    guard case .stopped(let reason) = engine.status.activity else {
      Issue.record("not stopped but \(engine.status.activity)")
      return
    }
    #expect(reason.contains("read only") && reason.contains("NSReadOnlyPersistentStoreOption"))
    #expect(phases.ends.count == 1 && phases.starts == 1)
    if isRunning {
      // Nobody tries any more.
      let tries = phases.starts
      try await Task.sleep(for: .milliseconds(200))
      #expect(phases.starts == tries)
    }
    try await engine.close()
    try await two.b.engine.close()
  }
}

/// What an engine tells of its phases.
private final class PhaseLog: SyncPhaseListener, @unchecked Sendable {
  // Sendable: the lock guards everything.
  private let lock = NSLock()
  private var begun = 0
  private var ended: [String] = []

  var starts: Int { lock.withLock { begun } }
  var ends: [String] { lock.withLock { ended } }

  func began(_ phase: SyncPhase, at start: Date) { lock.withLock { begun += 1 } }
  func ended(with error: (any Error)?) {
    lock.withLock { ended.append(error.map { "\($0)" } ?? "done") }
  }
}
