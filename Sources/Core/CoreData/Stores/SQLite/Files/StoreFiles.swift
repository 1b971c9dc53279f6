import Foundation

/// The files of a store: the database, SQLite's files beside it, and the folder of external data.
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

  /// The model that is stored in the store.
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

  /// Whether the file has tables, or is no database at all: false for one that was emptied.
  func hasTables(timeout: TimeInterval?) throws -> Bool {
    let access = QuietReading(url).access
    do {
      return try withConnection(access, doing: .read, timeout: timeout ?? Self.timeout) {
        try !StoreCatalog($0).isEmpty
      }
    } catch let error as NSError where error.code == Self.corrupt {
      return true
    }
  }

  /// Runs `body` with a connection that reads the database without changing its files.
  func reading<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    try withConnection(QuietReading(url).access, doing: .read) { connection in
      try checkStore(connection)
      return try body(connection)
    }
  }

  /// Runs `body`, which writes into the database, in one transaction.
  func writing(_ body: (SQLiteConnection) throws -> Void) throws {
    try withConnection(.readWrite, doing: .save) { connection in
      try checkStore(connection)
      try connection.writeTransaction { try body(connection) }
    }
  }

  /// Replaces the metadata. Type and UUID stay unless the new metadata have them.
  func setMetadata(_ metadata: [String: Any]) throws {
    try withConnection(.readWrite, doing: .save) { connection in
      try checkStore(connection)
      try connection.writeTransaction {
        let old = try StoreMetadataTable.read(connection)
        try StoreMetadataTable.write(StoreMetadata.keeping(old, in: metadata), to: connection)
      }
    }
  }

  // MARK: - Destroying

  /// Empties the database under its locks, so that processes that have it open see no torn state.
  /// The file stays, and is a new store when it is added again. If there is no file but its folder,
  /// an empty file is made, on which clients can rely.
  ///
  /// A file that is not a database any more is replaced by an empty one; with `byForce` also one
  /// that stays locked.
  func destroy(byForce: Bool, timeout: TimeInterval?) throws {
    defer { makeEmptyFileIfNone() }
    guard FileManager.default.fileExists(atPath: url.path) else { return }
    do {
      try empty(timeout: timeout ?? Self.timeout)
    } catch let error as NSError where byForce || error.code == Self.corrupt {
      try removeFiles()
    }
    try remove(StoreLocation.supportFolder(of: url))
  }

  /// Fails silently without a folder, and where it may not be written: there was nothing to destroy
  /// then.
  private func makeEmptyFileIfNone() {
    let descriptor = open(url.path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o644)
    if descriptor >= 0 { close(descriptor) }
  }

  private static let corrupt = CocoaError.Code.fileReadCorruptFile.rawValue

  private func empty(timeout: TimeInterval) throws {
    guard try StoreFile(url: url).state() == .database else { return }
    try withConnection(.readWrite, doing: .save, timeout: timeout) { connection in
      let size = try connection.integer("PRAGMA page_size") ?? 4096
      let nothing = try SQLiteConnection(path: ":memory:", access: .memory, timeout: timeout)
      try nothing.execute("PRAGMA page_size = \(size)")
      try nothing.execute("PRAGMA auto_vacuum = 2")
      // Without a table SQLite would write no header with these settings.
      try nothing.execute("CREATE TABLE Z (Z)")
      try nothing.execute("DROP TABLE Z")
      try connection.copyContents(of: nothing, timeout: timeout)
      _ = try? connection.text("PRAGMA wal_checkpoint(TRUNCATE)")  // A log that stays does no harm.
    }
  }

  private func removeFiles() throws {
    // The log first: a stale log must not meet a new database.
    try removeFilesBeside()
    try remove(url)
  }

  private func removeFilesBeside() throws {
    for suffix in Self.suffixes { try remove(URL(fileURLWithPath: url.path + suffix)) }
  }

  // MARK: - Replacing

  /// Makes this store a copy of another one, as of one moment, with its external data; the other
  /// may be open. Does nothing if the other does not exist, as Apple's framework. An error of
  /// reading the other leaves this store unchanged.
  func replace(with source: StoreFiles, timeout: TimeInterval? = nil) throws {
    let timeout = timeout ?? Self.timeout
    try copy(source) {
      do { try copyDatabase(of: source, timeout: timeout) { true } } catch let error as NSError
        where error.code == CocoaError.Code.fileWriteNoPermission.rawValue
        || error.code == Self.corrupt
      {
        // This database may have another page size or be damaged, so that it cannot be overwritten
        // by pages. Or the source cannot be read, which fails here again.
        try replaceFile(withCopyOf: source, timeout)
      }
    }
  }

  /// Replaces this file by a new one, once the new one has the whole contents of the other.
  private func replaceFile(withCopyOf source: StoreFiles, _ timeout: TimeInterval) throws {
    let name = ".\(url.lastPathComponent).replacement_\(UUID().uuidString)"
    let draft = try StoreFiles(url.deletingLastPathComponent().appendingPathComponent(name))
    // A draft that is not removed is never opened as a store.
    defer { try? draft.removeFiles() }
    try draft.copyDatabase(of: source, timeout: timeout) { true }
    try draft.withConnection(.readWrite, doing: .save) {
      _ = try $0.text("PRAGMA wal_checkpoint(TRUNCATE)")
    }
    try removeFilesBeside()
    guard FileCalls.current.rename(draft.url.path, url.path) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
  }

  /// Replaces this store if the condition holds, which is evaluated once other writers are locked
  /// out; returns its result. At every moment, also after a crash, the store has either its former
  /// contents or the other's.
  func replace(
    with source: StoreFiles, timeout: TimeInterval?, if condition: () throws -> Bool
  ) throws -> Bool {
    var isReplaced = false
    try copy(source) {
      isReplaced = try copyDatabase(of: source, timeout: timeout ?? Self.timeout, if: condition)
    }
    return isReplaced
  }

  /// Whether both URLs lead to one file.
  private func isSameFile(as other: StoreFiles) -> Bool {
    var (own, others) = (stat(), stat())
    guard stat(url.path, &own) == 0, stat(other.url.path, &others) == 0 else {
      return url == other.url
    }
    return own.st_dev == others.st_dev && own.st_ino == others.st_ino
  }

  private func copy(_ source: StoreFiles, database: () throws -> Void) throws {
    guard FileManager.default.fileExists(atPath: source.url.path), !isSameFile(as: source) else {
      return
    }
    let file = StoreFile(url: url)
    try file.checkWritable(file.state())
    do { try withExternalFiles(of: source, database) } catch {
      // Removes files that were copied in vain; the original error matters more than one of this.
      try? removeOrphans()
      throw error
    }
    try removeOrphans()
  }

  /// Copies the external files of the other store that are missing here. While `body` runs, the
  /// other's files are neither added nor removed, and the copies are not removed as orphans.
  private func withExternalFiles(of source: StoreFiles, _ body: () throws -> Void) throws {
    let (from, to) = (source.externalFolder, externalFolder)
    guard from != to, access(from.path, F_OK) == 0 else { return try body() }
    // Without its external files the copy would lack values.
    guard let lock = FolderLock(from, kind: .alone), access(from.path, R_OK | X_OK) == 0 else {
      throw CocoaError(.fileReadNoPermission, userInfo: [NSFilePathErrorKey: from.path])
    }
    try withExtendedLifetime(lock) {
      let files = ExternalFiles(folder: to, synchronises: true)
      let ownLock = try files.lockMaking()
      try withExtendedLifetime(ownLock) {
        try files.copy(from: from, ownLock)
        try body()
      }
    }
  }

  /// Moves the external files of a store here and then calls `name`, which renames that store to
  /// this one. No process has the store open, and its log is emptied first. If `name` throws, the
  /// moved files are removed.
  func takeExternalFiles(of source: StoreFiles, _ name: () throws -> Void) throws {
    try source.withConnection(.readWrite, doing: .save) {
      _ = try $0.text("PRAGMA wal_checkpoint(TRUNCATE)")
    }
    let names = ExternalFiles(folder: source.externalFolder, synchronises: false).names()
    if names.isEmpty { return try name() }
    let files = ExternalFiles(folder: externalFolder, synchronises: true)
    let lock = try files.lockMaking()
    do {
      for name in names {
        let from = source.externalFolder.appendingPathComponent(name.uuidString)
        guard FileCalls.current.rename(from.path, files.url(of: name).path) == 0 else {
          throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
      }
      files.synchronise(lock)
      try name()
    } catch {
      files.remove(names)
      throw error
    }
  }

  private var externalFolder: URL {
    StoreLocation.externalFolder(of: url)
  }

  @discardableResult
  private func copyDatabase(
    of source: StoreFiles, timeout: TimeInterval = Self.timeout, if condition: () throws -> Bool
  ) throws -> Bool {
    try source.withConnection(QuietReading(source.url).access, doing: .read, timeout: timeout) {
      from in
      try source.checkStore(from)
      return try withConnection(.create, doing: .save, timeout: timeout) {
        try $0.copyContents(of: from, timeout: timeout, if: condition)
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
    timeout: TimeInterval = Self.timeout, body: (SQLiteConnection) throws -> Result
  ) throws -> Result {
    let file = StoreFile(url: url)
    let state = try file.state()
    if access != .create { try file.checkExists(state) }
    do {
      do { return try body(connect(access, timeout: timeout)) } catch let error as SQLiteError
        where error.needsRollback && access != .readWrite
      {
        // A writer ended during its transaction: SQLite rolls it back, for which it needs to write.
        return try body(connect(.readWrite, timeout: timeout))
      }
    } catch let error as SQLiteError {
      throw error.cocoaError(url: url, doing: action, timeout: timeout)
    }
  }

  private func connect(
    _ access: SQLiteConnection.Access, timeout: TimeInterval
  ) throws -> SQLiteConnection {
    try SQLiteConnection(path: url.path, access: access, timeout: timeout)
  }
}
