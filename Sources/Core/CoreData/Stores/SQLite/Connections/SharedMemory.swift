import Synchronization

/// The in-memory databases that stores of this process share by name. A database lives as long as a
/// store has it open.
enum SharedMemory {
  private struct Reference {
    weak var database: SQLiteDatabase?
  }

  private static let databases = Mutex<[String: Reference]>([:])

  static func database(
    named name: String, make: () throws -> SQLiteDatabase
  ) rethrows -> SQLiteDatabase {
    try databases.withLock { databases in
      if let found = databases[name]?.database { return found }
      let made = try make()
      databases[name] = Reference(database: made)
      return made
    }
  }
}
