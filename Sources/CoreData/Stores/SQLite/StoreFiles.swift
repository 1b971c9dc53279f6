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
          reason: "The store at \(url.path) keeps no model of itself, as stores from before 2015 do "
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

  /// Removes what is there; that there is nothing is no error.
  func destroy() throws {
    guard try StoreFile(url: url).state() != .missing else { return }
    let beside = Self.suffixes.map { URL(fileURLWithPath: url.path + $0) }
    // The log first: one that is left over must not meet a new database.
    for file in beside + [StoreLocation.supportFolder(of: url), url] {
      try remove(file)
    }
  }

  func replace(with source: StoreFiles) throws {
    let file = StoreFile(url: url)
    try file.checkWritable(file.state())
    try source.withConnection(.readOnly, doing: .read) { from in
      try source.checkStore(from)
      try withConnection(.create, doing: .save) { try $0.copyContents(of: from) }
    }
    try replaceExternalData(with: source)
  }

  private func replaceExternalData(with source: StoreFiles) throws {
    let (old, new) = (
      StoreLocation.supportFolder(of: url), StoreLocation.supportFolder(of: source.url)
    )
    guard old != new else { return }
    try remove(old)
    guard FileManager.default.fileExists(atPath: new.path) else { return }
    try FileManager.default.copyItem(at: new, to: old)
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
    _ body: (SQLiteConnection) throws -> Result
  ) throws -> Result {
    let file = StoreFile(url: url)
    let state = try file.state()
    if access != .create { try file.checkExists(state) }
    do {
      let connection = try SQLiteConnection(
        path: url.path, access: access, timeout: Self.timeout)
      return try body(connection)
    } catch let error as SQLiteError {
      throw error.cocoaError(url: url, doing: action, timeout: Self.timeout)
    }
  }
}
