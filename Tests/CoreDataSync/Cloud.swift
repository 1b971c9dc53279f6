import CoreData
import CoreDataSupport
import Synchronization
import SyncSupport
import TestSupport

@testable import CoreDataSync

/// A server in memory, for phones that are not simulated step by step.
///
/// Sendable: the lock guards the server and the faults.
final class Cloud: @unchecked Sendable {
  private let lock = NSLock()
  private var server: ReferenceServer
  private var listeners: [UUID: AsyncThrowingStream<SyncWakeUp, any Error>.Continuation] = [:]
  private var zone = "zone"

  init(model: NSManagedObjectModel, configuration: SyncConfiguration) {
    var random = SystemRandomNumberGenerator()
    server = ReferenceServer(
      schema: SyncSchema(model: model, configuration: configuration),
      epoch: .random(using: &random), now: 1_000_000_000)
  }

  func withServer<Result>(_ body: (inout ReferenceServer) throws -> Result) rethrows -> Result {
    try lock.withLock { try body(&server) }
  }

  /// The server's time, in milliseconds.
  var now: Int64 {
    get { withServer { Int64($0.now) } }
    set { withServer { $0.now = UInt64(newValue) } }
  }

  func push(_ message: PushMessage, readOnly: Set<String>) -> Pushed {
    let (answer, head, listeners) = lock.withLock {
      (server.push(message, readOnly: readOnly), server.head, self.listeners)
    }
    for listener in listeners.values { listener.yield(SyncWakeUp(zone: zone, head: head)) }
    return answer
  }

  func listen() -> AsyncThrowingStream<SyncWakeUp, any Error> {
    let (stream, listener) = AsyncThrowingStream.makeStream(of: SyncWakeUp.self)
    let name = UUID()
    lock.withLock { listeners[name] = listener }
    listener.onTermination = { [weak self] _ in
      self?.lock.withLock { self?.listeners[name] = nil }
    }
    return stream
  }

  /// How many wait for wake-ups.
  var listenerCount: Int { lock.withLock { listeners.count } }

  /// Makes a server of an earlier one, as after a backup was played back; without one it is empty.
  func restore(_ backup: ReferenceServer? = nil) {
    withServer { server in
      var random = SystemRandomNumberGenerator()
      let epoch = RecordID.random(using: &random)
      let now = server.now
      server = backup ?? ReferenceServer(schema: server.schema, epoch: epoch, now: now)
      (server.epoch, server.now) = (epoch, now)
    }
  }
}

/// What goes wrong between one phone and the server.
///
/// Sendable: the lock guards the state.
final class Line: SyncTransport, @unchecked Sendable {
  private struct State {
    var isOffline = false
    var lostAnswers = 0
    var failures: [SyncTransportError] = []
    var readOnly: Set<String> = []
    var pushes: [PushMessage] = []
    var mostChanges = Int.max
    var mostBytes = Int.max
    var pulls: [PullRequest] = []
    var beforePush: (@Sendable () async throws -> Void)?
  }
  private let cloud: Cloud
  private let state = Mutex(State())

  init(_ cloud: Cloud) { self.cloud = cloud }

  var isOffline: Bool {
    get { state.withLock { $0.isOffline } }
    set { state.withLock { $0.isOffline = newValue } }
  }
  /// How many of the next answers get lost.
  var lostAnswers: Int {
    get { state.withLock { $0.lostAnswers } }
    set { state.withLock { $0.lostAnswers = newValue } }
  }
  /// The errors of the next calls.
  var failures: [SyncTransportError] {
    get { state.withLock { $0.failures } }
    set { state.withLock { $0.failures = newValue } }
  }
  var readOnly: Set<String> {
    get { state.withLock { $0.readOnly } }
    set { state.withLock { $0.readOnly = newValue } }
  }
  /// What happens while a push is on its way, once.
  var beforePush: (@Sendable () async throws -> Void)? {
    get { state.withLock { $0.beforePush } }
    set { state.withLock { $0.beforePush = newValue } }
  }
  /// The most changes that the server takes at once, which it does not say.
  var mostChanges: Int {
    get { state.withLock { $0.mostChanges } }
    set { state.withLock { $0.mostChanges = newValue } }
  }
  /// The most bytes of a message.
  var mostBytes: Int {
    get { state.withLock { $0.mostBytes } }
    set { state.withLock { $0.mostBytes = newValue } }
  }
  var pushes: [PushMessage] { state.withLock { $0.pushes } }
  var pulls: [PullRequest] { state.withLock { $0.pulls } }

