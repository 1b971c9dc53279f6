import Foundation

/// Migrates a SQLite store in place from one version of its model to another: in SQL alone, without
/// objects, in one transaction.
///
/// Keys and UUID stay. After any failure, even the end of the process, the file is unchanged:
/// nothing is checkpointed before the commit, and frames that were appended to the write-ahead log
/// are removed.
struct SQLiteMigration {
  let url: URL
  let options: StoreOptions
  /// The layouts of the store's entities in the destination model.
  let layouts: [EntityLayout]
  /// Nil for all entities.
  let configuration: String?
  let match: ModelMatch
  /// Whether the migration fails if entities that a version lacks have objects.
  var keepsEntities = false
  /// Whether the store has the right version already and only unused columns are removed.
  var isTidying = false
  /// Intermediate versions, if no single step leads to the destination.
  var stops: [Stop] = []
  var progress = MigrationProgress.Part(progress: nil)

  typealias Stop = MigrationStop

  func run() throws {
    let settings = try ConnectionSettings(options)
    do {
      let hasLog = StoreFile(url: url).hasLog
      let connection = try SQLiteConnection(
        path: url.path, access: .readWrite, timeout: settings.timeout)
      connection.keepsLogOnClosing = hasLog
      try settings.configureMigration(connection)
      try connection.interrupted(when: { progress.progress?.isCancelled ?? false }) {
        try migrate(connection)
      }
      connection.keepsLogOnClosing = false
      try removeOrphans(connection, settings: settings)
    } catch let error as SQLiteError where error.isInterruption {
      throw MigrationProgress.cancellation(underlying: error.cocoaError(url: url, doing: .save))
    } catch let error as SQLiteError where error.isConstraint {
      throw error.migrationError(
        .init(rawValue: NSMigrationConstraintViolationError), url: url,
        what: "The store has objects that a uniqueness constraint of the new model forbids.")
    } catch let error as SQLiteError where error.isOfMigration {
      throw error.migrationError(.migration, url: url, what: "SQLite refused.")
    } catch let error as SQLiteError {
      throw error.cocoaError(url: url, doing: .save, timeout: settings.timeout)
    }
  }

  private func migrate(_ connection: SQLiteConnection) throws {
    try connection.begin()
    let log = LogLength(of: url)
    do {
      let metadata = try StoreMetadataTable.read(connection)
      // Another process may have migrated the store meanwhile.
      if isTidying || !fits(metadata) { try migrateStops(connection) }
      try progress.checkCancelled()
      try connection.commit()
    } catch {
      // Done before the rollback, while no other process can write: no connection needs the frames
      // after the last commit.
      if connection.isInTransaction { log.restore() }
      connection.rollBack()
      throw error
    }
  }

  private func fits(_ metadata: [String: Any]) -> Bool {
    match.destination.isConfiguration(
      withName: configuration, compatibleWithStoreMetadata: metadata)
  }

  private func migrateStops(_ connection: SQLiteConnection) throws {
    let all = stops + [Stop(match: match, layouts: layouts, keepsEntities: keepsEntities)]
    for (index, stop) in all.enumerated() {
      let metadata = try StoreMetadataTable.read(connection)
      try migrate(
        connection, metadata: metadata, stop: stop, progress: progress.part(index, of: all.count))
    }
  }

  private func migrate(
    _ connection: SQLiteConnection, metadata: [String: Any], stop: Stop,
    progress: MigrationProgress.Part
  ) throws {
    let (match, layouts) = (stop.match, stop.layouts)
    let stored = NSManagedObjectModel.versionHashes(inStoreMetadata: metadata) ?? [:]
    let oldLayouts = match.source.entityLayouts().filter { stored[$0.entity.name ?? ""] != nil }
    let catalog = try StoreCatalog(connection)
    let old = try catalog.schema(of: oldLayouts, url: url).mapping
    var migration = try SchemaMigration(
      connection: connection, match: match, old: old, oldLayouts: oldLayouts, newLayouts: layouts,
      files: externalFiles(synchronises: true),
      defersRemoval: options.isOn(NSPersistentStoreDeferredLightweightMigrationOptionKey))
    migration.progress = progress
    if stop.keepsEntities { try LostEntities(migration).check() }
    let leavesColumns = try migration.run()
    try HistoryMigration(migration: migration).run()
    try write(metadata, model: match.destination, leavesColumns: leavesColumns, to: connection)
  }

  private func write(
    _ metadata: [String: Any], model: NSManagedObjectModel, leavesColumns: Bool,
    to connection: SQLiteConnection
  ) throws {
    let old = metadata
    var metadata = metadata
    metadata.merge(
      StoreMetadata.versions(of: model, configuration: configuration)
    ) { $1 }
    FormerVersions.note(old, in: &metadata)
    metadata[StoreMetadataKey.frameworkVersion] = StoreMetadataTable.frameworkVersion
    metadata[NSPersistentStoreDeferredLightweightMigrationOptionKey] =
      leavesColumns ? true as Any : nil
    try StoreMetadataTable.write(metadata, to: connection)
    if try !StoreCatalog(connection).hasModelCache {
      try connection.execute("CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)")
    }
    try connection.execute("DELETE FROM Z_MODELCACHE")
    try connection.withStatement("INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)") {
      $0.bind(try ModelCache.content(of: model), at: 1)
      try $0.run()
    }
  }

  // MARK: - Files

  private func externalFiles(synchronises: Bool) -> ExternalFiles? {
    let folder = StoreLocation.externalFolder(of: url)
    return ExternalFiles(folder: folder, synchronises: synchronises)
  }

  /// Removes external files whose attributes or entities were removed.
  private func removeOrphans(
    _ connection: SQLiteConnection, settings: ConnectionSettings
  ) throws {
    guard let files = externalFiles(synchronises: settings.synchronises) else { return }
    try OrphanRemoval(files: files, connection: connection).run()
  }
}

/// The length of a database's write-ahead log, for restoring it.
private struct LogLength {
  private let path: String
  private let length: UInt64?

  init(of url: URL) {
    path = url.path + "-wal"
    length = Self.length(of: path)
  }

  private static func length(of path: String) -> UInt64? {
    // There is nothing to restore without a log.
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.size] as? NSNumber)?.uint64Value
  }

  func restore() {
    guard let length, let now = Self.length(of: path), now > length else { return }
    // A failure is harmless: without a commit, readers ignore the appended frames.
    truncate(path, off_t(length))
  }
}

extension SQLiteError {
  /// Whether the error is the migration's own, not a lock, a full disk or a damaged file.
  fileprivate var isOfMigration: Bool { primaryCode == 1 }

  fileprivate func migrationError(
    _ code: CocoaError.Code, url: URL, what: String
  ) -> NSError {
    CoreDataError.make(
      code, reason: "Cannot migrate store in-place: \(what)",
      underlying: cocoaError(url: url, doing: .save),
      userInfo: ["sourceURL": url, NSFilePathErrorKey: url.path])
  }
}
