/// Access to a store's database without its model, for tools that show the file's contents or check
/// it against the format's rules.
///
/// Reading creates and changes no file (see ``QuietReading``). Used by one thread.
package final class StoreInspector {
  private let connection: SQLiteConnection
  private let url: URL
  private let isWriting: Bool

  /// Opens a file for reading or for writing. Throws Cocoa errors for a missing file, one that is
  /// not a database, and a database that is not a store (`persistentStoreInvalidType`).
  package init(url: URL, isWriting: Bool = false, timeout: TimeInterval = 30) throws {
    let file = StoreFile(url: url)
    try file.checkExists(file.state())
    self.url = url
    self.isWriting = isWriting
    connection = try Self.reporting(url, action: .open) {
      let access = isWriting ? .readWrite : QuietReading(url).access
      let connection = try SQLiteConnection(path: url.path, access: access, timeout: timeout)
      try SQLiteFunctions.register(on: connection)
      if isWriting { try SQLiteFunctions.registerFunctionsOfTriggers(on: connection) }
      return connection
    }
    guard try Self.reporting(url, action: .open, body: { try StoreCatalog(connection).hasMetadata })
    else {
      throw CoreDataError.file(
        .persistentStoreInvalidType, url: url,
        reason:
          "The database at \(url.path) has no table Z_METADATA: it is not a store of Core Data."
      )
    }
  }

  /// The file's journal mode, such as `wal` or `delete`. A connection that opens a file with a log
  /// for reading alone has a mode of its own, which SQLite would name.
  package var journalMode: String {
    get throws {
      if let head = FileHead.read(of: connection), FileHead.usesLog(head) { return "wal" }
      return try rows("PRAGMA journal_mode").first?.first as? String ?? ""
    }
  }

  /// Steps over the rows of a statement until `body` returns false. Values are `Int64`, `Double`,
  /// `String` or `Data`, nil for NULL.
  package func forEachRow(
    _ sql: String, values: [SQLValue] = [], body: ([Any?]) throws -> Bool
  ) throws {
    try Self.reporting(url, action: isWriting ? .save : .read) {
      try connection.withStatement(sql) { statement in
        statement.bind(values)
        while try statement.step() {
          let row = (0..<Int32(statement.columnCount)).map { statement.plainValue($0) }
          guard try body(row) else { return }
        }
      }
    }
  }

  /// All rows of a statement; see ``forEachRow(_:_:_:)``.
  package func rows(_ sql: String, values: [SQLValue] = []) throws -> [[Any?]] {
    var rows: [[Any?]] = []
    try forEachRow(sql, values: values) { row in
      rows.append(row)
      return true
    }
    return rows
  }

  /// The first column of the first row as an integer; nil if there is none.
  package func integer(_ sql: String, values: [SQLValue] = []) throws -> Int64? {
    try rows(sql, values: values).first?.first.flatMap { $0 } as? Int64
  }

  /// Commits everything that `body` writes, or nothing if it throws.
  package func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try Self.reporting(url, action: .save) { try connection.writeTransaction(body) }
  }

  /// A name quoted for SQL.
  package static func quoted(_ name: String) -> String { SQLIdentifier.quoted(name) }

  private static func reporting<Result>(
    _ url: URL, action: StoreAction, body: () throws -> Result
  ) throws -> Result {
    do { return try body() } catch let error as SQLiteError {
      throw error.cocoaError(url: url, doing: action)
    }
  }
}

extension SQLiteStatement {
  fileprivate func plainValue(_ column: Int32) -> Any? {
    switch type(of: column) {
    case .null: nil
    case .integer: integer(column)
    case .real: real(column)
    case .text: text(column)
    case .data: data(column)
    }
  }
}

extension NSPersistentStore {
  /// The tables and columns of an SQLite store's entities; nil for stores of other types.
  package final var sqlMapping: SQLMapping? {
    get throws { try (self as? SQLiteStore)?.contents.mapping }
  }

  /// The folder of external data; nil for a store that is not an SQLite file.
  package final var externalDataFolder: URL? {
    guard self is SQLiteStore, let url else { return nil }
    return StoreLocation.externalFolder(of: url)
  }
}
