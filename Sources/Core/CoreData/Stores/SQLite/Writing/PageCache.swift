/// The page cache of a writing connection.
///
///     a transaction of              pages
///     few changes                   SQLite's default: two megabytes
///     a thousand or more            up to 64 megabytes, released at its end
///
/// The rows of a large save are spread over the indexes of their table. Pages that do not fit into
/// the cache are written to the log before the commit, some of them many times, and read again: in
/// a table of a million rows with two indexes that takes most of the time. If the store's options
/// set a `cache_size`, it stays.
struct PageCache {
  private static let large = 1000
  private static let kibibytes = 64 << 10

  let connection: SQLiteConnection
  let settings: ConnectionSettings

  /// Runs `body`, which changes `count` rows.
  func forChanges<Result>(_ count: Int, body: () throws -> Result) throws -> Result {
    guard count >= Self.large, !settings.hasPageCache,
      let usual = try connection.integer("PRAGMA cache_size")
    else { return try body() }
    try connection.execute("PRAGMA cache_size = -\(Self.kibibytes)")
    defer {
      // Cannot fail: the pragma gets its former value, on a connection that has just worked.
      try? connection.execute("PRAGMA cache_size = \(usual)")
    }
    return try body()
  }
}
