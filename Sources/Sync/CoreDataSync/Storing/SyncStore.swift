import CoreData

/// Sync's own store, beside the application's: what a replica knows, saved atomically.
///
/// A save writes what was changed since the last one. Used by one session on one thread at a time.
///
/// Saves wait for the disk only where the model has counters. Else the store is, after a power
/// failure, one of some seconds before, as after it was restored, and what the application's store
/// and the server have besides is learned anew (``Relearning``); but increments that were sent
/// would be counted with the next ones again. The end of a process loses nothing.
final class SyncStore {
  /// A state that is complete once the application's store has been saved.
  struct Intent {
    var state: ReplicaState
    /// The mark that the application's store gets with that save.
    var batch: String
  }
  private let coordinator: NSPersistentStoreCoordinator
  private let context: NSManagedObjectContext
  private var names = NameTable()
  /// How many of them the file has.
  private var savedNames = 0
  /// The file; nil for a store in memory.
  let url: URL?
  private let recentAtMost: Int
  /// What the derivation of the graph depends on besides the state.
  private var derivation: RecordID?
  /// The bytes that the file has of what is not shown.
  private var savedUnshown: Data?

  /// Opens or makes the store at a URL; one in memory without.
  ///
  /// - Parameters:
  ///   - waitsForDisk: whether a save is over when the disk has it.
  ///   - recentAtMost: how many records are kept as values, and not as bytes alone.
  init(
    url: URL?, waitsForDisk: Bool = true, recentAtMost: Int = PackedRecords.usualRecent,
    options: [String: any Sendable] = [:]
  ) throws {
    (self.url, self.recentAtMost) = (url, recentAtMost)
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: SyncStoreModel.shared)
    context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    context.undoManager = nil
    try coordinator.addPersistentStore(
      ofType: url == nil ? NSInMemoryStoreType : NSSQLiteStoreType, configurationName: nil, at: url,
      options: [NSSQLitePragmasOption: ["synchronous": waitsForDisk ? "FULL" : "NORMAL"]]
        .merging(options) { $1 })
  }

  /// Closes the file.
  func close() throws {
    try context.performAndWait {
      context.reset()
      for store in coordinator.persistentStores { try coordinator.remove(store) }
    }
  }

  /// Remembers the zone with the next save.
  ///
  /// Throws ``SyncError/otherZone(_:)`` if it was another one before: what both have would be
  /// mixed.
  func keepZone(_ zone: String) throws {
    guard let store = coordinator.persistentStores.first else { return }
    var metadata = coordinator.metadata(for: store)
    if let known = metadata[Self.zoneKey] as? String {
      guard known == zone else { throw SyncError.otherZone(known) }
      return
    }
    metadata[Self.zoneKey] = zone
    coordinator.setMetadata(metadata, for: store)
  }

  private static let zoneKey = "OpenCoreData.sync.zone"

  // MARK: - Loading

  /// The state and the intent that were saved last; a new replica's if there is none. And the
  /// records that the application's store may not show as they are; nil if all may be.
  func load(
    map: ModelMap, newReplica: () -> ReplicaID
  ) throws -> (ReplicaState, Intent?, unshown: Set<RecordID>?) {
    try context.performAndWait {
      defer { context.reset() }
      derivation = map.derivation
      names = try body(of: .state, key: "names").map(Self.readNames) ?? NameTable()
      savedNames = names.count
      let standing = try body(of: .state, key: "standing")
      var reader = StoredReader(standing ?? Data(), names: names)
      var state = ReplicaState(
        standing: standing == nil ? Standing(replica: newReplica()) : try reader.standing(),
        map: map, names: names, recentAtMost: recentAtMost,
        folder: url?.deletingLastPathComponent())
      if standing == nil { return (state, nil, nil) }
      try each(.record) { rows in
        try state.addStored(
          rows.map { row in
            var key = row.key
            return (try key.id(), row.body.rest)
          })
      }
      state.addStored(
        pairs: try all(.pair, key: { try $0.key() }, value: { try $0.pair() }),
        aliases: try all(.alias, key: { try $0.id() }, value: { try $0.id() }))
      state.freezeAgain()
      savedUnshown = try body(of: .state, key: "unshown")
      return (
        state, try body(of: .state, key: "intent").map { try readIntent($0, over: state) },
        try savedUnshown.flatMap(readUnshown)
      )
    }
  }

  private func all<Key: Hashable, Value>(
    _ table: SyncStoreModel.Table, key: (inout StoredReader) throws -> Key,
    value: (inout StoredReader) throws -> Value
  ) throws -> [Key: Value] {
    var all: [Key: Value] = [:]
    try each(table) { rows in
      for var row in rows { all[try key(&row.key)] = try value(&row.body) }
    }
    return all
  }

  private typealias Row = (key: StoredReader, body: StoredReader)

  /// Reads every row of a table, some at a time: all of them as objects take several times what
  /// they become.
  private func each(_ table: SyncStoreModel.Table, _ body: ([Row]) throws -> Void) throws {
    let request = NSFetchRequest<NSManagedObjectID>(entityName: table.rawValue)
    request.resultType = .managedObjectIDResultType
    let rows = try context.fetch(request)
    for start in stride(from: 0, to: rows.count, by: 2_000) {
      let part = NSFetchRequest<NSManagedObject>(entityName: table.rawValue)
      part.predicate = NSPredicate(
        format: "self IN %@", argumentArray: [Array(rows[start...].prefix(2_000))])
      part.returnsObjectsAsFaults = false
      try body(
        context.fetch(part).compactMap { row in
          guard let key = row.value(forKey: "key") as? Data,
            let body = row.value(forKey: "body") as? Data
          else { return nil }
          return (StoredReader(key, names: names), StoredReader(body, names: names))
        })
      context.reset()
    }
  }

  private func body(of table: SyncStoreModel.Table, key: String) throws -> Data? {
    try rows(of: table, keys: [Data(key.utf8)]).values.first?.value(forKey: "body") as? Data
  }

  // MARK: - Saving

  /// Saves what was changed in a state, and drops the intent.
  ///
  /// - Parameter unshown: the records that the application's store may not show as they are; nil if
  ///   all may be.
  func save(_ state: inout ReplicaState, unshown: Set<RecordID>?) throws {
    let bodies = state.records.packed()
    let unshown = unshown.flatMap(bytes(ofUnshown:))
    try write { writes in
      collect(state, packed: bodies, into: &writes)
      writes.set(nil, of: .state, key: "intent")
      if unshown != savedUnshown { writes.set(unshown, of: .state, key: "unshown") }
    }
    savedUnshown = unshown
    state.fold(records: bodies)
  }

  /// Saves where a replica stands, and the message that it sends. Records that have changed with
  /// that are saved with the answer: until then the message says what is on its way.
  func saveStanding(of state: ReplicaState) throws {
    try write { $0.set(bytes { $0.write(state.standing) }, of: .state, key: "standing") }
  }

  /// Saves a state as the one that is complete once the application's store has been saved. What it
  /// leads from stays as it is.
  func save(_ intent: Intent) throws {
    try write { $0.set(bytes { $0.write(intent) }, of: .state, key: "intent") }
  }

  /// Drops the intent.
  func dropIntent() throws {
    try write { $0.set(nil, of: .state, key: "intent") }
  }

  /// What a save writes: a body for each key, none for what is deleted.
  private struct Writes {
    /// Rows of which it is known that there are none.
    var new: [SyncStoreModel.Table: [Data: Data]] = [:]
    var others: [SyncStoreModel.Table: [Data: Data?]] = [:]

    mutating func set(
      _ body: Data?, of table: SyncStoreModel.Table, key: Data, isStored: Bool = true
    ) {
      if isStored {
        others[table, default: [:]].updateValue(body, forKey: key)
      } else if let body {
        new[table, default: [:]][key] = body
      }
    }

    mutating func set(_ body: Data?, of table: SyncStoreModel.Table, key: String) {
      set(body, of: table, key: Data(key.utf8))
    }
  }

  private func collect(
    _ state: ReplicaState, packed bodies: [RecordID: [UInt8]], into writes: inout Writes
  ) {
    for id in state.records.edits.keys {
      writes.set(
        bodies[id].map { Data($0) }, of: .record, key: bytes { $0.write(id) },
        isStored: state.records.isStored(id))
    }
    for (pair, value) in state.pairs.edits {
      writes.set(
        value.map { value in bytes { $0.write(value) } }, of: .pair,
        key: bytes { $0.write(pair) }, isStored: state.pairs.isStored(pair))
    }
    for (loser, winner) in state.aliases.edits {
      writes.set(
        winner.map { winner in bytes { $0.write(winner) } }, of: .alias,
        key: bytes { $0.write(loser) }, isStored: state.aliases.isStored(loser))
    }
    writes.set(bytes { $0.write(state.standing) }, of: .state, key: "standing")
  }

  private func write(_ collect: (inout Writes) -> Void) throws {
    var writes = Writes()
    collect(&writes)
    let count = names.count
    if count != savedNames { writes.set(bytes { $0.write(names) }, of: .state, key: "names") }
    try context.performAndWait {
      defer { context.reset() }
      for (table, values) in writes.others {
        let rows = try rows(of: table, keys: Array(values.keys))
        for (key, body) in values { write(body, to: rows[key], key: key, in: table) }
      }
      for (table, values) in writes.new {
        for (key, body) in values { insert(body, key: key, in: table) }
      }
      if context.hasChanges { try context.save() }
    }
    savedNames = count
  }

  private func write(
    _ body: Data?, to row: NSManagedObject?, key: Data, in table: SyncStoreModel.Table
  ) {
    switch (body, row) {
    case (nil, nil): break
    case (nil, let row?): context.delete(row)
    case (let body?, nil): insert(body, key: key, in: table)
    case (let body?, let row?): row.setValue(body, forKey: "body")
    }
  }

  private func insert(_ body: Data, key: Data, in table: SyncStoreModel.Table) {
    let row = NSEntityDescription.insertNewObject(forEntityName: table.rawValue, into: context)
    row.setValue(key, forKey: "key")
    row.setValue(body, forKey: "body")
  }

  private func rows(of table: SyncStoreModel.Table, keys: [Data]) throws -> [Data: NSManagedObject]
  {
    var found: [Data: NSManagedObject] = [:]
    for start in stride(from: 0, to: keys.count, by: 500) {
      let part = Array(keys[start..<min(start + 500, keys.count)])
      let request = NSFetchRequest<NSManagedObject>(entityName: table.rawValue)
      request.predicate = NSPredicate(format: "key IN %@", argumentArray: [part])
      request.returnsObjectsAsFaults = false
      for row in try context.fetch(request) {
        if let key = row.value(forKey: "key") as? Data { found[key] = row }
      }
    }
    return found
  }

  // MARK: - Bytes

  private func bytes(_ write: (inout StoredWriter) -> Void) -> Data {
    var writer = StoredWriter(names: names)
    write(&writer)
    return Data(writer.bytes)
  }

  /// Where they are more, everything is derived when the store is opened again.
  private static let unshownAtMost = 1_000

  private func bytes(ofUnshown unshown: Set<RecordID>) -> Data? {
    guard let derivation, unshown.count <= Self.unshownAtMost else { return nil }
    return bytes {
      $0.write(derivation)
      $0.write(unshown.sorted()) { $0.write($1) }
    }
  }

  private func readUnshown(_ data: Data) throws -> Set<RecordID>? {
    var reader = StoredReader(data, names: names)
    guard try reader.id() == derivation else { return nil }
    return Set(try reader.items { try $0.id() })
  }

  private static func readNames(_ data: Data) throws -> NameTable {
    var reader = StoredReader(data, names: NameTable())
    return NameTable(
      names: try reader.items { try $0.text() },
      replicas: try reader.items { ReplicaID(try $0.word()) })
  }

  private func readIntent(_ data: Data, over state: ReplicaState) throws -> Intent {
    var reader = StoredReader(data, names: names)
    return try reader.intent(over: state)
  }
}

