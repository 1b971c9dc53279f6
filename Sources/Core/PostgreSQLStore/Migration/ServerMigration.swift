import CoreData

/// Migrates a store from one version of its model to another: in SQL, without objects, in one
/// transaction.
///
/// Keys, UUID and history are kept. Any failure, including the end of the process, leaves the store
/// unchanged. One process at a time migrates a store; a second one finds it migrated.
///
/// The tables are locked meanwhile: other programs that read or save wait, and then have another
/// version of the model.
struct ServerMigration {
  let address: ServerAddress
  let options: StoreOptions
  /// nil for all entities.
  let configuration: String?
  let stops: [MigrationStop]
  let progress: MigrationProgress.Part

  func run() throws {
    let pool = ConnectionPool(
      address, limit: ConnectionPool.defaultLimit, timeout: options.timeout)
    defer { pool.close() }
    do {
      try pool.retrying {
        try pool.with(pool.limits.ofLongWork) { connection in
          try connection.transaction {
            try connection.execute(StoreTables.lock)
            try migrate(connection)
          }
        }
      }
    } catch let error as PostgreSQLError {
      throw error.migrationError(address)
    }
  }

  private func migrate(_ connection: PostgreSQLConnection) throws {
    // Another process may have migrated the store in the meantime.
    if try fits(StoreTables.metadata(connection)) { return }
    for (index, stop) in stops.enumerated() {
      let part = progress.part(index, of: stops.count)
      var change = try SchemaChange(connection, stop: stop, progress: part)
      if stop.keepsEntities { try LostEntities(change).check() }
      try change.run()
      try note(stop.match.destination, connection: connection)
    }
    try progress.checkCancelled()
  }

  private func fits(_ metadata: [String: Any]) -> Bool {
    stops.last?.match.destination.isConfiguration(
      withName: configuration, compatibleWithStoreMetadata: metadata) ?? true
  }

  private func note(_ model: NSManagedObjectModel, connection: PostgreSQLConnection) throws {
    let old = try StoreTables.metadata(connection)
    var metadata = old
    metadata.merge(StoreMetadata.versions(of: model, configuration: configuration)) { $1 }
    FormerVersions.note(old, in: &metadata)
    for statement in [try StoreTables.update(metadata), try StoreTables.update(model)] {
      try connection.query(statement)
    }
  }
}

extension PostgreSQLError {
  /// The error with the code of a migration, if the migration caused it.
  fileprivate func migrationError(_ address: ServerAddress) -> NSError {
    let underlying = cocoaError(address, doing: .save)
    switch state.prefix(2) {
    case "23" where isUniquenessViolation:
      return Self.migrationError(
        .init(rawValue: NSMigrationConstraintViolationError), underlying: underlying,
        what: "The store has objects that a uniqueness constraint of the new model forbids.")
    // Errors of the server itself: disk, connections, shutdown, privileges.
    case "53", "57", "08", "28", "": return underlying
    default:
      return Self.migrationError(
        .migration, underlying: underlying, what: "The server refused: \(message).")
    }
  }

  private static func migrationError(
    _ code: CocoaError.Code, underlying: NSError, what: String
  ) -> NSError {
    CoreDataError.make(
      code, reason: "Cannot migrate store in-place: \(what)", underlying: underlying)
  }
}
