import CoreData

extension PostgreSQLStore: SharedStore {
  /// By a lock of the store's name, which a connection of its own holds.
  func alone<Result>(_ body: () throws -> Result) throws -> Result {
    let contents = try contents
    return try contents.reporting(.save) {
      try contents.pool.with { connection in
        try connection.transaction {
          try connection.execute(
            "SELECT pg_advisory_xact_lock(4846714, hashtext(current_schema()::text))")
          // The one before may have written what no standby has yet.
          contents.replicas?.primaryHasMoved()
          return try body()
        }
      }
    }
  }

  /// A save takes the number of its transaction from the store's row: whoever has that row is about to end, too.
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
