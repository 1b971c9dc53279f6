/// Detects writes to a store's file since the watch was made:
///
///     journal     source
///     WAL         SQLite's data version, read by a connection that stays open
///     others      the change counter in the file's header; size and time of the file
///
/// Other stores are one file each, which every save replaces.
final class StoreWatch {
  private let url: URL
  private let isSQLite: Bool
  /// The connection to a file with a write-ahead log; nil for others.
  private let connection: SQLiteConnection?
  private let state: State

  private struct State: Equatable {
    let file: QuietReading.FileState?
    let changes: Data?
    let version: Int64?
  }

  init(_ url: URL, type: String) throws {
    self.url = url
    isSQLite = type == NSSQLiteStoreType
    connection = isSQLite && QuietReading(url).usesLog ? try Self.connect(url) : nil
    state = try Self.state(of: url, connection, isSQLite: isSQLite)
  }

  /// A connection that leaves the log as it was.
  private static func connect(_ url: URL) throws -> SQLiteConnection {
    let hasLog = StoreFile(url: url).hasLog
    let connection = try SQLiteConnection(path: url.path, access: .readWrite, timeout: 30)
    connection.keepsLogOnClosing = hasLog
    return connection
  }

  var isUnchanged: Bool {
    get throws { try Self.state(of: url, connection, isSQLite: isSQLite) == state }
  }

  private static func state(
    of url: URL, _ connection: SQLiteConnection?, isSQLite: Bool
  ) throws -> State {
    if let connection {
      // A checkpoint changes the file but not its contents.
      return State(
        file: nil, changes: nil, version: try connection.integer("PRAGMA data_version"))
    }
    let head = isSQLite ? FileHead.read(28, ofFileAt: url.path) : nil
    return State(
      file: QuietReading.FileState(url.path), changes: head.map { $0.dropFirst(24) }, version: nil)
  }
}
