import CoreData

/// Opens a store; creates it if necessary.
struct StoreOpener {
  let address: ServerAddress
  let pool: ConnectionPool
  let model: NSManagedObjectModel
  let configuration: String
  let layouts: [EntityLayout]
  let options: StoreOptions

  /// The metadata, and whether the store is read-only.
  func open() throws -> (metadata: [String: Any], isReadOnly: Bool) {
    try pool.with(pool.limits.ofLongWork) { connection in
      let isStandby = connection.parameter("in_hot_standby") == "on"
      let isReadOnly = isStandby || options.isReadOnly
      if try !StoreTables.exist(connection) {
        if isReadOnly {
          throw CoreDataError.make(
            .persistentStoreOpen,
            reason: "There is no store at \(address.url.absoluteString), and it cannot be made: "
              + (isStandby ? "the server is a standby." : "it is to be opened for reading alone."))
        }
        try create(connection)
      }
      if !isReadOnly {
        // A read-only session can still read, and so can a user without other privileges.
        do { try TransactionMark.removeOld(connection) } catch let error as PostgreSQLError
          where error.isReadOnly || error.isForbidden
        {}
      }
      let isUntracked = try !prepareHistory(connection, isReadOnly: isReadOnly)
      return (try StoreTables.metadata(connection), isReadOnly || isUntracked)
    }
  }

  /// Returns false if the store has a history and is opened without history tracking: its clients
  /// would miss changes.
  private func prepareHistory(
    _ connection: PostgreSQLConnection, isReadOnly: Bool
  ) throws -> Bool {
    if try StoreTables.haveHistory(connection) {
      if !options.tracksHistory, !isReadOnly { reportUntrackedHistory() }
      return options.tracksHistory
    }
    guard options.tracksHistory, !isReadOnly else { return true }
    try connection.transaction {
      try connection.execute(StoreTables.lock)
      if try StoreTables.haveHistory(connection) { return }
      try HistoryTables.make(connection)
    }
    return true
  }

  private func reportUntrackedHistory() {
    let text =
      "CoreData: error:  Store opened without NSPersistentHistoryTrackingKey but previously had been opened "
      + "with NSPersistentHistoryTrackingKey - Forcing into Read Only mode store at "
      + "'\(address.url.absoluteString)'\n"
    FileHandle.standardError.write(Data(text.utf8))
  }

  private func create(_ connection: PostgreSQLConnection) throws {
    try connection.transaction {
      try connection.execute(StoreTables.lock)
      try StoreTables.makeSchema(connection)
      if try StoreTables.exist(connection) { return }
      let schema = try schema(
        numbers: Dictionary(
          layouts.map { ($0.number, $0.number) }, uniquingKeysWith: { first, _ in first }))
      for statement in StoreTables.statements + schema.statements {
        try connection.execute(statement)
      }
      for layout in layouts {
        try connection.query(StoreTables.insertion(ofEntity: layout, number: layout.number))
      }
      for object in schema.objects {
        try connection.query(StoreTables.insertion(ofObject: object.kind, object.name))
      }
      let isWhole = configuration == NSManagedObjectModel.defaultConfigurationName
      try StoreTables.insert(
        StoreMetadata.new(
          type: NSPersistentStore.StoreType.postgreSQL.rawValue, model: model,
          configuration: isWhole ? nil : configuration), connection: connection)
      try connection.query(StoreTables.update(model))
    }
  }

  /// Returns whether the program's model is a former version of the store's model and all later
  /// changes are harmless additions (``ModelAdditions``), so that the program may open the store. A
  /// model that has less than the store but was never its version belongs to a newer program.
  func hasOnlyGained(_ metadata: [String: Any]) throws -> Bool {
    let isWhole = configuration == NSManagedObjectModel.defaultConfigurationName
    guard options.admitsOlderModels,
      FormerVersions(metadata).contains(model, configuration: isWhole ? nil : configuration)
    else { return false }
    return try pool.with { connection in
      guard let stored = try StoreTables.model(connection, at: address.url) else { return false }
      return ModelAdditions(
        program: layouts, stored: stored, numbers: try StoreTables.numbers(connection)
      ).areHarmless
    }
  }

  /// The contents of the store. Call this only if its model is known to be the program's.
  func contents(_ identities: IdentitySpace) throws -> StoreContents {
    let names = try pool.with { try StoreTables.numbers($0) }
    let numbers = Dictionary(
      layouts.compactMap { layout in
        names[layout.entity.name ?? ""].map { (layout.number, $0) }
      }, uniquingKeysWith: { first, _ in first })
    let replicas = try options.replicaURL.map {
      try Replicas(ServerAddress($0), of: pool)
    }
    try replicas?.check(identities.storeUUID)
    return StoreContents(
      address, pool: pool, replicas: replicas, schema: try schema(numbers: numbers),
      identities: identities, options: options)
  }

  private func schema(numbers: [Int: Int]) throws -> StoreSchema {
    var builder = SchemaBuilder(layouts: layouts, numbers: numbers)
    return try builder.build()
  }
}

extension StoreOptions {
  fileprivate var admitsOlderModels: Bool {
    (self[OpenCoreDataAdmitsOlderModelsOption] as? NSNumber)?.boolValue ?? true
  }

  /// The address of the store's standbys.
  fileprivate var replicaURL: URL? {
    get throws {
      switch self[OpenCoreDataReplicaURLOption] {
      case nil: return nil
      case let url as URL: return url
      case let text as String:
        if let url = URL(string: text) { return url }
        fallthrough
      default:
        throw CoreDataError.make(
          .persistentStoreOpen,
          reason: "OpenCoreDataReplicaURLOption takes a URL such as "
            + "postgresql://user@host1,host2/database, as a URL or a String.")
      }
    }
  }
}