extension StoredWriter {
  fileprivate mutating func write(_ names: NameTable) {
    write(names.names) { $0.write(text: $1) }
    write(names.replicas) { $0.write(word: $1.number) }
  }

  fileprivate mutating func write(_ intent: SyncStore.Intent) {
    write(text: intent.batch)
    write(intent.state.standing)
    write(intent.state.records.edits) {
      $0.write($1.key)
      $0.write($1.value) { $0.write($1) }
    }
    write(intent.state.pairs.edits) {
      $0.write($1.key)
      $0.write($1.value) { $0.write($1) }
    }
    write(intent.state.aliases.edits) {
      $0.write($1.key)
      $0.write($1.value) { $0.write($1) }
    }
  }
}

extension StoredReader {
  fileprivate mutating func intent(over state: ReplicaState) throws -> SyncStore.Intent {
    let batch = try text()
    var state = state
    state.standing = try standing()
    for (id, record) in try items({ (try $0.id(), try $0.optional { try $0.record() }) }) {
      state[id] = record
    }
    for (pair, value) in try items({ (try $0.key(), try $0.optional { try $0.pair() }) }) {
      state[pair] = value
    }
    for (loser, winner) in try items({ (try $0.id(), try $0.optional { try $0.id() }) }) {
      state.setAlias(winner, for: loser)
    }
    return SyncStore.Intent(state: state, batch: batch)
  }
}
