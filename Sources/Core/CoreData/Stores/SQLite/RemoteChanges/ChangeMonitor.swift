/// Detects commits to a store's file, with a connection of its own.
///
/// Used under the lock of a ``RemoteChangeHub``.
final class ChangeMonitor {
  /// The state of a store, as far as commits change it.
  struct Mark: Equatable {
    /// The number of the history's last transaction; nil for a store without history.
    var transaction: Int64?
    /// SQLite's data version, which changes with every commit of other connections. Used without
    /// history only: it also changes with commits that just reserve keys.
    var version: Int64?
  }

  private let connection: SQLiteConnection

  private init(path: String) throws {
    // A short timeout, since a locked file is checked again later.
    connection = try SQLiteConnection(path: path, access: .readOnly, timeout: 0.1)
  }

  /// A monitor and its first mark; nil for a file that no process can write, in a folder where
  /// files beside it cannot be made.
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