  private func pass<Answer>(_ call: () -> Answer) throws -> Answer {
    let error = state.withLock { state -> SyncTransportError? in
      if state.isOffline { return SyncTransportError(.unreachable, message: "offline") }
      return state.failures.isEmpty ? nil : state.failures.removeFirst()
    }
    if let error { throw error }
    let answer = call()
    let isLost = state.withLock { state in
      guard state.lostAnswers > 0 else { return false }
      state.lostAnswers -= 1
      return true
    }
    if isLost { throw SyncTransportError(.unreachable, message: "the answer is lost") }
    return answer
  }

  func greet(_ greeting: SyncGreeting) async throws -> SyncWelcome {
    try pass {
      cloud.withServer { server in
        SyncWelcome(
          now: server.now,
          zones: [
            "zone": SyncWelcome.Zone(
              epoch: server.epoch, head: server.head, horizon: server.horizon)
          ])
      }
    }
  }

  func push(_ message: PushMessage) async throws -> Pushed {
    let action = state.withLock { state in
      state.pushes.append(message)
      defer { state.beforePush = nil }
      return state.beforePush
    }
    try await action?()
    if message.count > mostChanges || message.encodedMessage().count > mostBytes {
      throw SyncTransportError(.tooLarge, message: "The push has \(message.count) changes.")
    }
    return try pass { cloud.push(message, readOnly: readOnly) }
  }

  func pull(_ request: PullRequest) async throws -> Pulled {
    state.withLock { $0.pulls.append(request) }
    return try pass { cloud.withServer { $0.pull(request) } }
  }

  func changes(in zones: [String]) -> AsyncThrowingStream<SyncWakeUp, any Error> { cloud.listen() }
}

/// A device with a store, an application and an engine.
///
/// Sendable: a test does one thing after the other.
final class Phone: @unchecked Sendable {
  let cloud: Cloud
  let line: Line
  let folder: URL
  let configuration: SyncConfiguration
  private(set) var model: NSManagedObjectModel
  private(set) var coordinator: NSPersistentStoreCoordinator
  private(set) var engine: SyncEngine
  /// Seconds that its clock is ahead.
  var skew: Int64 = 0
  var pageLimit = 1000
  var pushLimit = 500
  /// Seconds, for engines that are made from now on.
  var refusalPause: Double = 30
  /// How many records engines that are made from now on keep as they are read.
  var recordsInMemory = 4
  /// How many objects a first scan takes before it saves them.
  var objectsAtOnce = 3
  /// Whether a model may lack entities of which the store has objects.
  var removesEntities = false
  /// What happens at each step of the engine.
  var onStep: (@Sendable (EngineStep) async throws -> Void)?
  /// Sees every state before it is saved, with the one before it.
  var onSave: (@Sendable (_ old: ReplicaState, _ new: ReplicaState) -> Void)?
  private let times = Mutex<[Int64: Int64]>([:])

  init(
    _ cloud: Cloud, model: NSManagedObjectModel = HistoriesModel.full,
    configuration: SyncConfiguration = HistoriesModel.configuration, copying other: Phone? = nil,
    inMemory isInMemory: Bool = false
  ) throws {
    self.cloud = cloud
    self.model = model
    self.configuration = configuration
    line = Line(cloud)
    folder = try TestFolder.make()
    if let other {
      try SimulatedDevice.copy(other.folder, to: folder)
      let known = other.times.withLock { $0 }
      times.withLock { $0 = known }
    }
    coordinator = try Self.open(isInMemory ? nil : folder, model)
    engine = SyncEngine(
      coordinator: coordinator, configuration: configuration, transport: line, seams: .init())
    engine = makeEngine()
  }

