/// How many pages a writing connection keeps in memory.
///
///     a transaction of              pages
///     few changes                   what SQLite keeps by itself: two megabytes
///     a thousand or more            up to 64 megabytes, given back at its end
///
/// The rows of a large save go to places all over the indexes of their table. Pages that do not fit are written to the
/// log before the commit, some of them many times, and read again: in a table of a million rows with two indexes
/// that takes most of the time. A store whose options name a `cache_size` keeps that.
struct PageCache {
  private static let large = 1000
  private static let kibibytes = 64 << 10

  let connection: SQLiteConnection
  let settings: ConnectionSettings

  /// Runs `body`, which changes `count` rows.
  func forChanges<Result>(_ count: Int, _ body: () throws -> Result) throws -> Result {
    guard count >= Self.large, !settings.hasPageCache,
      let usual = try connection.integer("PRAGMA cache_size")
    else { return try body() }
    try connection.execute("PRAGMA cache_size = -\(Self.kibibytes)")
    defer {
      // Setting a pragma to what it was cannot fail on a connection that has just worked.
      try? connection.execute("PRAGMA cache_size = \(usual)")
    }
    return try body()
  }
}
