/// Gives out a store's primary keys: the last one of each tree of entities is noted on its root's row of
/// `Z_PRIMARYKEY`.
///
/// Keys are noted in a short transaction of their own, so that two processes never get the same one. A small save
/// notes them at the head of the transaction that uses them, which is quicker:
///
///     BEGIN IMMEDIATE
///     UPDATE Z_PRIMARYKEY …         for each tree that has new objects
///     SAVEPOINT changes
///     INSERT …, UPDATE …, DELETE …
///     COMMIT                        after a failure: ROLLBACK TO changes, COMMIT
///
/// Objects keep the keys that they were given though their save fails. Should the disk not take even those, the
/// next transaction notes them.
///
/// Not thread-safe: goes with the writing connection, which is one thread's at a time.
final class KeySequence {
  /// The last keys that were given in trees whose rows in the file may be behind, by root.
  private var unnoted: [Int64: Int64] = [:]
  /// Whether a save is under way that takes its keys along.
  private var isJoined = false

  /// Sets `count` keys aside; returns the first.
  func reserve(
    _ count: Int64, root: Int64, _ connection: SQLiteConnection, _ settings: ConnectionSettings
  ) throws -> Int64 {
    guard isJoined else {
      return try withoutSynchronising(connection, settings) {
        try transaction(connection) { try take(count, root, connection) }
      }
    }
    try begin(connection)
    let first = try take(count, root, connection)
    unnoted[root] = first + count - 1
    return first
  }

  /// Begins the transaction of a save that takes its keys along, unless it has begun.
  func begin(_ connection: SQLiteConnection) throws {
    if connection.isInTransaction { return }
    try connection.begin()
    try noteAll(connection)
  }

  /// The keys that `body` reserves are noted in the transaction of the save that follows in it; if none does, in
  /// one of their own.
  func joining<Result>(
    _ connection: SQLiteConnection, _ body: () throws -> Result
  ) rethrows -> Result {
    if isJoined { return try body() }
    isJoined = true
    defer {
      isJoined = false
      noteWhatIsLeft(connection)
    }
    return try body()
  }

  /// The next transaction tries again what fails here.
  private func noteWhatIsLeft(_ connection: SQLiteConnection) {
    if connection.isInTransaction {
      do { try commit(connection) } catch { connection.rollBack() }
    }
    if !unnoted.isEmpty { try? transaction(connection) {} }
  }

  /// Writes everything that `body` writes, or nothing; and the keys that objects were given either way.
  func transaction<Result>(
    _ connection: SQLiteConnection, _ body: () throws -> Result
  ) throws -> Result {
    if isJoined, connection.isInTransaction { return try finish(connection, body) }
    let result = try connection.writeTransaction {
      try noteAll(connection)
      return try body()
    }
    unnoted = [:]
    return result
  }

  private func finish<Result>(
    _ connection: SQLiteConnection, _ body: () throws -> Result
  ) throws -> Result {
    do {
      try connection.withStatement("SAVEPOINT changes") { try $0.run() }
      let result = try body()
      try commit(connection)
      return result
    } catch {
      // After some errors SQLite has taken everything back by itself.
      if connection.isInTransaction {
        do {
          try connection.withStatement("ROLLBACK TO changes") { try $0.run() }
          try commit(connection)
        } catch { connection.rollBack() }
      }
      throw error
    }
  }

  private func commit(_ connection: SQLiteConnection) throws {
    try connection.commit()
    unnoted = [:]
  }

  // MARK: - Z_PRIMARYKEY

  private func take(
    _ count: Int64, _ root: Int64, _ connection: SQLiteConnection
  ) throws -> Int64 {
    let sql = "UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + ? WHERE Z_ENT = ? RETURNING Z_MAX"
    return try connection.withStatement(sql) { statement in
      statement.bind(count, at: 1)
      statement.bind(root, at: 2)
      guard try statement.step() else { throw StoreDamage.entity(root, "Z_PRIMARYKEY") }
      let last = statement.integer(0)
      guard last >= count, last < 1 << 40 else { throw StoreDamage.key(last, "Z_PRIMARYKEY") }
      while try statement.step() {}
      return last - count + 1
    }
  }

  private func noteAll(_ connection: SQLiteConnection) throws {
    for (root, last) in unnoted {
      let sql = "UPDATE Z_PRIMARYKEY SET Z_MAX = MAX(Z_MAX, ?) WHERE Z_ENT = ?"
      try connection.withStatement(sql) { statement in
        statement.bind(last, at: 1)
        statement.bind(root, at: 2)
        try statement.run()
      }
    }
  }

  /// Keys need not be on the disk by themselves: the save that uses them takes them along, being later in the same
  /// log.
  private func withoutSynchronising<Result>(
    _ connection: SQLiteConnection, _ settings: ConnectionSettings, _ body: () throws -> Result
  ) throws -> Result {
    guard settings.usesLog else { return try body() }
    try connection.execute("PRAGMA synchronous = NORMAL")
    defer {
      // Setting a pragma to what it was cannot fail on a connection that has just worked.
      try? connection.execute("PRAGMA synchronous = \(settings.synchronous)")
    }
    return try body()
  }
}
