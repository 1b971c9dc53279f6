/// Returns free pages to the file system after deletions, if there are many: at least a megabyte
/// and a quarter of the file. Files with another `auto_vacuum` than incremental keep their free
/// pages for later rows.
struct IncrementalVacuum {
  private static let leastPages: Int64 = 256

  let connection: SQLiteConnection

  /// Ignores failures, such as a lock of another writer: the pages are freed by a later run.
  func runIfWorthwhile() {
    guard let free = try? connection.integer("PRAGMA freelist_count"), free >= Self.leastPages,
      let all = try? connection.integer("PRAGMA page_count"), free * 4 >= all
    else { return }
    connection.withoutWaiting { try? connection.execute("PRAGMA incremental_vacuum") }
  }
}
