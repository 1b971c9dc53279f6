extension SQLiteStore: SharedStore {
  /// SQLite's write lock keeps other writers out; the first save's transaction continues with it.
  package func alone<Result>(_ body: () throws -> Result) throws -> Result {
    let contents = try contents
    return try contents.reporting(.save) {
      try contents.database.write { connection in
        try contents.keys.joining(connection) {
          try contents.keys.begin(connection)
          return try body()
        }
      }
    }
  }

  /// Waits with a connection of its own, since the thread that holds the writing one may be waiting
  /// too.
  package func waitUntilWritable() throws {
    let contents = try contents
    guard case .file(let url) = try StoreLocation(url) else { return }
    try contents.reporting(.save) {
      let connection = try SQLiteConnection(
        path: url.path, access: .readWrite, timeout: contents.settings.timeout)
      try connection.begin()
      connection.rollBack()
    }
  }
}
