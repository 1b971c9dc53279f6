import Synchronization

/// One state of a coordinator's SQLite stores: for each a connection with an open transaction, which sees
/// the store as it was at its first read.
///
/// Reads made inside ``read(_:)`` go to those connections (see `SQLiteDatabase.read`), on the thread that
/// makes them. Ends, and lets go of the stores' logs, with the last context or token that has it.
///
/// Sendable: `connections` has its lock, and each connection is used under a lock of its own.
final class QueryGeneration: Sendable {
  /// What the current thread reads; nil: whatever is there.
  @TaskLocal static var current: QueryGeneration?
  // Spares every read the look at `current` while nobody pins anything.
  private static let alive = Atomic(0)

  static var isAnyAlive: Bool { alive.load(ordering: .relaxed) > 0 }

  /// Whether a generation of this process has read from this file, and may read on from what it was then.
  static func reads(_ file: String) -> Bool { PinnedConnection.counts.withLock { $0[file] != nil } }

  private struct Link: Sendable {
    weak var coordinator: NSPersistentStoreCoordinator?
  }

  private let link: Link
  private let connections = Mutex<[ObjectIdentifier: PinnedConnection]>([:])

  init(_ coordinator: NSPersistentStoreCoordinator) {
    link = Link(coordinator: coordinator)
    Self.alive.wrappingAdd(1, ordering: .relaxed)
  }

  deinit { Self.alive.wrappingSubtract(1, ordering: .relaxed) }

  var coordinator: NSPersistentStoreCoordinator? { link.coordinator }

  /// Runs `body` with every read going to this generation.
  func read<Result>(_ body: () throws -> Result) rethrows -> Result {
    try Self.$current.withValue(self, operation: body)
  }

  /// The connection to a database, made with `make` at the first call.
  func connection(
    to database: AnyObject, _ make: () throws -> SQLiteConnection
  ) throws -> PinnedConnection {
    try connections.withLock { connections in
      if let known = connections[ObjectIdentifier(database)] { return known }
      let made = try PinnedConnection(make(), database)
      connections[ObjectIdentifier(database)] = made
      return made
    }
  }
}

/// A connection inside of a transaction that lasts as long as the connection.
///
/// Sendable: `lock` guards the connection; the database is kept so that its address stays its own.
final class PinnedConnection: @unchecked Sendable {
  /// How many there are, by file.
  fileprivate static let counts = Mutex<[String: Int]>([:])

  private let connection: SQLiteConnection
  private let database: AnyObject
  private let file: String
  private let lock = NSRecursiveLock()

  init(_ connection: SQLiteConnection, _ database: AnyObject) throws {
    self.connection = connection
    self.database = database
    file = connection.file
    Self.counts.withLock { $0[file, default: 0] += 1 }
    // From here on `deinit` takes it back, also when this throws.
    try connection.execute("BEGIN")
    // The transaction sees what is there at its first read.
    _ = try connection.integer("SELECT COUNT(*) FROM sqlite_master")
  }

  deinit {
    Self.counts.withLock { counts in
      let left = (counts[file] ?? 1) - 1
      counts[file] = left == 0 ? nil : left
    }
  }

  func read<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    try lock.withLock { try body(connection) }
  }
}
