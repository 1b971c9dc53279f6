/// Says whether a store's file has been written to, by a connection of its own.
///
/// Used under the lock of a ``RemoteChangeHub``.
final class ChangeMonitor {
  /// How far a store has come.
  struct Mark: Equatable {
    /// The number of the last transaction of the history; nil for a store without one.
    var transaction: Int64?
    /// What SQLite counts up with every commit of others, as long as there is no history: in one, what just
    /// sets keys aside does not count.
    var version: Int64?
  }

  private let connection: SQLiteConnection

  private init(path: String) throws {
    // A file that is locked now is looked at again later.
    connection = try SQLiteConnection(path: path, access: .readOnly, timeout: 0.1)
  }

  /// A monitor and what it finds first; nil for a file that nobody can write, in a folder that takes no files
  /// beside it.
  static func start(path: String) throws -> (monitor: ChangeMonitor, mark: Mark)? {
    do {
      let monitor = try ChangeMonitor(path: path)
      return (monitor, try monitor.mark())
    } catch let error as SQLiteError where error.mayLackFilesBeside {
      return nil
    }
  }

  func mark() throws -> Mark {
    if let number = try lastTransaction() { return Mark(transaction: number) }
    return Mark(version: try connection.integer("PRAGMA data_version"))
  }

  private func lastTransaction() throws -> Int64? {
    try connection.withStatement("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?") { statement in
      statement.bind(HistorySchema.transactionEntity, at: 1)
      return try statement.step() ? statement.integer(0) : nil
    }
  }
}
