/// Saved objects that were not valid when they were saved, by the bits of their identities: the
/// latest in memory, the others in a temporary database, so that memory does not grow with the
/// rows.
struct WaitingObjects {
  private var recent: Set<UInt64> = []
  private var file: SQLiteConnection?
  /// False once the file could not be written: all numbers stay in memory then.
  private var canWrite = true

  /// Notes which of the objects that have just been saved are valid, and which are not.
  mutating func note(invalid: some Sequence<UInt64>, valid: some Sequence<UInt64>) throws {
    recent.formUnion(invalid)
    let others = valid.filter { recent.remove($0) == nil }
    if let file, !others.isEmpty {
      try file.change("DELETE FROM waiting WHERE number = ?", numbers: others)
    }
    if recent.count >= DraftSaves.limit, canWrite { write() }
  }

  private mutating func write() {
    do {
      let file = try self.file ?? .temporary(["CREATE TABLE waiting (number INTEGER PRIMARY KEY)"])
      self.file = file
      try file.change("INSERT OR IGNORE INTO waiting VALUES (?)", numbers: recent.sorted())
      recent = []
    } catch {
      // No room on the disk for them; the numbers are still in memory.
      canWrite = false
    }
  }

  /// Removes up to `limit` numbers and returns them; none at the end.
  mutating func next(_ limit: Int) throws -> [UInt64] {
    if !recent.isEmpty {
      let numbers = Array(recent.prefix(limit))
      recent.subtract(numbers)
      return numbers.sorted()
    }
    guard let file else { return [] }
    var numbers: [UInt64] = []
    try file.withStatement("SELECT number FROM waiting ORDER BY number LIMIT ?") { statement in
      statement.bind(Int64(limit), at: 1)
      while try statement.step() { numbers.append(UInt64(bitPattern: statement.integer(0))) }
    }
    try file.change("DELETE FROM waiting WHERE number = ?", numbers: numbers)
    return numbers
  }
}

extension SQLiteConnection {
  /// A database in a temporary file, which has no name in the file system: nothing is left of it,
  /// however the process ends. Up to two megabytes of it are in memory.
  static func temporary(_ tables: [String]) throws -> SQLiteConnection {
    let connection = try SQLiteConnection(path: "", access: .create, timeout: 0)
    let settings = ["journal_mode = MEMORY", "synchronous = OFF", "cache_size = -2048"]
    for sql in settings.map({ "PRAGMA " + $0 }) + tables { try connection.execute(sql) }
    return connection
  }

  /// Runs a statement for each of some numbers: for all of them, or for none if it throws.
  fileprivate func change(_ sql: String, numbers: [UInt64]) throws {
    try writeTransaction {
      try withStatement(sql) { statement in
        for number in numbers {
          statement.bind(Int64(bitPattern: number), at: 1)
          try statement.run()
        }
      }
    }
  }
}
