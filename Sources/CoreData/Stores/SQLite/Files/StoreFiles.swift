/// The files of a store: the database, SQLite's files beside it, the folder of external data.
struct StoreFiles {
  private static let timeout: TimeInterval = 30
  private static let suffixes = ["-wal", "-shm", "-journal"]

  private let url: URL

  /// Throws for a store that is not in a file.
  init(_ url: URL) throws {
    guard case .file(let url) = try StoreLocation(url) else {
      throw CoreDataError.unsupported("This for a store in memory (\(url.path)) that is not open")
    }
    self.url = url
  }

  func metadata() throws -> [String: Any] {
    try withConnection(QuietReading(url).access, doing: .read) { connection in
      try checkStore(connection)
      return try StoreMetadataTable.read(connection)
    }
  }

  /// The model that the store keeps of itself.
  func cachedModel() throws -> NSManagedObjectModel {
    try withConnection(QuietReading(url).access, doing: .read) { connection in
      try checkStore(connection)
      guard let model = try ModelCache.model(in: connection, file: url.path) else {
        throw CoreDataError.file(
          .persistentStoreOpen, url: url,
          reason:
            "The store at \(url.path) keeps no model of itself, as stores from before 2015 do "
            + "not; open it with the model that made it.")
      }
      return model
    }
  }

  /// Type and UUID stay when they are not among the new ones.
  func setMetadata(_ metadata: [String: Any]) throws {
    try withConnection(.readWrite, doing: .save) { connection in
      try checkStore(connection)
      try connection.writeTransaction {
        let old = try StoreMetadataTable.read(connection)
        var metadata = metadata
        for key in [NSStoreTypeKey, NSStoreUUIDKey] where metadata[key] == nil {
          metadata[key] = old[key]
        }
        try StoreMetadataTable.write(metadata, to: connection)
      }
    }
  }

  // MARK: - Destroying

  /// Empties the database under its locks, so that who has it open reads nothing in place of something torn;
  /// the file stays, and is a new store for the next who adds it. That there is nothing is no error.
  ///
  /// What is no database any more is removed, and with `byForce` also one that somebody keeps locked.
  func destroy(byForce: Bool, timeout: TimeInterval?) throws {
    guard FileManager.default.fileExists(atPath: url.path) else { return }
    do {
      try empty(timeout: timeout ?? Self.timeout)
    } catch let error as NSError where byForce || error.code == Self.corrupt {
      try removeFiles()
    }
    try remove(StoreLocation.supportFolder(of: url))
  }

  private static let corrupt = CocoaError.Code.fileReadCorruptFile.rawValue

  private func empty(timeout: TimeInterval) throws {
    guard try StoreFile(url: url).state() == .database else { return }
    try withConnection(.readWrite, doing: .save, timeout: timeout) { connection in
      let size = try connection.integer("PRAGMA page_size") ?? 4096
      let nothing = try SQLiteConnection(path: ":memory:", access: .memory, timeout: timeout)
      try nothing.execute("PRAGMA page_size = \(size)")
      try nothing.execute("PRAGMA auto_vacuum = 2")
      // Without a table there would be no header that says so.
      try nothing.execute("CREATE TABLE Z (Z)")
      try nothing.execute("DROP TABLE Z")
      try connection.copyContents(of: nothing, timeout: timeout)
      _ = try? connection.text("PRAGMA wal_checkpoint(TRUNCATE)")  // A log that is left is no harm.
    }
  }

  private func removeFiles() throws {
    // The log first: one that is left over must not meet a new database.
    for suffix in Self.suffixes { try remove(URL(fileURLWithPath: url.path + suffix)) }
    try remove(url)
  }

  // MARK: - Replacing

  /// Makes this store a copy of another, as that was at one moment, its external data included; the other may
  /// be open. Without the other nothing happens, as with Apple's framework.
  func replace(with source: StoreFiles) throws {
    guard FileManager.default.fileExists(atPath: source.url.path), source.url != url else { return }
    let file = StoreFile(url: url)
    try file.checkWritable(file.state())
    let (from, to) = (source.externalFolder, externalFolder)
    // Files of the other are neither added nor removed meanwhile.
    let lock = FolderLock(from, .alone)
    try withExtendedLifetime(lock) {
      try copyFiles(from, to)
      let ownLock = FolderLock(to, .shared)
      try withExtendedLifetime(ownLock) { try copyDatabase(of: source) }
    }
    try removeOrphans()
  }

  private var externalFolder: URL {
    StoreLocation.supportFolder(of: url).appendingPathComponent("_EXTERNAL_DATA")
  }

  private func copyFiles(_ from: URL, _ to: URL) throws {
    let manager = FileManager.default
    guard manager.fileExists(atPath: from.path) else { return }
    try manager.createDirectory(at: to, withIntermediateDirectories: true)
    for name in try manager.contentsOfDirectory(atPath: from.path) {
      let copy = to.appendingPathComponent(name)
      try remove(copy)
      try manager.copyItem(at: from.appendingPathComponent(name), to: copy)
    }
  }

  private func copyDatabase(of source: StoreFiles) throws {
    try source.withConnection(QuietReading(source.url).access, doing: .read) { from in
      try source.checkStore(from)
      do {
        try withConnection(.create, doing: .save) { try $0.copyContents(of: from) }
      } catch let error as NSError
        where error.code == CocoaError.Code.fileWriteNoPermission.rawValue
        || error.code == Self.corrupt
      {
        // A database of another page size, or none: nobody can go on with it.
        try removeFiles()
        try withConnection(.create, doing: .save) { try $0.copyContents(of: from) }
      }
    }
  }

  private func removeOrphans() throws {
    guard FileManager.default.fileExists(atPath: externalFolder.path) else { return }
    try withConnection(.readWrite, doing: .save) { connection in
      let files = ExternalFiles(folder: externalFolder, synchronises: false)
      try OrphanRemoval(files: files, connection: connection).run()
    }
  }

  private func remove(_ file: URL) throws {
    guard FileManager.default.fileExists(atPath: file.path) else { return }
    try FileManager.default.removeItem(at: file)
  }

  private func checkStore(_ connection: SQLiteConnection) throws {
    guard try !StoreCatalog(connection).hasMetadata else { return }
    throw CoreDataError.file(
      .persistentStoreInvalidType, url: url,
      reason: "The database at \(url.path) has no table Z_METADATA: it is not a store of Core Data."
    )
  }

  private func withConnection<Result>(
    _ access: SQLiteConnection.Access, doing action: StoreAction,
    timeout: TimeInterval = Self.timeout, _ body: (SQLiteConnection) throws -> Result
  ) throws -> Result {
    let file = StoreFile(url: url)
    let state = try file.state()
    if access != .create { try file.checkExists(state) }
    do {
      let connection = try SQLiteConnection(
        path: url.path, access: access, timeout: timeout)
      return try body(connection)
    } catch let error as SQLiteError {
      throw error.cocoaError(url: url, doing: action, timeout: timeout)
    }
  }
}
