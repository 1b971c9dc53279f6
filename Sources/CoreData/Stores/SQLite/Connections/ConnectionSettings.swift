/// The pragmas of a store's connections: Core Data's own, overridden by `NSSQLitePragmasOption`.
///
///     page_size     4096         of a new file
///     auto_vacuum   incremental  of a new file
///     journal_mode  WAL
///     synchronous   FULL: what a save has written is on the disk when it returns, also after a power
///                   failure. `NORMAL` is faster and may lose the last saves then, but never at the end of
///                   the process.
struct ConnectionSettings: Sendable {
  private static let ofFile = ["page_size", "auto_vacuum"]
  private static let journal = "journal_mode"
  private static let waiting = "synchronous"
  private static let trust = "trusted_schema"
  private static let distrust = "OFF"
  private static let ofOthers = ofFile + [journal, waiting]
  private static let ordinary = [
    "page_size": "4096", "auto_vacuum": "2", journal: "WAL", waiting: "FULL", trust: distrust,
  ]

  let timeout: TimeInterval
  /// How long the main queue waits until it may write, seconds; nil: as long as everybody.
  let mainQueueTimeout: TimeInterval?
  /// How many threads may read at once: `NSPersistentStoreConnectionPoolMaxSizeKey`, else four.
  let readerLimit: Int
  /// What the store's options say.
  private let pragmas: [String: String]
  /// The pragmas of every connection.
  private let ofReaders: [String]

  /// Throws for a pragma whose name or value is not a plain word or number.
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

  /// `PRAGMA synchronous` as it is between transactions.
  var synchronous: String { value(Self.waiting) ?? "FULL" }
  /// Whether what a transaction has written is on the disk when it returns.
  var synchronises: Bool { ["FULL", "EXTRA", "2", "3"].contains(synchronous.uppercased()) }
  /// Whether the store's options say how many pages are kept in memory.
  var hasPageCache: Bool { pragmas["cache_size"] != nil }
  var usesLog: Bool { value(Self.journal)?.lowercased() == "wal" }
  var autoVacuumLevel: String {
    let level = value("auto_vacuum") ?? "2"
    return ["none": "0", "full": "1", "incremental": "2"][level.lowercased()] ?? level
  }

  func configureReader(_ connection: SQLiteConnection) throws {
    try apply(ofReaders, to: connection)
    connection.registerWhenNeeded(SQLiteFunctions.register)
  }

  /// For the connection that opens a file: what it writes itself is on the disk at once.
  func configureFirst(_ connection: SQLiteConnection) throws {
    try setJournal(of: connection)
    try configureReader(connection)
  }

  func configureWriter(_ connection: SQLiteConnection, isNew: Bool) throws {
    if isNew { try apply(Self.ofFile, to: connection) }
    try setJournal(of: connection)
    try configureChanging(connection)
  }

  /// Triggers call functions that no statement names, so that all are registered.
  private func configureChanging(_ connection: SQLiteConnection) throws {
    try apply(ofReaders + [Self.waiting], to: connection)
    try SQLiteFunctions.register(on: connection)
  }

  /// For a connection that migrates: the journal stays as it is.
  func configureMigration(_ connection: SQLiteConnection) throws {
    try configureChanging(connection)
    // Renaming a table must not look into what else names it: all of that is made anew.
    try connection.execute("PRAGMA legacy_alter_table = ON")
  }

  /// Changing the journal takes the file alone for a moment, and SQLite does not always wait for that.
  private func setJournal(of connection: SQLiteConnection) throws {
    // Nobody takes the log away while a connection has the file open and has read.
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
