import Synchronization

/// An open store: its connections, the mapping of its entities, and what is prepared for reading
/// and writing them.
///
/// Sendable: `prepared` has its lock, `keys` and `externalLog` are guarded by the lock of the
/// writing connection, `history` and `remoteChanges` are set before the contents are shared; the
/// rest is constant or guards itself.
final class StoreContents: @unchecked Sendable {
  let url: URL?
  let database: SQLiteDatabase
  let mapping: SQLMapping
  let settings: ConnectionSettings
  /// The history; nil for a store without one. Set while the store is opened.
  private(set) var history: StoreHistory?
  /// The subscription to remote changes; nil unless the store's options ask for it. Set while the
  /// store is opened.
  private(set) var remoteChanges: RemoteChangeSubscription?
  /// The external files; nil for a store that is not in a file, which keeps all values in rows.
  let externalFiles: ExternalFiles?
  private let externalColumns: [ExternalColumn]
  /// Whether an attribute allows external storage.
  var hasExternalValues: Bool { !externalColumns.isEmpty }
  private let externalLog = ExternalFileLog()
  /// The primary keys; guarded by the lock of the writing connection.
  let keys = KeySequence()
  private let prepared: PreparedRows

  init(
    url: URL?, location: StoreLocation, database: SQLiteDatabase, schema: StoreCatalog.Schema,
    settings: ConnectionSettings
  ) {
    self.url = url
    self.database = database
    self.settings = settings
    mapping = schema.mapping
    externalColumns = schema.externalColumns
    prepared = schema.prepared
    externalFiles = location.file.map {
      ExternalFiles(ofStoreAt: $0, synchronises: settings.synchronises)
    }
  }

  /// The subscription's connection only reads: closed last, it would leave the log beside the file.
  deinit { remoteChanges?.cancel() }

  /// Finds the history's tables, if they exist. Called once, before the contents are shared.
  func findHistory(_ catalog: StoreCatalog, storeUUID: String) throws {
    history = try StoreHistory(
      catalog, storeUUID: storeUUID, mapping: mapping, codec: codec(of:))
  }

  /// Starts to notify the store's coordinator of every change. Called once, before the contents are
  /// shared.
  func followChanges(for store: SQLiteStore, storeUUID: String) throws {
    guard StoreOptions(store.options).postsRemoteChanges else { return }
    remoteChanges = try RemoteChangeSubscription(
      store, location: StoreLocation(url), storeUUID: storeUUID)
  }

  /// Ends the subscription and closes the readers; the rest closes with its last use.
  func close() {
    remoteChanges?.cancel()
    database.close()
  }

  /// The mapping of an entity. Throws for one that is not in the store's configuration.
  func entity(_ layout: EntityLayout) throws -> EntityMapping {
    if let entity = mapping[layout] { return entity }
    throw CoreDataError.make(
      .coreData,
      reason: "The store at \(url?.path ?? "?") does not have the entity "
        + "“\(layout.entity.name ?? "")” of this model.")
  }

  func selection(
    of entity: EntityMapping, includesSubentities: Bool, slots: [Int]? = nil
  ) -> RowSelection {
    prepared.selection(
      of: entity, includesSubentities: includesSubentities, slots: slots, mapping,
      files: externalFiles)
  }

  func encoder(of entity: EntityMapping) -> RowEncoder {
    prepared.encoder(of: entity, mapping, files: externalFiles)
  }

  func codec(of slot: EntityLayout.Slot) -> SlotCodec { prepared.codec(of: slot, externalFiles) }

  /// Runs `body` and converts the errors of SQLite and ``StoreDamage`` to Cocoa errors.
  @inline(__always)
  func reporting<Result>(
    _ action: StoreAction, body: () throws -> Result
  ) throws -> Result {
    do { return try body() } catch let error as SQLiteError {
      throw error.cocoaError(url: url, doing: action, timeout: settings.timeout)
    } catch let error as StoreDamage {
      throw error.cocoaError(url: url)
    }
  }
}

// MARK: - Writing
extension StoreContents {
  /// Prepares the writing connection. The connection that opened the store becomes the writing one
  /// if there is more to prepare than the functions of the file's triggers: temporary triggers,
  /// R-trees, or orphans of external data.
  func prepareWriter(
    _ connection: SQLiteConnection, catalog: StoreCatalog, triggers: [TemporaryTriggers]
  ) throws {
    guard hasExternalValues || catalog.hasSearchTrees || !triggers.isEmpty else { return }
    if database.writeWithFirst() { try settings.configureWriter(connection, isNew: false) }
    try SQLiteFunctions.registerFunctionsOfTriggers(on: connection)
    if catalog.hasSearchTrees {
      // SQLite does not let triggers of an untrusted schema write to a virtual table.
      try connection.execute("PRAGMA trusted_schema = ON")
    }
    for group in triggers where try !has(group, connection: connection) {
      for statement in group.statements { try connection.execute(statement) }
    }
    guard let externalFiles, hasExternalValues else { return }
    try externalLog.install(on: connection, for: externalColumns)
    // Unless a query generation of this process may still read files that no row references now.
    guard !QueryGeneration.reads(connection.file) else { return }
    try OrphanRemoval(files: externalFiles, connection: connection).run()
  }

  /// Whether the file has triggers for this attribute, as Apple's files have, or the connection, as
  /// that of a shared database in memory has from the first store.
  private func has(_ triggers: TemporaryTriggers, connection: SQLiteConnection) throws -> Bool {
    let sql =
      "SELECT EXISTS (SELECT 1 FROM (SELECT name, type FROM sqlite_master UNION ALL "
      + "SELECT name, type FROM sqlite_temp_master) "
      + "WHERE type = 'trigger' AND name LIKE 'Z_DA_%' AND instr(name, ?) > 0)"
    return try connection.withStatement(sql) { statement in
      statement.bind(triggers.suffix, at: 1)
      return try statement.step() && statement.integer(0) == 1
    }
  }

  /// Commits everything that `body` writes, external files included, or nothing if it throws.
  ///
  /// - Parameter changeCount: the number of rows that change; 0 if unknown.
  func transaction<Result>(
    _ files: ExternalTransaction, changeCount: Int = 0,
    body: (SQLiteConnection) throws -> Result
  ) throws -> Result {
    let (result, dropped, file) = try database.write { connection in
      // Writes into a file without a path would be lost at the end of this process.
      guard !connection.hasLostFile else { throw SQLiteError.lostFile }
      _ = externalLog.take()
      let cache = PageCache(connection: connection, settings: settings)
      let result = try cache.forChanges(changeCount) {
        try keys.transaction(connection) {
          let result = try body(connection)
          files.willCommit()
          return result
        }
      }
      return (result, externalLog.take(), connection.file)
    }
    files.didCommit(dropping: dropped, of: file)
    remoteChanges?.didCommit(
      history.flatMap { TransactionOrigin.current?.number(of: $0.storeUUID) })
    return result
  }
}
