import CoreData

/// Access to a store that is not open, by its URL.
struct ClosedStore {
  private let address: ServerAddress

  init(_ url: URL) throws { address = try ServerAddress(url) }

  func exists(_ options: StoreOptions) throws -> Bool {
    try reporting {
      try StoreTables.exist(PostgreSQLConnection(address, timeout: options.timeout))
    }
  }

  func metadata() throws -> [String: Any] { try with { try StoreTables.metadata($0) } }

  func model() throws -> NSManagedObjectModel {
    try with { connection in
      if let model = try StoreTables.model(connection, at: address.url) { return model }
      throw CoreDataError.make(
        .persistentStoreOpen,
        reason: "The store at \(address.url.absoluteString) does not keep its model.")
    }
  }

  func tracksHistory() throws -> Bool { try with { try StoreTables.haveHistory($0) } }

  func setMetadata(_ metadata: [String: Any]) throws {
    try with { connection in
      try connection.transaction {
        var metadata = metadata
        let uuid = try StoreTables.metadata(connection)[NSStoreUUIDKey]
        metadata[NSStoreUUIDKey] = metadata[NSStoreUUIDKey] ?? uuid
        let statement = try StoreTables.update(metadata)
        try connection.query(statement.sql, parameters: statement.parameters)
      }
    }
  }

  /// Drops the store's tables but keeps the schema. Notifies coordinators that have the store open
  /// with remote changes. Does nothing if there is no store.
  func destroy(_ options: StoreOptions) throws {
    try reporting {
      let connection = try PostgreSQLConnection(
        address, limits: TimeLimits(options.timeout).ofLongWork)
      try connection.transaction {
        try connection.execute(StoreTables.lock)
        guard let former = try FormerStore(connection) else { return }
        try StoreTables.drop(connection)
        try former.tell(connection)
      }
    }
  }

  private func with<Result>(_ body: (PostgreSQLConnection) throws -> Result) throws -> Result {
    try reporting {
      let connection = try PostgreSQLConnection(address, timeout: nil)
      guard try StoreTables.exist(connection) else {
        throw CoreDataError.make(
          .persistentStoreOpen, reason: "There is no store at \(address.url.absoluteString).")
      }
      return try body(connection)
    }
  }

  private func reporting<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as PostgreSQLError {
      throw error.cocoaError(address, doing: .open)
    }
  }
}
