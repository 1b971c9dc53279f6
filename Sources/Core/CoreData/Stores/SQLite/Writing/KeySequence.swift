/// The primary keys of a store: the last key of each entity tree is in the row of the tree's root
/// in `Z_PRIMARYKEY`.
///
/// Keys are reserved in a short transaction of their own, so that no two processes get the same
/// key. A small save reserves them at the beginning of its own transaction, which is faster:
///
///     BEGIN IMMEDIATE
///     UPDATE Z_PRIMARYKEY …         for each tree that has new objects
///     SAVEPOINT changes
///     INSERT …, UPDATE …, DELETE …
///     COMMIT                        after a failure: ROLLBACK TO changes, COMMIT
///
/// Objects keep their keys even if their save fails. If not even the keys can be written, the next
/// transaction writes them.
///
/// Not thread-safe: guarded by the lock of the writing connection.
final class KeySequence {
  /// The last reserved keys of trees whose rows in the file may be behind, by root.
  private var unnoted: [Int64: Int64] = [:]
  /// Whether a save is running that reserves its keys in its own transaction.
  private var isJoined = false

  /// Reserves `count` keys of a tree; returns the first.
  func reserve(
    _ count: Int64, root: Int64, connection: SQLiteConnection, settings: ConnectionSettings
  ) throws -> Int64 {
    guard isJoined else {
      return try withoutSynchronising(connection, settings: settings) {
        try transaction(connection) { try take(count, root: root, connection: connection) }
      }
    }
    try begin(connection)
    let first = try take(count, root: root, connection: connection)
    unnoted[root] = first + count - 1
    return first
  }

  /// Begins the transaction of a save that reserves its keys in it, unless it has begun.
  func begin(_ connection: SQLiteConnection) throws {
    if connection.isInTransaction { return }
    try connection.begin()
    try noteAll(connection)
  }

  /// Runs `body`: the keys that it reserves are written in the transaction of the save in it, or,
  /// if there is none, in one of their own.
  func joining<Result>(
    _ connection: SQLiteConnection, body: () throws -> Result
  ) rethrows -> Result {
    if isJoined { return try body() }
    isJoined = true
    defer {
      isJoined = false
      noteWhatIsLeft(connection)
    }
    return try body()
  }

  /// Commits or writes the remaining keys; after a failure the next transaction tries again.
  private func noteWhatIsLeft(_ connection: SQLiteConnection) {
    if connection.isInTransaction {
      do { try commit(connection) } catch { connection.rollBack() }
    }
    if !unnoted.isEmpty { try? transaction(connection) {} }
  }

  /// Commits everything that `body` writes, or nothing if it throws; reserved keys are written in
  /// both cases.
  func transaction<Result>(
    _ connection: SQLiteConnection, body: () throws -> Result
  ) throws -> Result {
    if isJoined, connection.isInTransaction { return try finish(connection, body: body) }
    let result = try connection.writeTransaction {
      try noteAll(connection)
      return try body()
    }
    unnoted = [:]
    return result
  }

  private func finish<Result>(
    _ connection: SQLiteConnection, body: () throws -> Result
  ) throws -> Result {
    do {
      try connection.withStatement("SAVEPOINT changes") { try $0.run() }
      let result = try body()
      try commit(connection)
      return result
    } catch {
      // SQLite has rolled everything back itself after some errors.
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
    _ count: Int64, root: Int64, connection: SQLiteConnection
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

  /// Runs `body` without waiting for the disk: the save that uses the keys comes later in the same
  /// log and flushes them too.
  private func withoutSynchronising<Result>(
    _ connection: SQLiteConnection, settings: ConnectionSettings, body: () throws -> Result
  ) throws -> Result {
    guard settings.usesLog else { return try body() }
    try connection.execute("PRAGMA synchronous = NORMAL")
    defer {
      // Cannot fail: the pragma gets its former value, on a connection that has just worked.
      try? connection.execute("PRAGMA synchronous = \(settings.synchronous)")
    }
    return try body()
  }
}
