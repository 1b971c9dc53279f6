/// The pragmas of a store's connections: Core Data's defaults, overridden by
/// `NSSQLitePragmasOption`.
///
///     page_size     4096         of a new file
///     auto_vacuum   incremental  of a new file
///     journal_mode  WAL
///     synchronous   FULL: a save is on the disk when it returns, also after a power failure. With
///                   `NORMAL`, which is faster, a power failure may lose the last saves; the end of
///                   the process never does.
///     journal_size_limit   8 MB: a log that a transaction has made longer is emptied after it
struct ConnectionSettings: Sendable {
  private static let ofFile = ["page_size", "auto_vacuum"]
  private static let journal = "journal_mode"
  private static let waiting = "synchronous"
  private static let trust = "trusted_schema"
  private static let distrust = "OFF"
  /// Twice the length at which SQLite begins a log anew.
  private static let logLimit: Int64 = 8 << 20
  private static let ofOthers = ofFile + [journal, waiting]
  private static let ordinary = [
    "page_size": "4096", "auto_vacuum": "2", journal: "WAL", waiting: "FULL", trust: distrust,
  ]

  let timeout: TimeInterval
  /// The time for which the main queue waits until it may write, in seconds; nil: as long as other
  /// threads wait.
  let mainQueueTimeout: TimeInterval?
  /// The number of threads that may read at once: `NSPersistentStoreConnectionPoolMaxSizeKey`, else
  /// 4.
  let readerLimit: Int
  /// The pragmas of the store's options, with lower-case names.
  private let pragmas: [String: String]
  /// The names of the pragmas that every connection has.
  private let ofReaders: [String]

  /// Throws `persistentStoreOpen` for a pragma whose name or value is not a plain word or number.
  init(_ options: StoreOptions) throws {
    timeout = max(0, options.timeout ?? StoreOptions.defaultTimeout)
    mainQueueTimeout = options.mainQueueTimeout
    let limit = options[NSPersistentStoreConnectionPoolMaxSizeKey] as? NSNumber
    readerLimit = min(max(1, limit?.intValue ?? 4), 64)
    var pragmas: [String: String] = [:]
    for (name, value) in options.pragmas {
      guard Self.isPlain(name), Self.isPlain(value) else {
        throw CoreDataError.make(
          .persistentStoreOpen,
          reason:
            "NSSQLitePragmasOption: the pragma “\(name)” and its value must be plain words or "
            + "numbers.")
      }
      pragmas[name.lowercased()] = value
    }
    self.pragmas = pragmas
    let others = pragmas.keys.filter { !Self.ofOthers.contains($0) && $0 != Self.trust }
    ofReaders = ([Self.trust] + others).sorted()
  }

  private func value(_ pragma: String) -> String? { pragmas[pragma] ?? Self.ordinary[pragma] }

  private static func isPlain(_ text: String) -> Bool {
    !text.isEmpty
      && text.unicodeScalars.allSatisfy {
        CharacterSet.alphanumerics.contains($0) && $0.isASCII || $0 == "_" || $0 == "-" || $0 == "."
      }
  }

  /// The value of `PRAGMA synchronous`.
  var synchronous: String { value(Self.waiting) ?? "FULL" }
  /// Whether a transaction is on the disk when its commit returns.
  var synchronises: Bool { ["FULL", "EXTRA", "2", "3"].contains(synchronous.uppercased()) }
  /// Whether the store's options set the size of the page cache.
  var hasPageCache: Bool { pragmas["cache_size"] != nil }
  var usesLog: Bool { value(Self.journal)?.lowercased() == "wal" }
  /// The size in bytes beyond which a log is emptied; nil if the options ask to leave it alone.
  var logLimit: Int64? {
    guard usesLog, pragmas["wal_autocheckpoint"].flatMap({ Int64($0) }).map({ $0 > 0 }) ?? true
    else { return nil }
    let limit = pragmas["journal_size_limit"].flatMap { Int64($0) } ?? 0
    // A smaller limit is kept by SQLite itself whenever it begins the log anew.
    return limit < 0 ? nil : max(limit, Self.logLimit)
  }
  var autoVacuumLevel: String {
    let level = value("auto_vacuum") ?? "2"
    return ["none": "0", "full": "1", "incremental": "2"][level.lowercased()] ?? level
  }

  func configureReader(_ connection: SQLiteConnection) throws {
    try apply(ofReaders, to: connection)
    connection.registerWhenNeeded(SQLiteFunctions.register)
  }

  /// Configures the connection that opens a file. Its own writes are on the disk at once:
  /// `synchronous` stays SQLite's default, FULL.
  func configureFirst(_ connection: SQLiteConnection) throws {
    try setJournal(of: connection)
    try configureReader(connection)
  }

  func configureWriter(_ connection: SQLiteConnection, isNew: Bool) throws {
    if isNew { try apply(Self.ofFile, to: connection) }
    try setJournal(of: connection)
    try configureChanging(connection)
  }

  /// Configures a connection that writes. Triggers call functions that no statement names, so all
  /// functions are registered at once.
  private func configureChanging(_ connection: SQLiteConnection) throws {
    try apply(ofReaders + [Self.waiting], to: connection)
    try SQLiteFunctions.register(on: connection)
  }

  /// Configures a connection that migrates; the journal mode stays unchanged.
  func configureMigration(_ connection: SQLiteConnection) throws {
    try configureChanging(connection)
    // Renaming a table must not rewrite the references to it in triggers and views: those are made
    // anew.
    try connection.execute("PRAGMA legacy_alter_table = ON")
  }

  /// Sets the journal mode. A change needs exclusive access to the file for a moment, for which
  /// SQLite's busy timeout does not always wait.
  private func setJournal(of connection: SQLiteConnection) throws {
    // No process can leave write-ahead mode while a connection has the file open and has read.
    if usesLog, FileHead.read(of: connection).map(FileHead.usesLog) ?? false { return }
    let deadline = Date(timeIntervalSinceNow: timeout)
    guard let wanted = value(Self.journal),
      try connection.text("PRAGMA journal_mode") != wanted.lowercased()
    else { return }
    while true {
      do { return try apply([Self.journal], to: connection) } catch let error as SQLiteError
        where error.isBusy && Date() < deadline
      {
        Thread.sleep(forTimeInterval: 0.01)
      }
    }
  }

  private func apply(_ names: [String], to connection: SQLiteConnection) throws {
    for name in names {
      guard let value = value(name) else { continue }
      if name == Self.trust, value == Self.distrust {
        connection.distrustSchema()
      } else {
        try connection.execute("PRAGMA \(name) = \(value)")
      }
    }
  }
}
