/// Opens a store's file, or creates it.
struct StoreOpener {
  struct Opened {
    /// The open store; nil if another version of the model made it: the coordinator then throws.
    let contents: StoreContents?
    let metadata: [String: Any]
    let isReadOnly: Bool
  }

  let url: URL?
  let location: StoreLocation
  let model: NSManagedObjectModel
  let configuration: String
  let layouts: [EntityLayout]
  let options: StoreOptions
  let settings: ConnectionSettings

  init(_ store: NSPersistentStore, model: NSManagedObjectModel) throws {
    url = store.url
    location = try StoreLocation(store.url)
    self.model = model
    configuration = store.configurationName
    if configuration == NSManagedObjectModel.defaultConfigurationName {
      layouts = store.layouts
    } else {
      layouts = Self.layouts(of: store, model)
    }
    options = StoreOptions(store.options)
    settings = try ConnectionSettings(options)
  }

  private static func layouts(
    of store: NSPersistentStore, _ model: NSManagedObjectModel
  ) -> [EntityLayout] {
    let named = model.entities(forConfigurationName: store.configurationName) ?? []
    let layouts = store.layouts
    // A table has all entities of a tree, whichever of them the configuration names.
    let roots = Set(
      layouts.lazy.filter { layout in named.contains { $0 === layout.entity } }.map(\.rootNumber))
    return layouts.filter { roots.contains($0.rootNumber) }
  }

  func open() throws -> Opened {
    do {
      return switch location {
      case .file(let url): try openFile(url)
      case .privateMemory: try openMemory(makeMemory())
      case .sharedMemory(let name):
        try openMemory(SharedMemory.database(named: name, make: makeMemory))
      }
    } catch let error as SQLiteError {
      throw error.cocoaError(url: url, doing: .open, timeout: settings.timeout)
    }
  }

  // MARK: - Files

  private func openFile(_ url: URL) throws -> Opened {
    let file = StoreFile(url: url)
    if options.isReadOnly {
      try file.checkExists(file.state())
      return try openReadOnly(url)
    }
    let state = try file.stateOfAnyFormat()
    try file.checkWritable(state)
    guard state == .database else { return try makeFile(url) }
    return try openExisting(file)
  }

  private func makeFile(_ url: URL) throws -> Opened {
    let creation = try creation()
    let path = url.path
    let writer = try connect(path, access: .create)
    try settings.configureWriter(writer, isNew: true)
    try creation.run(on: writer)
    try prepareHistory(writer)
    let database = try database(path, first: writer)
    _ = database.writeWithFirst()
    return try opened(
      database, connection: writer, catalog: StoreCatalog(writer), isReadOnly: false)
  }

  private func openExisting(_ file: StoreFile) throws -> Opened {
    let (hasLog, url, path) = (file.hasLog, file.url, file.path)
    let first = try connect(path, access: .readWrite)
    // Before SQLite reads the file, so that one of another format stays untouched.
    try file.checkFormat(FileHead.read(of: first))
    let catalog = try StoreCatalog(first)
    if catalog.isEmpty { return try makeFile(url) }
    // The log stays if the file turns out to be of another version of the model.
    first.keepsLogOnClosing = hasLog
    let metadata = try readMetadata(first, catalog: catalog)
    guard try fits(metadata, connection: first) else {
      return Opened(contents: nil, metadata: metadata, isReadOnly: false)
    }
    first.keepsLogOnClosing = false
    if !options.tracksHistory, catalog.hasHistory {
      reportUntrackedHistory()
      return try openReadOnly(url)
    }
    try settings.configureFirst(first)
    let renewed = try renewVersion(metadata, writer: first)
    try prepareHistory(first)
    try maintain(first)
    return try opened(
      database(path, first: first), connection: first,
      catalog: options.tracksHistory ? StoreCatalog(first) : catalog,
      isReadOnly: false, fitting: renewed)
  }

