import CoreData
import CoreDataSupport
import Testing
import TestSupport

@testable import CoreDataSync

/// What an application does with its store as a file: it sets the metadata, deletes the store, puts
/// another one at its place, opens it read only.
@Suite struct PlacesTests {
  private static func url(of phone: Phone) -> URL {
    phone.folder.appendingPathComponent("store.sqlite")
  }

  /// The files that sync keeps beside a store, but for the lock.
  private static func ownFiles(of phone: Phone) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: phone.folder.path)
      .filter { $0.contains("-sync") && !$0.hasSuffix(".lock") }.sorted()
  }

  // MARK: - Metadata

  enum Setting: String, CaseIterable { case byCoordinator, byStore, byClass }

  /// Whatever metadata an application sets, as new ones or as they once were: the stores are still
  /// known to be of one day.
  @Test(arguments: Sample.of(Setting.allCases, [false, true]))
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

  // MARK: - Places

  /// Nothing of a deleted store is in the next one: neither its zone nor what it had not sent.
  @Test(arguments: Sample.of([false, true], [false, true]))
  func theFilesOfSyncGoWithTheStore(isOpen: Bool, isRunning: Bool) async throws {
    let two = try await Two.withNotes()
    let phone = two.a
    phone.line.isOffline = true
    try phone.edit { $0.insert("Note", ["title": "never sent"]) }
    await #expect(throws: SyncTransportError.self) { try await phone.sync() }
    if isRunning { await phone.engine.start() } else { try await phone.engine.close() }
    let coordinator = phone.coordinator
    if !isOpen {
      try coordinator.removeStores()
    }
    try coordinator.destroyPersistentStore(at: Self.url(of: phone), ofType: NSSQLiteStoreType)
    phone.line.isOffline = false
    if isRunning { _ = try? await phone.sync() }
    #expect(try Self.ownFiles(of: phone) == [])
    try await phone.restart()
    try await two.settle()
    for phone in [two.a, two.b] {
      #expect(try phone.values("Note", "title") == ["m", "n"])
      try await phone.engine.close()
    }
  }

  @Test func aDeletedStoresPlaceIsFreeForAnotherZone() async throws {
    let two = try await Two.withNotes()
    let phone = two.a
    try await phone.engine.close()
    try phone.coordinator.destroyPersistentStore(
      at: Self.url(of: phone), ofType: NSSQLiteStoreType)
    var configuration = phone.configuration
    configuration.zone = "another"
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: phone.model)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: Self.url(of: phone),
      options: SimulatedDevice.options)
    let engine = SyncEngine(
      coordinator: coordinator, configuration: configuration, transport: Line(two.cloud),
      seams: .init())
    // The server has no such zone; the store is free for it.
    await #expect(throws: SyncError.zone("another")) { try await engine.syncNow() }
    try await engine.close()
    try await two.b.engine.close()
  }

  /// A backup, or the store of another device, that takes the place of a store.
  @Test(arguments: Sample.of([false, true], [false, true]))
  func aStoreThatIsReplacedIsTheOther(isOwnBackup: Bool, isOpen: Bool) async throws {
    let two = try await Two.withNotes()
    let phone = two.a
    let backup = try (isOwnBackup ? phone : two.b).backUp()
    try two.b.edit { try $0.find("Note", "title", "m").setValue("later", forKey: "title") }
    try await two.settle()
    phone.line.isOffline = true
    try phone.edit { $0.insert("Note", ["title": "never sent"]) }
    await #expect(throws: SyncTransportError.self) { try await phone.sync() }
    phone.line.isOffline = false
    try await phone.engine.close()
    let coordinator = phone.coordinator
    if !isOpen {
      try coordinator.removeStores()
    }
    try coordinator.replacePersistentStore(
      at: Self.url(of: phone),
      withPersistentStoreFrom: backup.appendingPathComponent("store.sqlite"),
      ofType: NSSQLiteStoreType)
    #expect(try Self.ownFiles(of: phone) == [])
    try await phone.restart()
    try await two.settle()
    for phone in [two.a, two.b] {
      #expect(try phone.values("Note", "title") == ["later", "n"])
      #expect(phone.engine.status.toSend == 0 && phone.engine.status.activity == .idle)
      try await phone.engine.close()
    }
  }

  /// Where there is no store to put in its place, everything stays.
  @Test func aStoreThatIsNotReplacedKeepsTheFilesOfSync() async throws {
    let two = try await Two.withNotes()
    let phone = two.a
    try await phone.engine.close()
    let files = try Self.ownFiles(of: phone)
    #expect(!files.isEmpty)
    try phone.coordinator.replacePersistentStore(
      at: Self.url(of: phone),
      withPersistentStoreFrom: phone.folder.appendingPathComponent("nothing.sqlite"),
      ofType: NSSQLiteStoreType)
    #expect(try Self.ownFiles(of: phone) == files)
    try await two.b.engine.close()
  }

  // MARK: - Read only

  @Test(.timeLimit(.minutes(15)), arguments: [false, true])
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
      // Nobody tries any more: the running mode ends, and with it the listening.
      try await Patience.waiting(for: "the end") { two.cloud.listenerCount == 0 }
      await engine.stop()
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
