import Synchronization

/// `Z_METADATA`: one row with the store's UUID and a binary property list of all other metadata.
///
///     NSStoreType "SQLite" · NSPersistenceFrameworkVersion · _NSAutoVacuumLevel
///     NSStoreModelVersionHashes, …HashesVersion, …HashesDigest, …Identifiers, …ChecksumKey
///     and the keys that the program has set
enum StoreMetadataTable {
  /// The version of Apple's framework whose files these resemble: that of macOS 14 and iOS 17,
  /// which has all of the keys above. Apple's frameworks open files of later and earlier versions
  /// alike.
  static let frameworkVersion = 1344

  /// Larger than any store's metadata; a hostile file cannot exhaust memory.
  private static let limit = 16 << 20

  /// The metadata of a new store.
  static func new(_ metadata: [String: Any], settings: ConnectionSettings) -> [String: Any] {
    var metadata = metadata
    metadata[StoreMetadataKey.frameworkVersion] = frameworkVersion
    metadata[StoreMetadataKey.autoVacuumLevel] = settings.autoVacuumLevel
    return metadata
  }

  /// The metadata in the store. For a read-only connection to a store without a property list, UUID
  /// and type alone.
  static func read(_ connection: SQLiteConnection) throws -> [String: Any] {
    try connection.withStatement("SELECT Z_UUID, Z_PLIST FROM Z_METADATA LIMIT 1") { statement in
      guard try statement.step() else { throw damaged("it has no row") }
      let size = statement.byteCount(1)
      guard size <= limit else { throw damaged("its property list has \(size) bytes") }
      let isLookedInto = size == 0 && !connection.mayWrite
      let list =
        isLookedInto ? [String: Any]() as Any : try propertyList(statement.data(1) ?? Data())
      guard var metadata = list as? [String: Any] else { throw damaged("it is no dictionary") }
      guard let uuid = statement.text(0), !uuid.isEmpty else { throw damaged("it has no UUID") }
      metadata[NSStoreUUIDKey] = uuid
      if metadata[NSStoreTypeKey] == nil { metadata[NSStoreTypeKey] = NSSQLiteStoreType }
      return metadata
    }
  }

  private static func propertyList(_ data: Data) throws -> Any {
    if let known = latest.withLock({ $0 }), known.data == data { return known.list }
    // The reader for hostile data: Foundation's overflows the stack on some.
    guard let list = BinaryPropertyListReader.value(of: data) else {
      throw damaged("its property list cannot be read")
    }
    if data.count <= most { latest.withLock { $0 = Known(data: data, list: list) } }
    return list
  }

  /// The size of the largest list that is cached.
  private static let most = 64 << 10
  /// The list that was read last: the files of one application mostly have equal ones.
  private static let latest = Mutex<Known?>(nil)

  // Sendable: an immutable property list.
  private struct Known: @unchecked Sendable {
    let data: Data
    let list: Any
  }

  /// Writes the metadata. Throws `persistentStoreSave` for values that no property list can hold.
  static func write(_ metadata: [String: Any], to connection: SQLiteConnection) throws {
    var list = metadata
    let uuid = list.removeValue(forKey: NSStoreUUIDKey) as? String
    guard PropertyListSerialization.propertyList(list, isValidFor: .binary) else {
      throw CoreDataError.make(
        .persistentStoreSave,
        reason: "The store's metadata must be a property list: strings, numbers, dates, data, and "
          + "arrays and dictionaries of them.")
    }
    let data = try PropertyListSerialization.data(
      fromPropertyList: list, format: .binary, options: 0)
    let sql = "INSERT OR REPLACE INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?, ?)"
    try connection.withStatement(sql) { statement in
      if let uuid { statement.bind(uuid, at: 1) }
      statement.bind(data, at: 2)
      try statement.run()
    }
  }

  private static func damaged(_ what: String) -> NSError {
    CoreDataError.make(
      .fileReadCorruptFile, reason: "The store's metadata (Z_METADATA) are damaged: \(what).")
  }
}