  /// Runs VACUUM and ANALYZE if the options ask for them.
  private func maintain(_ connection: SQLiteConnection) throws {
    let commands = [(NSSQLiteManualVacuumOption, "VACUUM"), (NSSQLiteAnalyzeOption, "ANALYZE")]
    let wanted = commands.filter { options.isOn($0.0) }
    if wanted.isEmpty { return }
    // Indexes may be on expressions that call these functions.
    try SQLiteFunctions.register(on: connection)
    for (_, command) in wanted { try connection.execute(command) }
  }

  private func connect(
    _ path: String, access: SQLiteConnection.Access
  ) throws -> SQLiteConnection {
    try SQLiteConnection(path: path, access: access, timeout: settings.timeout)
  }

  private func database(
    _ path: String, first: SQLiteConnection
  ) throws -> SQLiteDatabase {
    let settings = settings
    let identity = FileIdentity(path)
    @Sendable func connect(_ access: SQLiteConnection.Access) throws -> SQLiteConnection {
      let made = try SQLiteConnection(path: path, access: access, timeout: settings.timeout)
      // Another file may be at the path by now.
      guard FileIdentity(path) == identity else { throw SQLiteError.lostFile }
      return made
    }
    guard !first.hasLostFile else { throw SQLiteError.lostFile }
    return SQLiteDatabase(
      path: path, first: first, readerLimit: settings.readerLimit,
      keepsGenerations: settings.usesLog, mainQueueTimeout: settings.mainQueueTimeout,
      logLimit: settings.logLimit,
      makeWriter: {
        let writer = try connect(.readWrite)
        try settings.configureWriter(writer, isNew: false)
        try SQLiteFunctions.registerFunctionsOfTriggers(on: writer)
        return writer
      },
      makeReader: {
        let reader = try connect(.readOnly)
        try settings.configureReader(reader)
        return reader
      })
  }

  // MARK: - Read-only

  private func openReadOnly(_ url: URL) throws -> Opened {
    let settings = settings
    let connect: @Sendable () throws -> SQLiteConnection = {
      let reader = try SQLiteConnection(
        path: url.path, access: QuietReading(url).access, timeout: settings.timeout)
      try settings.configureReader(reader)
      return reader
    }
    let first = try connect()
    let database = SQLiteDatabase(
      path: url.path, writer: first, readerLimit: settings.readerLimit,
      quiet: QuietReading(url), makeReader: connect)
    return try opened(database, connection: first, catalog: StoreCatalog(first), isReadOnly: true)
  }

  // MARK: - In memory

  private func makeMemory() throws -> SQLiteDatabase {
    let connection = try SQLiteConnection(
      path: ":memory:", access: .memory, timeout: settings.timeout)
    try settings.configureWriter(connection, isNew: true)
    return SQLiteDatabase(path: ":memory:", writer: connection, readerLimit: 1, makeReader: nil)
  }

  private func openMemory(_ database: SQLiteDatabase) throws -> Opened {
    try database.write { connection in
      if try !StoreCatalog(connection).hasMetadata { try creation().run(on: connection) }
      try prepareHistory(connection)
      return try opened(
        database, connection: connection, catalog: StoreCatalog(connection),
        isReadOnly: options.isReadOnly)
    }
  }

  // MARK: - Contents

  private func creation() throws -> StoreCreation {
    let metadata = StoreMetadata.new(
      type: NSSQLiteStoreType, model: model, configuration: Self.named(configuration))
    return try StoreCreation(
      model: model, layouts: layouts, metadata: StoreMetadataTable.new(metadata, settings: settings)
    )
  }

  private static func named(_ configuration: String) -> String? {
    configuration == NSManagedObjectModel.defaultConfigurationName ? nil : configuration
  }

