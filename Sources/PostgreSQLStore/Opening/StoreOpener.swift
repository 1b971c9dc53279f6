import CoreData

/// Opens a store, or makes it.
struct StoreOpener {
  let address: ServerAddress
  let pool: ConnectionPool
  let model: NSManagedObjectModel
  let configuration: String
  let layouts: [EntityLayout]
  let options: StoreOptions

  /// The metadata, and whether the server takes no changes.
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
        // A session that was told to be read-only still reads, and so does a user who may do nothing else.
        do { try TransactionMark.removeOld(connection) } catch let error as PostgreSQLError
          where error.isReadOnly || error.isForbidden
        {}
      }
      let isUntracked = try !prepareHistory(connection, isReadOnly: isReadOnly)
      return (try StoreTables.metadata(connection), isReadOnly || isUntracked)
    }
  }

  /// False for a store that was followed and is not any more: who follows it would miss what is written.
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
          configuration: isWhole ? nil : configuration), connection)
      try connection.query(StoreTables.update(model))
    }
  }

  /// Whether this program is of a former version of the store's model, to which later ones have only added what it does not
  /// know, so that it may open the store. A program that has less than the store and never was its version is a newer one.
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

  /// What the store has, once its model is known to be this one.
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
      address, pool, replicas, try schema(numbers: numbers), identities, options)
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

  /// Where standbys of the store are.
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
