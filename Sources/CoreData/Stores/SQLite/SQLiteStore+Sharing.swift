extension SQLiteStore: SharedStore {
  /// Others are kept out by the write lock of SQLite, which the first save's transaction goes on with.
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

  /// By a connection of its own: whoever has the writing one may be waiting as well.
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
