import CoreData

extension PostgreSQLStore: SharedStore {
  /// Runs `body` with the store's advisory lock, which a connection of its own holds.
  func alone<Result>(_ body: () throws -> Result) throws -> Result {
    let contents = try contents
    return try contents.reporting(.save) {
      try contents.pool.with { connection in
        try connection.transaction {
          try connection.execute(
            "SELECT pg_advisory_xact_lock(4846714, hashtext(current_schema()::text))")
          // The last holder may have written changes that the standbys have not replayed yet.
          contents.replicas?.primaryHasMoved()
          return try body()
        }
      }
    }
  }

  /// Waits until no save is in progress. A save locks the store's row for the number of its
  /// transaction, shortly before it commits.
  func waitUntilWritable() throws {
    let contents = try contents
    try contents.reporting(.save) {
      try contents.pool.with { connection in
        try connection.transaction {
          try connection.execute("SELECT 1 FROM \(SchemaNames.store) FOR UPDATE")
        }
      }
    }
  }
}
