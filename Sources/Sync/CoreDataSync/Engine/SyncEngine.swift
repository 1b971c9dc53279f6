import CoreData
import Synchronization

/// Keeps the store of a container equal to those of other devices, through a server.
///
/// The container has one SQLite store with `NSPersistentHistoryTrackingKey`; sync's own store and
/// lock lie beside it. One engine at a time has a store: a second one, of this or another process,
/// throws ``SyncError/locked``.
///
/// The engine saves with the author "sync". What applications and extensions save, with any other
/// author, by contexts or batch requests, it finds in the store's history.
public actor SyncEngine {
  /// What only tests set.
  struct Seams: Sendable {
    var onStep: (@Sendable (EngineStep) async throws -> Void)?
    var random: @Sendable () -> AnyGenerator = { AnyGenerator(SystemRandomNumberGenerator()) }
    /// This device's time, in milliseconds since 1970.
    var clock: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1000) }
    var pushLimit: (@Sendable () -> Int)?
    var pageLimit: (@Sendable () -> Int)?
    /// When a transaction was saved, by its number and the time that the history says.
    var time: (@Sendable (Int64, Date) -> Int64)?
    var onSave: (@Sendable (_ old: ReplicaState, _ new: ReplicaState) -> Void)?
    var storeOptions: [String: any Sendable] = [:]
    var recordsInMemory = PackedRecords.usualRecent
    var objectsAtOnce: @Sendable () -> Int = { ScanInParts.usualPart }
    /// Whether records have the names of the transactions that made them; they are random else.
    var namesByOrigin = true
    /// Seconds after which what waits for a person is tried again.
    var refusalPause: Double = 30
    /// Whether a page that is asked for ahead comes before the one before it is applied.
    var waitsForPageAhead = false
  }

  private let coordinator: NSPersistentStoreCoordinator
  /// The store that is synced; nil for the only one of the coordinator.
  private let store: NSPersistentStore?
  private let configuration: SyncConfiguration
  private let transport: any SyncTransport
  private let seams: Seams
  private let broadcast = Broadcast(SyncStatus())
  private var phases: SyncPhases
  private var session: SyncSession?
  private var lock: EngineLock?
  /// What is asked for and not over, in order: the first is at work.
  private var cycles: [Task<Void, any Error>] = []
  private var isClosed = false
  private var running: Task<Void, Never>?
  private var welcome: SyncWelcome?
  /// What was refused for its length teaches what the server takes, or a proxy before it.
  private var learned: SyncLimits?
  /// When the server was first found to be away; nil while it answers.
  private var offlineSince: Date?

  /// An engine for a container whose store is loaded. It does nothing until ``syncNow()`` or
  /// ``start()``.
  public init(
    container: NSPersistentContainer, configuration: SyncConfiguration,
    transport: any SyncTransport
  ) {
    self.init(
      coordinator: container.persistentStoreCoordinator, configuration: configuration,
      transport: transport, seams: Seams())
  }

  /// An engine for a coordinator with one store. It does nothing until ``syncNow()`` or
  /// ``start()``.
  public init(
    coordinator: NSPersistentStoreCoordinator, configuration: SyncConfiguration,
    transport: any SyncTransport
  ) {
    self.init(
      coordinator: coordinator, configuration: configuration, transport: transport, seams: Seams())
  }

  init(
    coordinator: NSPersistentStoreCoordinator, configuration: SyncConfiguration,
    transport: any SyncTransport, seams: Seams, store: NSPersistentStore? = nil,
    listener: (any SyncPhaseListener)? = nil
  ) {
    self.coordinator = coordinator
    self.store = store
    phases = SyncPhases(listener)
    self.configuration = configuration
    self.transport = transport
    self.seams = seams
  }

  // MARK: - Status

  /// What the engine is doing, now and whenever it changes.
  public nonisolated var statuses: AsyncStream<SyncStatus> { broadcast.listen() }

  /// What the engine is doing now.
  public nonisolated var status: SyncStatus { broadcast.current }

  private func tell(_ activity: SyncStatus.Activity? = nil) {
    let session = session
    broadcast.change { status in
      if let activity { status.activity = activity }
      guard let session else { return }
      status.toSend = session.state.unsentCount
      status.toReceive = Int(clamping: max(0, session.head - session.state.standing.cursor))
      status.held = session.holds
      let losses = session.takeLosses()
      status.losses = (status.losses + losses).suffix(100)
      status.lossCount += losses.count
    }
  }

  // MARK: - Syncing

  /// Sends everything and receives everything.
  ///
  /// Throws ``SyncTransportError`` if the server cannot be reached: what was not sent is sent the
  /// next time, and ``SyncError/ended`` once the engine is closed or its store removed.
  public func syncNow() async throws {
    // Each waits for the one before: to look whether that one is over would keep it from ending.
    let before = cycles.last
    let task = Task {
      _ = try? await before?.value
      if !hasEnded { try Task.checkCancellation() }
      try await cycle()
    }
    cycles.append(task)
    defer { cycles.removeAll { $0 == task } }
    try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  private func cycle() async throws {
    do {
      if hasEnded { throw SyncError.ended }
      if offlineSince == nil { tell(.syncing) }
      try await sync()
      broadcast.change { $0.lastSync = Date() }
      tell(.idle)
      phases.succeed()
    } catch  where hasEnded {
      // Whatever it was: it came of the end.
      defer { phases.fail(SyncError.ended) }
      tell(.stopped(reason: "\(SyncError.ended)"))
      end()
      throw SyncError.ended
    } catch let error as SyncTransportError {
      defer { phases.fail(error) }
      welcome = nil
      if error.isPassing {
        let since = offlineSince ?? Date()
        offlineSince = since
        tell(.offline(since: since, reason: error.message))
      } else {
        offlineSince = nil
        tell(.stopped(reason: error.message))
      }
      throw error
    } catch {
      defer { phases.fail(error) }
      tell(.stopped(reason: Self.words(of: error)))
      letGoOfLostStore()
      throw error
    }
  }

  /// Whether the engine was closed, or its store removed from the coordinator: nothing is written
  /// then.
  private var hasEnded: Bool {
    isClosed || (store ?? session?.store).map(coordinator.hasRemoved) ?? false
  }

  /// Sync's own store whose file was taken away is made anew, and learned, by the next cycle.
  private func letGoOfLostStore() {
    guard let url = session?.syncStore.url, !FileManager.default.fileExists(atPath: url.path) else {
      return
    }
    try? session?.close()  // what it has is nowhere any more
    session = nil
    lock = nil
  }

  /// Lets another engine have the store; this one does nothing any more.
  private func end() {
    isClosed = true
    try? session?.close()  // a file that cannot be closed ends with the process
    session = nil
    lock = nil
    broadcast.end()
  }

  private func sync() async throws {
    phases.attempt(.importing)
    let session = try open()
    try session.recover()
    try await step(.recovered)
    try session.adoptModel()
    var wanted: Set<RecordID>?
    var ahead: PageAhead?
    defer { ahead?.cancel() }
    // A restored server has everything asked for again once; one that always says so has no end.
    var beginnings = 0
    func beginAnew() throws {
      beginnings += 1
      guard beginnings <= Self.mostBeginnings else { throw Self.endless }
    }
    while true {
      try await scan(session)
      if session.state.hasUnsent { phases.attempt(.exporting) }
      try await greet(session)
      phases.setUp()
      try session.scan()
      if session.isScanning { continue }
      try session.freeze(limit: pushLimit, longest: limits.bytesPerPush)
      try await step(.frozen)
      tell()
      // What cannot be read now waits for the next cycle.
      let isStuck =
        session.message == nil && session.state.hasUnsent
        && session.state.standing.attachment == nil
      if let message = session.message {
        ahead?.cancel()
        ahead = nil
        phases.attempt(.exporting)
        phases.begin()
        do {
          let answer = try await transport.push(message)
          try session.take(answer)
          if case .accepted = answer.outcome {} else { try beginAnew() }
        } catch let error as SyncTransportError where error.reason == .tooLarge {
          guard let smaller = limits.smaller(than: message) else { throw error }
          learned = smaller
          try session.unfreeze()
        }
        try await step(.answered)
        continue
      }
      phases.attempt(.importing)
      let request = session.request(limit: pageLimit)
      let early = try await ahead?.answer(to: request)
      ahead?.cancel()
      ahead = nil
      let answer = if let early { early } else { try await transport.pull(request) }
      guard let page = try session.page(of: answer, to: request) else {
        try await step(.attaching)
        try beginAnew()
        continue
      }
      if !page.isDone, !session.state.hasUnsent {
        ahead = PageAhead(
          after: page, epoch: answer.epoch, of: request, transport: transport)
        if seams.waitsForPageAhead { await ahead?.arrive() }
      }
      try await apply(page, epoch: answer.epoch, in: session)
      tell()
      guard page.isDone, isStuck || !session.state.hasUnsent else { continue }
      let stillWanted = session.state.standing.wanted
      if stillWanted.isEmpty || stillWanted == wanted { break }
      wanted = stillWanted
    }
    try await step(.idle)
  }

  /// Takes over what applications have saved, in as many parts as it takes.
  private func scan(_ session: SyncSession) async throws {
    repeat {
      try session.scan()
      try await step(.scanned)
      if session.isScanning { tell() }
    } while session.isScanning
  }

  /// How often a server may have a replica begin anew within one sync.
  private static let mostBeginnings = 10
  private static let endless = SyncTransportError(
    .answer,
    message:
      "The server had this replica begin anew \(mostBeginnings) times, and says so once more.")

  /// What the server says that it takes, or what it was found to take if that is less.
  private var limits: SyncLimits {
    let said = welcome?.limits ?? SyncLimits()
    guard let learned else { return said }
    return SyncLimits(
      changesPerPush: min(said.changesPerPush, learned.changesPerPush),
      bytesPerPush: min(said.bytesPerPush, learned.bytesPerPush), rowsPerPage: said.rowsPerPage)
  }

  private var pushLimit: Int {
    let limit = min(configuration.changesPerPush, limits.changesPerPush)
    return max(1, seams.pushLimit.map { min($0(), limit) } ?? limit)
  }

  private var pageLimit: Int {
    seams.pageLimit?() ?? min(configuration.rowsPerPage, limits.rowsPerPage)
  }

  private func apply(_ page: Page, epoch: RecordID, in session: SyncSession) async throws {
    for _ in 0..<100 {
      try await scan(session)
      try session.scan()
      switch try session.prepare(page, epoch: epoch) {
      case .done: return try await step(.finished)
      case .overtaken: continue
      case .intended: phases.begin()
      }
      try await step(.intended)
      if session.apply() {
        try await step(.applied)
        try session.finish()
        return try await step(.finished)
      }
      try session.dropIntent()
      try await step(.dropped)
    }
    throw session.lastRefusal ?? SyncError.busy
  }

  private func greet(_ session: SyncSession) async throws {
    guard welcome == nil else { return }
    let welcome = try await transport.greet(
      SyncGreeting(
        application: configuration.application, replica: session.state.standing.replica,
        zones: [configuration.zone], schema: session.map.schema))
    guard welcome.zones[configuration.zone] != nil else {
      throw SyncError.zone(configuration.zone)
    }
    session.noteTime(welcome.now)
    self.welcome = welcome
    if offlineSince != nil {
      offlineSince = nil
      tell(.syncing)
    }
  }

  private func step(_ step: EngineStep) async throws {
    try Task.checkCancellation()
    try checkLock()
    try await seams.onStep?(step)
    if hasEnded { throw SyncError.ended }
  }

  // MARK: - Opening

  /// Who has lost the lock knows no more what is in sync's store.
  private func checkLock() throws {
    do {
      try lock?.check()
    } catch {
      try? session?.close()  // whoever has the lock now goes on with it
      session = nil
      lock = nil
      throw error
    }
  }

  private static func words(of error: any Error) -> String {
    error is StoredReader.Damage
      ? "what it holds is not what this version of sync writes" : error.localizedDescription
  }

  /// The file of the store, which has one lock, by whatever name; nil for one in memory.
  private var storeURL: URL? {
    (store ?? coordinator.persistentStores.first)?.url.flatMap { url in
      url.isFileURL && url.path != "/dev/null" ? url.resolvingSymlinksInPath() : nil
    }
  }

  private func open() throws -> SyncSession {
    if hasEnded { throw SyncError.ended }
    if let session { return session }
    let stores = store.map { [$0] } ?? coordinator.persistentStores
    guard let store = stores.first, stores.count == 1 else { throw SyncSession.needsOneStore }
    guard !store.isReadOnly else { throw SyncError.readOnly }
    let url = storeURL
    if let url { try EngineLock.refuseSecondNames(of: url) }
    let lock = try url.map { try EngineLock(at: MirrorFiles.lock(beside: $0)) }
    let own = url.map { MirrorFiles.store(beside: $0) }
    let schema = SyncSchema(
      model: coordinator.managedObjectModel, configuration: configuration)
    let hasCounters = schema.entities.values.contains { !$0.counters.isEmpty }
    let session: SyncSession
    do {
      session = try SyncSession(
        coordinator: coordinator, store: store, configuration: configuration,
        syncStore: SyncStore(
          url: own, waitsForDisk: hasCounters, recentAtMost: seams.recordsInMemory,
          options: seams.storeOptions),
        random: seams.random())
    } catch let error as SyncError {
      throw error
    } catch {
      throw SyncError.ownStore(own?.path ?? "in memory", "\(Self.words(of: error))")
    }
    session.clock = seams.clock
    session.onSave = seams.onSave
    session.objectsAtOnce = seams.objectsAtOnce
    session.graph.namesByOrigin = seams.namesByOrigin
    if let time = seams.time {
      session.graph.time = { time($0.transactionNumber, $0.timestamp) }
    }
    self.session = session
    self.lock = lock
    return session
  }

  /// Ends the engine, for good, and lets another have the store. Who waits for ``syncNow()`` gets
  /// ``SyncError/ended``; what was not sent is sent by the next engine.
  public func close() async throws {
    isClosed = true
    let cycles = cycles
    for cycle in cycles { cycle.cancel() }
    for cycle in cycles { _ = await cycle.result }
    await stop()
    defer { end() }
    try session?.close()
    session = nil
  }

  /// Deletes the part of the store's history that sync has read. Whoever else reads the history
  /// must have read it, too; a history that is deleted otherwise costs a comparison of all objects.
  public func purgeHistory() throws { try open().purgeHistory() }

  /// Says that objects that are missing from the store, with its history, were deleted: they are
  /// deleted everywhere then.
  public func acceptDeletions() throws { try open().acceptsDeletions = true }

  /// The URI of the object that shows a record, such as the one that a lost
  /// ``SyncValue/reference(_:)`` led to; nil if the store does not show it.
  public func objectURI(of record: RecordID) throws -> URL? {
    let state = try open().state
    return state[state.resolve(record)]?.object.flatMap { URL(string: $0) }
  }

  /// Looks at the session between two steps. For tests.
  func inspect<Result: Sendable>(_ look: (SyncSession) throws -> Result) throws -> Result {
    try look(try open())
  }

  // MARK: - Running

  /// Syncs whenever something has changed, here or there, until ``stop()``.
  public func start() {
    guard running == nil, !isClosed else { return }
    running = Task { await run() }
  }

  /// Ends the running mode. What is on its way is sent again later.
  public func stop() async {
    running?.cancel()
    await running?.value
    running = nil
  }

  private func run() async {
    let bell = Bell()
    let observers = observe(bell)
    let listening = Task { await listen(bell) }
    var failures = 0
    bell.ring()
    for await _ in bell.rings {
      do {
        try await syncNow()
        failures = 0
        if status.toSend > 0 { bell.ring(after: seams.refusalPause) }
      } catch is CancellationError {
        break
      } catch let error as SyncError where error.isFinal {
        break
      } catch let error as SyncTransportError where error.isPassing {
        failures += 1
        bell.ring(after: error.retryAfter ?? min(60, 0.5 * Double(1 << min(failures, 7))))
      } catch SyncError.locked {
        // Whoever has the store may end, in a moment if its container is gone.
        failures += 1
        bell.ring(after: min(Self.lockPause, 0.1 * Double(1 << min(failures, 7))))
      } catch {
        // It waits for a person, who may do something elsewhere: give a key back, make a zone; or
        // the store is about to be removed, which ends the engine.
        failures += 1
        bell.ring(after: min(seams.refusalPause, Double(1 << min(failures, 7))))
      }
    }
    listening.cancel()
    bell.end()
    for observer in observers { NotificationCenter.default.removeObserver(observer.value) }
  }

  /// Seconds after which a store that another engine has is tried again, at most.
  private static let lockPause: Double = 5
  /// The most seconds between two attempts to hear of changes.
  private static let longestPause: Double = 30

  /// Rings for the server's wake-ups, over whatever connection there is.
  private func listen(_ bell: Bell) async {
    var failures = 0
    while !Task.isCancelled {
      do {
        for try await wakeUp in transport.changes(in: [configuration.zone]) {
          failures = 0
          // Whoever wakes is there: what waits for the server goes on.
          if status.activity != .idle || wakeUp.head > session?.state.standing.cursor ?? 0 {
            bell.ring()
          }
        }
      } catch {
        // The connection is gone; another is made.
        failures += 1
      }
      // Of many devices not all come back at once. A cancelled sleep ends the loop.
      let pause = min(Self.longestPause, Double(1 << min(failures, 6)) * .random(in: 0.5...1))
      try? await Task.sleep(for: .seconds(pause))
      if !Task.isCancelled { bell.ring() }
    }
  }

  /// Rings for saves of others, of this process and of others.
  private func observe(_ bell: Bell) -> [Observer] {
    let coordinator = ObjectIdentifier(coordinator)
    let center = NotificationCenter.default
    let saves = center.addObserver(
      forName: NSManagedObjectContext.didSaveObjectIDsNotification, object: nil, queue: nil
    ) { notification in
      guard let context = notification.object as? NSManagedObjectContext,
        context.transactionAuthor != GraphContext.author,
        context.persistentStoreCoordinator.map({ ObjectIdentifier($0) }) == coordinator
      else { return }
      bell.ring()
    }
    let remote = center.addObserver(
      forName: .NSPersistentStoreRemoteChange, object: self.coordinator, queue: nil
    ) { _ in bell.ring() }
    return [Observer(value: saves), Observer(value: remote)]
  }

  /// Sendable: a token that is only handed back.
  private struct Observer: @unchecked Sendable {
    let value: any NSObjectProtocol
  }
}

/// Rings that are heard one at a time; those that nobody has heard are one, and so are those to
/// come: the last that was asked for counts.
private final class Bell: Sendable {
  let rings: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation
  private let later = Mutex<Task<Void, Never>?>(nil)

  init() {
    (rings, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  func ring() { continuation.yield() }

  func ring(after seconds: Double) {
    let task = Task {
      do { try await Task.sleep(for: .seconds(seconds)) } catch { return }
      ring()
    }
    later.withLock { former in
      former?.cancel()
      former = task
    }
  }

  /// Nobody listens any more.
  func end() { later.withLock { $0?.cancel() } }
}
