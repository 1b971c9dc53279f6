/// Gives pages that deletions have freed back to the file system, when they are many: at least a megabyte of
/// them and a quarter of the file. Files that are not made for it (`auto_vacuum` other than incremental)
/// keep their pages for later rows.
struct IncrementalVacuum {
  private static let leastPages: Int64 = 256

  let connection: SQLiteConnection

  /// A failure, as when somebody else is writing, leaves the pages for the next time.
  func runIfWorthwhile() {
    guard let free = try? connection.integer("PRAGMA freelist_count"), free >= Self.leastPages,
      let all = try? connection.integer("PRAGMA page_count"), free * 4 >= all
    else { return }
    connection.withoutWaiting { try? connection.execute("PRAGMA incremental_vacuum") }
  }
}