  /// - Parameters:
  ///   - connection: the connection that reads the file, not in use otherwise.
  ///   - known: the store's metadata if they have been read and fit the model.
  private func opened(
    _ database: SQLiteDatabase, connection: SQLiteConnection, catalog: StoreCatalog,
    isReadOnly: Bool, fitting known: [String: Any]? = nil
  ) throws -> Opened {
    var catalog = catalog
    let metadata = try known ?? readMetadata(connection, catalog: catalog)
    guard try known != nil || fits(metadata, connection: connection) else {
      return Opened(contents: nil, metadata: metadata, isReadOnly: isReadOnly)
    }
    let schema = try catalog.schema(of: layouts, url: url)
    if !isReadOnly, known != nil, try MissingIndexes(schema: schema).make(in: connection) {
      catalog = try StoreCatalog(connection)
    }
    let contents = StoreContents(
      url: url, location: location, database: database, schema: schema, settings: settings)
    if !isReadOnly {
      try contents.prepareWriter(connection, catalog: catalog, triggers: schema.temporaryTriggers)
    }
    let uuid = metadata[NSStoreUUIDKey] as? String ?? ""
    try contents.findHistory(catalog, storeUUID: uuid)
    return Opened(contents: contents, metadata: metadata, isReadOnly: isReadOnly)
  }

  private func readMetadata(
    _ connection: SQLiteConnection, catalog: StoreCatalog
  ) throws -> [String: Any] {
    guard catalog.hasMetadata else {
      throw CoreDataError.make(
        .persistentStoreInvalidType,
        reason: "The database at \(url?.path ?? "?") has no table Z_METADATA: it is not a store of "
          + "Core Data. It was left as it is.",
        userInfo: url.map { [NSFilePathErrorKey: $0.path] } ?? [:])
    }
    return try StoreMetadataTable.read(connection)
  }

  private func fits(_ metadata: [String: Any], connection: SQLiteConnection) throws -> Bool {
    if options.ignoresVersioning || metadata[NSStoreModelVersionHashesKey] == nil
      || model.isConfiguration(withName: configuration, compatibleWithStoreMetadata: metadata)
      || renewed(metadata) != nil
    {
      return true
    }
    return try fitsButForUnknownHashes(metadata, connection: connection)
  }

  private func renewed(_ metadata: [String: Any]) -> [String: Any]? {
    FormerVersionHash.renewed(metadata, for: model, configuration: configuration)
  }

  /// Updates the metadata of a file with former hashes, and the model in it.
  private func renewVersion(
    _ metadata: [String: Any], writer: SQLiteConnection
  ) throws -> [String: Any] {
    guard renewed(metadata) != nil else { return metadata }
    let cache = try ModelCache.content(of: model)
    return try writer.writeTransaction {
      // Read again: another process may have updated or otherwise changed the metadata.
      let current = try StoreMetadataTable.read(writer)
      guard let renewed = renewed(current) else { return current }
      try StoreMetadataTable.write(renewed, to: writer)
      try writer.withStatement("UPDATE Z_MODELCACHE SET Z_CONTENT = ?") {
        $0.bind(cache, at: 1)
        try $0.run()
      }
      return renewed
    }
  }

  /// Whether the entities with other hashes equal those of the model in the store, and have hashes
  /// that cannot be computed: how Apple's frameworks hash derived attributes, and composites within
  /// composites, is not known.
  private func fitsButForUnknownHashes(
    _ metadata: [String: Any], connection: SQLiteConnection
  ) throws -> Bool {
    let stored = NSManagedObjectModel.versionHashes(inStoreMetadata: metadata) ?? [:]
    let entities = model.entities(forConfigurationName: configuration) ?? []
    let others = entities.filter { stored[$0.name ?? ""] != $0.versionHash }
    let isWhole = configuration == NSManagedObjectModel.defaultConfigurationName
    guard !others.isEmpty, others.allSatisfy(\.hasUnknownHash),
      others.allSatisfy({ stored[$0.name ?? ""] != nil }),
      !isWhole || stored.count == entities.count
    else { return false }
    let cached = try ModelCache.model(in: connection, file: url?.path ?? "")
    return others.allSatisfy {
      cached?.entitiesByName[$0.name ?? ""]?.versionHash == $0.versionHash
    }
  }
}

extension NSEntityDescription {
  /// Whether Apple's hash of the entity may differ because of one of its attributes, inherited ones
  /// included.
  var hasUnknownHash: Bool {
    attributesByName.values.contains { attribute in
      let composite = attribute as? NSCompositeAttributeDescription
      return attribute is NSDerivedAttributeDescription
        || composite?.elements.contains { $0 is NSCompositeAttributeDescription } ?? false
    }
  }
}
