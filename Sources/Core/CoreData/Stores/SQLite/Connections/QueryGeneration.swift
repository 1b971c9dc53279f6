import Synchronization

/// A query generation: one state of a coordinator's SQLite stores. For each store it has a
/// connection with an open transaction, which sees the store as of its first read.
///
/// Reads within ``read(_:)`` use those connections (see `SQLiteDatabase.read`), on the calling
/// thread. The generation ends, and releases the stores' logs, with the last context or token that
/// holds it.
///
/// Sendable: `connections` has its lock, and each connection is used under a lock of its own.
final class QueryGeneration: Sendable {
  /// The generation that the current thread reads; nil: the newest state.
  @TaskLocal static var current: QueryGeneration?
  // The number of generations: while it is 0, reads skip the look-up of `current`.
  private static let alive = Atomic(0)

  static var isAnyAlive: Bool { alive.load(ordering: .relaxed) > 0 }

  /// Whether a generation of this process has a transaction on this file, and may go on reading its
  /// old state.
  static func reads(_ file: String) -> Bool { PinnedConnection.counts.withLock { $0[file] != nil } }

  private struct Link: Sendable {
    weak var owner: (AnyObject & Sendable)?
  }

  private let link: Link
  private let connections = Mutex<[ObjectIdentifier: PinnedConnection]>([:])

  /// - Parameter owner: the coordinator, which stands above the stores.
  init(_ owner: AnyObject & Sendable) {
    link = Link(owner: owner)
    Self.alive.wrappingAdd(1, ordering: .relaxed)
  }

  deinit { Self.alive.wrappingSubtract(1, ordering: .relaxed) }

  var owner: (AnyObject & Sendable)? { link.owner }

  /// Runs `body`, whose reads see this generation.
  func read<Result>(_ body: () throws -> Result) rethrows -> Result {
    try Self.$current.withValue(self, operation: body)
  }

  /// The generation's connection to a database, made with `make` at the first call.
  func connection(
    to database: AnyObject, _ make: () throws -> SQLiteConnection
  ) throws -> PinnedConnection {
    try connections.withLock { connections in
      if let known = connections[ObjectIdentifier(database)] { return known }
      let made = try PinnedConnection(make(), database: database)
      connections[ObjectIdentifier(database)] = made
      return made
    }
  }
}

/// A connection with a transaction that lasts as long as the connection.
///
/// Sendable: `lock` guards the connection. `database` is retained so that its address, the key of
/// the generation's table, is not reused.
final class PinnedConnection: @unchecked Sendable {
  /// The number of pinned connections by file.
  fileprivate static let counts = Mutex<[String: Int]>([:])

  private let connection: SQLiteConnection
  private let database: AnyObject
  private let file: String
  private let lock = NSRecursiveLock()

  init(_ connection: SQLiteConnection, database: AnyObject) throws {
    self.connection = connection
    self.database = database
    file = connection.file
    Self.counts.withLock { $0[file, default: 0] += 1 }
    // From here on `deinit` runs, and decrements the count, even if this throws.
    try connection.execute("BEGIN")
    // SQLite's transaction takes its snapshot at the first read.
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