  private static func open(
    _ folder: URL?, _ model: NSManagedObjectModel, removesEntities: Bool = false
  ) throws -> NSPersistentStoreCoordinator {
    var options = SimulatedDevice.options
    if removesEntities { options[OpenCoreDataRemovesEntitiesOption] = true }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil,
      at: folder?.appendingPathComponent("store.sqlite") ?? URL(fileURLWithPath: "/dev/null"),
      options: options)
    return coordinator
  }

  private func makeEngine() -> SyncEngine {
    var seams = SyncEngine.Seams()
    seams.onStep = { [unowned self] step in try await onStep?(step) }
    seams.clock = { [unowned self] in clock }
    seams.time = { [unowned self] number, _ in times.withLock { $0[number] } ?? clock }
    seams.pushLimit = { [unowned self] in pushLimit }
    seams.refusalPause = refusalPause
    seams.onSave = { [unowned self] in onSave?($0, $1) }
    seams.waitsForPageAhead = true
    seams.recordsInMemory = recordsInMemory
    seams.objectsAtOnce = { [unowned self] in objectsAtOnce }
    seams.pageLimit = { [unowned self] in pageLimit }
    seams.storeOptions = [NSSQLitePragmasOption: ["synchronous": "OFF"]]
    return SyncEngine(
      coordinator: coordinator, configuration: configuration, transport: line, seams: seams)
  }

  private var clock: Int64 { cloud.now + skew * 1000 }

  /// Starts the application and its engine anew, with other files or another model where these are
  /// named.
  func restart(files: URL? = nil, model: NSManagedObjectModel? = nil) async throws {
    try await engine.close()
    try coordinator.removeStores()
    if let files { try SimulatedDevice.copy(files, to: folder) }
    self.model = model ?? self.model
    coordinator = try Self.open(folder, self.model, removesEntities: removesEntities)
    engine = makeEngine()
  }

  /// Takes sync's own store away from the application, which is started anew.
  ///
  /// - Parameter older: a folder whose store of sync's comes in its place.
  func forgetOwnStore(but older: URL? = nil, model: NSManagedObjectModel? = nil) async throws {
    try await engine.close()
    let files = FileManager.default
    for file in try files.contentsOfDirectory(atPath: folder.path) where file.contains("-sync") {
      try files.removeItem(at: folder.appendingPathComponent(file))
    }
    if let older {
      for file in try files.contentsOfDirectory(atPath: older.path) where file.contains("-sync") {
        try files.copyItem(
          at: older.appendingPathComponent(file), to: folder.appendingPathComponent(file))
      }
    }
    try await restart(model: model)
  }

  func backUp() throws -> URL {
    let files = try TestFolder.make()
    try SimulatedDevice.copy(folder, to: files)
    return files
  }

  func sync() async throws { try await engine.syncNow() }

  // MARK: - The application

  @discardableResult
  func edit<Result>(author: String? = "app", _ body: (NSManagedObjectContext) throws -> Result)
    throws -> Result
  {
    cloud.now += 10_000
    let context = coordinator.makeContext()
    context.transactionAuthor = author
    return try context.performAndWait {
      let result = try body(context)
      if context.hasChanges { try context.save() }
      let token = coordinator.currentPersistentHistoryToken(fromStores: nil)
      for number in token?.numbers.values ?? [:].values {
        times.withLock { $0[number] = clock }
      }
      return result
    }
  }

  func read<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
    return try coordinator.withContext(body)
  }

  /// The values of a property of all objects of an entity, as text, sorted.
  func values(_ entity: String, _ property: String) throws -> [String] {
    try read { context in
      try context.all(entity).map { object in
        object.value(forKey: property).map { "\($0)" } ?? "nil"
      }.sorted()
    }
  }

  func count(_ entity: String) throws -> Int { try read { try $0.all(entity).count } }

  /// What engines compare: the graph by record.
  func held() async throws -> [Standing.Hold] {
    try await engine.inspect { Array($0.state.standing.held.values) }
  }
}

extension NSManagedObjectContext {
  func all(_ entity: String) throws -> [NSManagedObject] {
    try fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
  }

  /// The first object with a value.
  func find(_ entity: String, _ property: String, _ value: String) throws -> NSManagedObject {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = NSPredicate(format: "%K == %@", argumentArray: [property, value])
    guard let object = try fetch(request).first else {
      throw History.Failure(description: "no \(entity) with \(property) \(value)")
    }
    return object
  }
}
