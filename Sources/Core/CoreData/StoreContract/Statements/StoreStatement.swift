/// A statement that a store has run, as observers receive it.
public struct StoreStatement: Sendable {
  /// The engine that ran the statement: `SQLite` or `PostgreSQL`.
  public let engine: String
  /// The statement, with placeholders for its values.
  public let sql: String
  /// The time from sending the statement to its last row.
  public let duration: Duration
  /// The number of rows that the statement returned or changed.
  public let rows: Int

  package init(engine: String, sql: String, duration: Duration, rows: Int) {
    self.engine = engine
    self.sql = sql
    self.duration = duration
    self.rows = rows
  }
}

/// Observation of the statements that stores run: of slow ones for a log, of all for counters.
///
///     StoreStatements.observe(slowerThan: .milliseconds(200)) { statement in
///       logger.warning("\(statement.duration) for \(statement.rows) rows: \(statement.sql)")
///     }
///
/// Begin before stores are opened: an SQLite connection checks for an observer only when it is
/// made. Not part of Apple's API.
public enum StoreStatements {
  /// Calls `body` for each statement that took `duration` or longer, on the thread that ran it.
  /// There is one observer: a further call replaces it. Values of statements are never passed.
  public static func observe(
    slowerThan duration: Duration = .zero, _ body: @escaping @Sendable (StoreStatement) -> Void
  ) {
    StatementTrace.observer.withLock { $0 = .init(duration: duration, body: body) }
    StatementTrace.hasObserver.store(true, ordering: .releasing)
  }

  /// Removes the observer.
  public static func stopObserving() {
    StatementTrace.hasObserver.store(false, ordering: .releasing)
    StatementTrace.observer.withLock { $0 = nil }
  }
}
