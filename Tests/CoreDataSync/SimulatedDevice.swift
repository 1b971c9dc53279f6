import CoreData
import CoreDataSupport
import TestSupport

@testable import CoreDataSync

/// A device of a history: a store with an application that edits it, and an engine that may be
/// dropped wherever it stands still.
///
/// Sendable: the history and the engine take turns.
final class SimulatedDevice: @unchecked Sendable {
  let name: String
  let history: History
  /// One line of edits: a device that is restored, or made of another's files, begins a new one.
  var line: String
  var skew: Int64 = 0
  var readOnly: Set<String> = []
  var isOld: Bool
  var isOffline = false
  /// When each transaction was saved, by this device's clock.
  var times: [Int64: Int64] = [:]
  let folder: URL
  private(set) var coordinator: NSPersistentStoreCoordinator
  private(set) var engine: SyncEngine
  private var gate = Gate()
  private var driver: Task<Void, Never>?
  /// Where the engine stands still.
  private(set) var stop: Stop = .ended(nil)
  /// The request that the network has, and the answer to it.
  var request: Request?

  final class Request {
    var answer: Go?
    var isOpen = true
  }

  init(name: String, history: History, isOld: Bool, copying files: URL? = nil) throws {
    self.name = name
    self.history = history
    self.isOld = isOld
    line = history.newName("T")
    folder = try TestFolder.make()
    if let files { try Self.copy(files, to: folder) }
    coordinator = try Self.open(folder, isOld: isOld)
    engine = SyncEngine(
      coordinator: coordinator, configuration: HistoriesModel.configuration,
      transport: GatedTransport(gate: gate) { SyncWelcome(now: 0, zones: [:]) },
      seams: SyncEngine.Seams())
  }

  private static func open(_ folder: URL, isOld: Bool) throws -> NSPersistentStoreCoordinator {
    let model = isOld ? HistoriesModel.old : HistoriesModel.full
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil,
      at: folder.appendingPathComponent("store.sqlite"),
      options: options.merging([OpenCoreDataMigrationModelsOption: [HistoriesModel.oldFile.get()]])
      { $1 })
    return coordinator
  }

  static let options: [String: any Sendable] = [
    NSPersistentHistoryTrackingKey: true, NSMigratePersistentStoresAutomaticallyOption: true,
    NSInferMappingModelAutomaticallyOption: true,
    NSSQLitePragmasOption: ["synchronous": "OFF"],
  ]

  // MARK: - Files

  /// Copies both stores as they are, without the locks.
  static func copy(_ from: URL, to folder: URL) throws {
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      try FileManager.default.removeItem(at: folder.appendingPathComponent(file))
    }
    for file in try FileManager.default.contentsOfDirectory(atPath: from.path)
    where !file.hasSuffix("-shm") && !file.hasSuffix(".lock") {
      try FileManager.default.copyItem(
        at: from.appendingPathComponent(file), to: folder.appendingPathComponent(file))
    }
  }

  /// Replaces the files by others, once the engine has ended, and starts both anew.
  func restore(_ files: URL) async throws {
    try closeStore()
    try Self.copy(files, to: folder)
    coordinator = try Self.open(folder, isOld: isOld)
    try await startEngine()
  }

  /// Opens the store with the new model.
  func upgrade() async throws {
    try await endEngine()
    try closeStore()
    isOld = false
    coordinator = try Self.open(folder, isOld: false)
    try await startEngine()
  }

  private func closeStore() throws {
    try coordinator.removeStores()
  }

  func close() async throws {
    try await endEngine()
    try closeStore()
    TestFolder.remove(folder)
  }

  // MARK: - The engine

  func startEngine() async throws {
    let gate = Gate()
    self.gate = gate
    let history = history
    var seams = SyncEngine.Seams()
    seams.onStep = { step in
      if case .crash = await gate.pause(.step(step)) { throw Crash() }
    }
    let generator = AnyGenerator(SplitMix64(seed: history.random.next()))
    seams.random = { generator }
    seams.namesByOrigin = false
    seams.clock = { [unowned self] in clock }
    seams.time = { [unowned self] number, _ in times[number] ?? clock }
    seams.pushLimit = { history.pick([2, 5, 50]) }
    seams.pageLimit = { history.pick([3, 10, 200]) }
    seams.onSave = { [unowned self] in history.noteSave(of: self, old: $0, new: $1) }
    seams.waitsForPageAhead = true
    seams.recordsInMemory = 4  // what is packed is read, too
    seams.objectsAtOnce = { history.pick([1, 3, ScanInParts.usualPart]) }
    seams.storeOptions = [NSSQLitePragmasOption: ["synchronous": "OFF"]]
    let epoch = RecordID(high: 0, low: 0)
    engine = SyncEngine(
      coordinator: coordinator, configuration: HistoriesModel.configuration,
      transport: GatedTransport(gate: gate) {
        SyncWelcome(
          now: UInt64(history.serverTime),
          zones: ["zone": SyncWelcome.Zone(epoch: epoch, head: 0, horizon: 0)])
      }, seams: seams)
    let engine = engine
    driver = Task {
      do {
        while true {
          do {
            try await engine.syncNow()
          } catch is SyncTransportError {
            continue
          }
        }
      } catch is Crash {
        gate.end(nil)
      } catch {
        gate.end(error)
      }
    }
    stop = await gate.firstStop()
  }

  /// Lets the engine go on to where it stands still again.
  func resume(_ go: Go) async throws {
    stop = await gate.resume(go)
    request = nil
    if case .ended(let error?) = stop { throw error }
  }

  func crash() async throws {
    try await endEngine()
    try await startEngine()
  }

  func endEngine() async throws {
    request?.isOpen = false
    request = nil
    if case .ended = stop {} else { try await resume(.crash) }
    await driver?.value
    driver = nil
    try await engine.close()
  }

  /// This device's clock, in milliseconds.
  var clock: Int64 { history.serverTime + skew * 1000 }

  /// What the engine knows, between two steps.
  func state() async throws -> ReplicaState {
    struct Carrier: @unchecked Sendable { let state: ReplicaState }
    return try await engine.inspect { Carrier(state: $0.state) }.state
  }

  // MARK: - The application

  /// Saves an edit, under the application's name and clock. What it did is kept by the history.
  func edit(_ body: (inout Edit) throws -> Void) throws {
    let context = coordinator.makeContext()
    context.transactionAuthor = "app"
    try context.performAndWait {
      var edit = Edit(context: context, history: history, device: self)
      do {
        try body(&edit)
        guard context.hasChanges else { return }
        try context.save()
      } catch let error as NSError where error.domain == NSCocoaErrorDomain {
        history.count("edits refused by the store")
        return
      }
      noteTime()
      edit.note()
    }
  }

  func noteTime() {
    let token = coordinator.currentPersistentHistoryToken(fromStores: nil)
    for number in token?.numbers.values ?? [:].values { times[number] = clock }
  }
}

extension NSPersistentStoreCoordinator {
  /// Deletes the history, as another part of the application might.
  func purgeHistory() throws {
    _ = try withContext {
      try $0.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: .distantFuture))
    }
  }
}
