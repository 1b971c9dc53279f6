/// A statement that a store has run: what a program is told that watches them.
public struct StoreStatement: Sendable {
  /// What ran it: `SQLite` or `PostgreSQL`.
  public let engine: String
  /// The statement, with marks in the place of its values.
  public let sql: String
  /// From sending it to its last row.
  public let duration: Duration
  /// How many rows it gave, or changed.
  public let rows: Int

  package init(engine: String, sql: String, duration: Duration, rows: Int) {
    self.engine = engine
    self.sql = sql
    self.duration = duration
    self.rows = rows
  }
}

/// Tells a program of the statements that its stores run: of slow ones for a log, of all of them for counters.
///
///     StoreStatements.observe(slowerThan: .milliseconds(200)) { statement in
///       logger.warning("\(statement.duration) for \(statement.rows) rows: \(statement.sql)")
///     }
///
/// Set before stores are opened: SQLite's connections look once. Not Apple's.
public enum StoreStatements {
  /// Has `body` called, on the thread that has run it, for each statement that took as long or longer. One observer at a
  /// time: another one takes its place. Values are never told.
  public static func observe(
    slowerThan duration: Duration = .zero, _ body: @escaping @Sendable (StoreStatement) -> Void
  ) {
    StatementTrace.observer.withLock { $0 = .init(duration: duration, body: body) }
    StatementTrace.hasObserver.store(true, ordering: .releasing)
  }

  /// Nobody is told any more.
  public static func stopObserving() {
    StatementTrace.hasObserver.store(false, ordering: .releasing)
    StatementTrace.observer.withLock { $0 = nil }
  }
}
