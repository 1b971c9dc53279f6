import CoreData

/// The steps of an engine over one store: each reads, changes a copy of the state, and saves it.
///
/// Not thread-safe: the engine takes one step at a time.
final class SyncSession {
  let configuration: SyncConfiguration
  let map: ModelMap
  let graph: GraphContext
  let store: NSPersistentStore
  let syncStore: SyncStore
  private(set) var state: ReplicaState
  private var intent: SyncStore.Intent?
  /// Whether both stores are known to be of one day.
  private var isRelated = false
  /// What is left of a scan of which a part is saved.
  private var begun: ScanInParts?
  /// How many objects a scan takes before it saves them.
  var objectsAtOnce = { ScanInParts.usualPart }
  private var random: AnyGenerator
  /// This device's time, in milliseconds since 1970.
  var clock: () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1000) }
  /// Records that changed since the graph was last derived; nil if all of them may have.
  private var changedRecords: Set<RecordID>?
  /// The server's last number, as far as it is known.
  private(set) var head: Int64 = 0
  /// What was lost and has not been told.
  private(set) var losses: [SyncLoss] = []
  /// Sees every state before it is saved, with the one before it. For tests.
  var onSave: ((_ old: ReplicaState, _ new: ReplicaState) -> Void)?
  /// How many records the store may not show as they are; nil if all may be. For tests.
  var unshownCount: Int? { changedRecords?.count }
  /// How many records were derived for the last page; nil for all. For tests.
  private(set) var derivedCount: Int?
  /// Whether objects that are gone with the history count as deleted, however many.
  var acceptsDeletions = false

  private static func ambiguity(_ name: String) -> String {
    """
    Two entities of the model are called \(name) on the server, which can be one alone: see \
    sync.name in the user info of entities, and SyncConfiguration.names.
    """
  }

  static var needsOneStore: SyncError { .store("Sync needs a container with one store.") }

  init(
    coordinator: NSPersistentStoreCoordinator, store: NSPersistentStore? = nil,
    configuration: SyncConfiguration, syncStore: SyncStore,
    random: AnyGenerator = AnyGenerator(SystemRandomNumberGenerator())
  ) throws {
    guard ZoneName.isValid(configuration.zone) else { throw SyncError.store(ZoneName.rule) }
    let stores = store.map { [$0] } ?? coordinator.persistentStores
    guard let store = stores.first, stores.count == 1 else {
      throw Self.needsOneStore
    }
    self.store = store
    self.configuration = configuration
    self.syncStore = syncStore
    map = ModelMap(
      model: coordinator.managedObjectModel, part: store.configurationName,
      configuration: configuration)
    if let name = map.ambiguousName { throw SyncError.store(Self.ambiguity(name)) }
    graph = GraphContext(coordinator: coordinator, store: store, map: map)
    var generator = random
    try syncStore.keepZone(configuration.zone)
    (state, intent, changedRecords) = try syncStore.load(map: map) {
      ReplicaID(generator.next() >> 1)
    }
    self.random = generator
    state.graph = graph
  }

  func close() throws { try syncStore.close() }

  /// What was lost since the last call. What led to one of two records that are one now has lost
  /// nothing, which is known when all has come.
  func takeLosses() -> [SyncLoss] {
    let waiting = state.standing.cursor < head ? losses.filter(\.isOverwrittenReference) : []
    defer { losses = waiting }
    return losses.filter { !waiting.contains($0) && !leadsThere($0) }.map(named)
  }

  private func leadsThere(_ loss: SyncLoss) -> Bool {
    guard loss.isOverwrittenReference, case .reference(let target) = loss.value,
      let property = loss.property, let id = loss.object.flatMap({ state.record(ofObject: $0) }),
      let now = state[id]?.references[property]
    else { return false }
    return state.resolve(now) == state.resolve(target)
  }

  /// With the name that the entity has in this model.
  private func named(_ loss: SyncLoss) -> SyncLoss {
    var loss = loss
    loss.entity = map.entities[loss.entity]?.description.name ?? loss.entity
    return loss
  }

  func newID() -> RecordID { .random(using: &random) }

  private func newReplica() -> ReplicaID { ReplicaID(random.next() >> 1) }

  /// What the application's store shows of a changed state.
  private enum Showing {
    /// It may have to show something else for what was changed.
    case notYet
    /// It need not for what was changed.
    case asBefore
    /// All of it.
    case all
  }

  /// Saves a changed state, which is the state from then on.
  private func save(_ changed: ReplicaState, _ showing: Showing = .notYet) throws {
    try checkStore()
    var changed = changed
    var unshown = changedRecords
    switch showing {
    case .notYet:
      unshown?.formUnion(Self.changes(of: changed))
      unshown?.formUnion(referrersOfNewObjects(in: changed))
    case .asBefore: break
    case .all: unshown = []
    }
    onSave?(state, changed)
    losses += changed.losses
    changed.losses = []
    try syncStore.save(&changed, unshown: unshown)
    changedRecords = unshown
    state = changed
    state.graph = graph
    intent = nil
  }

  /// Saves the message that a state sends; the records in it are saved with its answer.
  private func saveMessage(of changed: ReplicaState) throws {
    try checkStore()
    onSave?(state, changed)
    try syncStore.saveStanding(of: changed)
    state = changed
    state.graph = graph
  }

  /// Throws if the store is no longer the coordinator's: what was read of it looks then as if it
  /// were empty.
  private func checkStore() throws {
    if graph.coordinator.hasRemoved(store) { throw SyncError.ended }
  }

  // MARK: - Recovery

  /// Finishes what was interrupted: the application's store has been saved, or has not.
  func recover() throws {
    guard let intent else { return }
    if try wasApplied(intent) {
      try save(intent.state)
    } else {
      try dropIntent()
    }
    changedRecords = nil
  }

  private func wasApplied(_ intent: SyncStore.Intent) throws -> Bool {
    try graph.context.performAndWait {
      if let token = state.standing.token, let after = try graph.transactions(after: token),
        after.contains(where: { CommitNote(contextName: $0.contextName)?.batch == intent.batch })
      {
        return true
      }
      return batchOfStore == intent.batch
    }
  }

  /// The key of the last commit's batch in the store's metadata.
  static let batchKey = "OpenCoreData.sync.batch"

  /// Attaches anew where the model knows properties that it did not: the server has them.
  func adoptModel() throws {
    let properties = map.properties
    let known = state.standing.modelProperties
    guard properties.union(map.renamings) != known else { return }
    var changed = state
    changed.standing.modelProperties = properties.union(map.renamings)
    let isMissing = try adoptNewEntities(into: &changed, knowing: known)
    if isMissing || !known.isEmpty && !properties.isSubset(of: known) {
      changed.beginAttachment(.horizon, epoch: state.standing.epoch, newReplica: newReplica())
      adoptNewNames(into: &changed, knowing: known)
      for id in state.records.keys {
        guard var record = changed[id], record.object != nil, !record.isWhole else { continue }
        record.isWhole = true
        changed[id] = record
      }
    }
    try save(changed)
  }

  // MARK: - Scanning

  /// Whether a scan goes on with the next call of ``scan()``.
  var isScanning: Bool { begun != nil }

  /// Takes over what applications have saved, or a part of it. Whether there was anything.
  @discardableResult
  func scan() throws -> Bool {
    try graph.context.performAndWait {
      graph.reset()
      if !isRelated, !isScanning, let changes = try relearned() {
        return try learn(changes)
      }
      var parts = try begun ?? savedChanges()
      // What cannot be saved is scanned again.
      begun = nil
      guard !parts.isEmpty || parts.token != nil && parts.token != state.standing.token else {
        isRelated = true
        return false
      }
      var scan = parts.scan(state, graph: graph, now: clock(), newID: newID)
      parts.run(&scan, atMost: objectsAtOnce())
      scan.state.standing.storeUUID = storeUUID
      try save(scan.state)
      isRelated = isRelated || parts.isOver
      if !parts.isOver { begun = parts }
      return !parts.isEmpty
    }
  }

  /// Takes over what has to be learned anew.
  private func learn(_ changes: SavedChanges) throws -> Bool {
    var scan = Scan(changes, state: state, graph: graph, now: clock(), newID: newID)
    var scanned = scan.run()
    scanned.standing.storeUUID = storeUUID
    scanned.beginAttachment(.horizon, epoch: state.standing.epoch, newReplica: newReplica())
    scanned.standing.batch = try lastCommit()
    changedRecords = nil
    try save(scanned)
    isRelated = true
    return !changes.isEmpty
  }

  private func savedChanges() throws -> ScanInParts {
    if let token = state.standing.token, let changes = try graph.savedChanges(after: token) {
      return changes
    }
    let known = knownObjects
    let changes = try graph.everything(
      knowing: known, at: clock(), isFirst: state.standing.token == nil)
    let missing = changes.unexplained
    let isSameStore = state.standing.storeUUID == storeUUID
    if missing > 0, !acceptsDeletions, !isSameStore || missing > max(100, known.count / 10) {
      throw SyncError.missingObjects(missing)
    }
    return changes
  }

  var knownObjects: Set<String> {
    Set(state.records.keys.lazy.compactMap { self.state[$0]?.object })
  }

  var storeUUID: String? {
    graph.coordinator.metadata(for: store)[NSStoreUUIDKey] as? String
  }

  /// The last commit that the application's store has.
  var batchOfStore: String? {
    (graph.coordinator.metadata(for: store)[Self.batchKey] as? String).flatMap {
      $0.isEmpty ? nil : $0
    }
  }

  // MARK: - Pushing

  /// Bytes of a message, about, where no value is longer.
  private static let usualBytes = 1 << 20

  /// Moves what is unsent to a message, unless one is on its way.
  ///
  /// - Parameter longest: the most bytes that the server takes.
  func freeze(limit: Int, longest: Int) throws {
    guard state.standing.message == nil, state.standing.attachment == nil else { return }
    try graph.context.performAndWait {
      var changed = state
      changed.freeze(
        named: newID(), zone: configuration.zone, limit: limit,
        bytes: min(longest, Self.usualBytes), longest: longest)
      state.oversized = changed.oversized
      if changed.standing.message != nil {
        try saveMessage(of: changed)
      } else if changed.standing != state.standing || !changed.records.edits.isEmpty {
        try save(changed)
      }
    }
  }

  var message: PushMessage? { state.standing.message }

  /// Takes back the message, which was refused.
  func unfreeze() throws {
    try graph.context.performAndWait {
      var changed = state
      changed.unfreeze()
      try save(changed)
    }
  }

  func noteTime(_ serverTime: UInt64) { state.noteTime(serverTime, now: clock()) }

  func take(_ answer: Pushed) throws {
    try graph.context.performAndWait {
      var changed = state
      changed.noteTime(answer.now, now: clock())
      changed.take(answer, newReplica: newReplica())
      // What is there as it was sent shows as it did.
      try save(changed, answer.outcome == .accepted(Acceptance()) ? .asBefore : .notYet)
    }
  }

  // MARK: - Pulling

  func request(limit: Int) -> PullRequest {
    let standing = state.standing
    return PullRequest(
      zone: configuration.zone, cursor: standing.cursor, base: standing.base, safe: standing.safe,
      epoch: standing.epoch, limit: limit,
      wanted: Array(standing.wanted.sorted().prefix(4)))
  }

  /// The page of an answer; nil if everything is to be asked for again.
  func page(of answer: Pulled, to request: PullRequest) throws -> Page? {
    if case .page(let page) = answer.outcome { try check(page, for: request) }
    var changed = state
    changed.noteTime(answer.now, now: clock())
    switch answer.outcome {
    case .page(let page):
      state.standing = changed.standing
      head = page.head
      return page
    case .reset:
      changed.beginAttachment(.horizon, epoch: answer.epoch, newReplica: newReplica())
    case .otherEpoch:
      changed.beginAttachment(.epoch, epoch: answer.epoch, newReplica: newReplica())
    }
    try save(changed)
    return nil
  }

  /// Pages without an end, or a limit, would be read for ever.
  private func check(_ page: Page, for request: PullRequest) throws {
    let most = request.limit + request.wanted.count
    guard page.rows.count <= most else {
      throw SyncTransportError(
        .answer, message: "The server's page has \(page.rows.count) rows of at most \(most).")
    }
    guard page.isDone || page.cursor > request.cursor else {
      throw SyncTransportError(
        .answer,
        message:
          "The server's page ends at \(page.cursor), not after \(request.cursor), and is not the last."
      )
    }
  }

  // MARK: - Applying

  /// What leads from a page to the state after it.
  enum Preparation {
    /// The store shows it already: the state is saved.
    case done
    /// The context has the changes, and the intent is saved.
    case intended
    /// Somebody saved in between: scan, and prepare again.
    case overtaken
  }

  /// Derives what the store should show after a page, writes it to the context, and saves the
  /// intent.
  func prepare(_ page: Page, epoch: RecordID) throws -> Preparation {
    try graph.context.performAndWait {
      var next = state
      next.merge(page)
      advance(&next, over: page, epoch: epoch)
      let scope = scope(of: next)
      derivedCount = scope?.count
      let (desired, plan, writer) = try write(&next, scope: scope)
      try graph.context.obtainPermanentIDs(for: Array(writer.made.values))
      next.finish(
        desired, by: plan, scope: scope, made: writer.made.mapValues { GraphContext.uri(of: $0) })
      if page.isDone { next.tellTakenReferences() }
      guard try isUpToDate() else {
        graph.reset()
        return .overtaken
      }
      guard graph.context.hasChanges else {
        let isUnmarked = batchOfStore == nil && next.standing.batch == nil
        if isUnmarked { next.standing.batch = "0-\(newID())" }
        try save(next, .all)
        if isUnmarked, let batch = next.standing.batch { noteFirstSync(batch) }
        return .done
      }
      try checkStore()
      let batch = "\(CommitNote.number(ofBatch: state.standing.batch) + 1)-\(newID())"
      next.standing.batch = batch
      graph.context.name =
        CommitNote(batch: batch, made: writer.made.mapValues { GraphContext.uri(of: $0) })
        .contextName
      let intent = SyncStore.Intent(state: next, batch: batch)
      try syncStore.save(intent)
      self.intent = intent
      return .intended
    }
  }

  private func advance(_ next: inout ReplicaState, over page: Page, epoch: RecordID) {
    next.standing.cursor = page.cursor
    if page.isDone {
      next.standing.base = page.cursor
      next.standing.safe = page.cursor
    } else if state.standing.cursor == 0 {
      next.standing.safe = page.head
    }
    if next.standing.epoch == nil { next.standing.epoch = epoch }
    if page.isDone {
      next.endAttachment()
      next.recentlySent.removeAll()
    }
  }

  /// Derives and writes until nothing is refused.
  private func write(_ next: inout ReplicaState, scope: Set<RecordID>?) throws
    -> (DesiredGraph, GraphPlan, GraphWriter)
  {
    var refused: [RecordID: String] = [:]
    var frozen: [RecordID: String] = [:]
    while true {
      let part =
        frozen.isEmpty
        ? scope : (scope ?? Set(next.records.keys)).subtracting(frozen.keys)
      var derivation = Derivation(of: next, graph: graph, scope: part, refused: refused)
      var desired = derivation.run()
      var plan = GraphPlan(to: desired, from: next, scope: part)
      var writer = GraphWriter(graph: graph, state: next)
      try writer.write(&plan)
      let refusals = writer.refusals(plan)
      let before = refused.count + frozen.count
      for (id, reason) in refusals.objects {
        if refused[id] == nil { refused[id] = reason } else { frozen[id] = reason }
      }
      frozen.merge(refusals.causes) { first, _ in first }
      // What is refused although nothing of the plan is to blame, the save says.
      if refusals.isEmpty || refused.count + frozen.count == before {
        for (id, reason) in frozen { desired.held[id] = .validation(reason) }
        for id in plan.taken {
          desired.objects[id] = nil
          desired.held[id] = .requirement
        }
        return (desired, plan, writer)
      }
      graph.rollback()
    }
  }

  /// Whether nobody has saved, since the last scan, what the context is to save. Who saves other
  /// objects all the time does not keep pages from being applied.
  private func isUpToDate() throws -> Bool {
    guard let token = state.standing.token, let news = try graph.transactions(after: token) else {
      return false
    }
    if news.isEmpty { return true }
    let context = graph.context
    let written = context.insertedObjects.union(context.updatedObjects)
      .union(context.deletedObjects).map(\.objectID)
    let ids = Set(written)
    return !news.contains { transaction in
      transaction.changes?.contains { ids.contains($0.changedObjectID) } ?? true
    }
  }

  /// Saves the application's store. False if somebody else saved what it writes: the intent is
  /// dropped then, by `dropIntent()`.
  func apply() -> Bool {
    guard let intent else { return false }
    return graph.context.performAndWait {
      let former = batchOfStore
      mark(intent.batch)
      do {
        try graph.context.save()
        return true
      } catch {
        mark(former)
        graph.reset()
        lastRefusal = error
        return false
      }
    }
  }

  /// Has the next save write a mark into the store's metadata. One that is left out is kept: none
  /// is an empty one.
  private func mark(_ batch: String?) {
    var metadata = graph.coordinator.metadata(for: store)
    metadata[Self.batchKey] = batch ?? ""
    graph.coordinator.setMetadata(metadata, for: store)
  }

  /// Marks a store that has only been read so far: without sync's own store, its objects are known
  /// to be the server's then, and not new ones.
  private func noteFirstSync(_ batch: String) {
    mark(batch)
    guard let url = store.url, url.isFileURL, url.path != "/dev/null" else { return }
    // Where the file is busy, the next save of the store brings the mark.
    try? NSPersistentStoreCoordinator.setMetadata(
      graph.coordinator.metadata(for: store), forPersistentStoreOfType: store.type, at: url)
  }

  /// Deletes the history that has been scanned, for as long as nothing is under way that needs it.
  func purgeHistory() throws {
    guard intent == nil, let token = state.standing.token else { return }
    try graph.context.performAndWait { try graph.deleteHistory(before: token) }
  }

  /// Objects that do not show as they are, and values that cannot be sent.
  var holds: [SyncLoss] { (hidden + oversized).map(named) }

  private var oversized: [SyncLoss] {
    state.oversized.sorted { $0.key < $1.key }.flatMap { id, sizes in
      sizes.sorted { $0.key < $1.key }.compactMap { name, words in
        state[id].map { record in
          SyncLoss(
            entity: record.entity, object: record.object, property: name, reason: .held(words))
        }
      }
    }
  }

  private var hidden: [SyncLoss] {
    state.standing.held.sorted { $0.key < $1.key }.compactMap { id, hold in
      guard let record = state[id] else { return nil }
      let attribute: String? = if case .claimed(let attribute) = hold { attribute } else { nil }
      return SyncLoss(
        entity: record.entity, object: record.object, property: attribute,
        value: attribute.flatMap { record.parked[$0] },
        reason: .held(hold.words + Self.words(of: record)))
    }
  }

  /// Which object it is, of one that the store does not have: its first text.
  private static func words(of record: ReplicaRecord) -> String {
    guard record.object == nil else { return "" }
    for (name, value) in record.parked.sorted(by: { $0.key < $1.key }) {
      if case .text(let text) = value, !text.isEmpty {
        return " Its \(name) is “\(text.prefix(80))”."
      }
    }
    return ""
  }

  /// Why the application's store was not saved.
  private(set) var lastRefusal: (any Error)?

  /// The application's store is saved: so is the state that goes with it.
  func finish() throws {
    guard let intent else { return }
    try save(intent.state, .all)
    graph.context.performAndWait { graph.reset() }
  }

  func dropIntent() throws {
    try checkStore()
    try syncStore.dropIntent()
    intent = nil
  }

  /// What a page may have changed, with all that hangs on it; nil for everything.
  private func scope(of next: ReplicaState) -> Set<RecordID>? {
    guard var changed = changedRecords else { return nil }
    changed.formUnion(Self.changes(of: next))
    return DerivationScope(of: changed, from: state, to: next).records
  }

  /// What refers to records that have got an object: one that was deleted and is made anew, by its
  /// identity, is referred to again.
  private func referrersOfNewObjects(in changed: ReplicaState) -> Set<RecordID> {
    changed.records.edits.keys.reduce(into: []) { referrers, id in
      if changed[id]?.object != nil, let old = state[id], old.object == nil {
        referrers.formUnion(changed.referrers(of: id))
      }
    }
  }

  /// The records that the edits of a state are about.
  private static func changes(of state: ReplicaState) -> Set<RecordID> {
    var changed = Set(state.records.edits.keys)
    for pair in state.pairs.edits.keys { changed.formUnion([pair.first, pair.second]) }
    for (loser, winner) in state.aliases.edits {
      changed.insert(loser)
      if let winner { changed.insert(winner) }
    }
    return changed
  }

  /// What the whole derivation finds that the store does not show, with what is held. For tests.
  func wholePlan() -> GraphPlan {
    let refused = state.standing.held.compactMapValues { hold -> String? in
      if case .validation(let reason) = hold { reason } else { nil }
    }
    return graph.context.performAndWait {
      let state = state.unpacked()
      var derivation = Derivation(of: state, graph: graph, refused: refused)
      return GraphPlan(to: derivation.run(), from: state, scope: nil)
    }
  }
}

extension NSPersistentStoreCoordinator {
  /// Whether a store is not this coordinator's any more.
  func hasRemoved(_ store: NSPersistentStore) -> Bool {
    !persistentStores.contains { $0 === store }
  }
}

extension SyncLoss {
  fileprivate var isOverwrittenReference: Bool {
    if case .reference = value { reason == .overwritten } else { false }
  }
}
