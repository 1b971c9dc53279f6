import Synchronization

/// The connections of one database: one that writes, some that read (four unless the store's options say
/// otherwise).
///
/// In write-ahead mode readers and the writer do not wait for each other. A database in memory has the
/// one connection only, for everything.
///
/// Sendable: `writerLock` guards the writer, `readers` has its lock; a connection is used by the thread
/// that took it out.
final class SQLiteDatabase: @unchecked Sendable {
  private struct Readers {
    var idle: [SQLiteConnection] = []
    /// How many more threads may read, and how many wait until they may.
    var free: Int
    var waiting = 0
    var isClosed = false
    /// The files as they were when the idle connections were made; only looked at for quiet reading.
    var state: QuietReading.State?
  }

  let path: String
  /// What the store was opened with: it closes with the last reference, and then SQLite empties the log.
  private let first: SQLiteConnection
  private let writerLock = NSRecursiveLock()
  /// Made when something is to be written for the first time: many a store is only looked at.
  private var writer: SQLiteConnection?
  private let makeWriter: (@Sendable () throws -> SQLiteConnection)?
  private let readers: Mutex<Readers>
  /// Whether a reader may stay in its transaction while others write, as with a write-ahead log.
  private let keepsGenerations: Bool
  private let reads = Atomic(0)
  /// How often a connection was asked to read: what tests of batches count.
  var readCount: Int { reads.load(ordering: .relaxed) }
  /// What those wait for who have to.
  private let turns = DispatchSemaphore(value: 0)
  /// Nil when the writer also reads.
  private let makeReader: (@Sendable () throws -> SQLiteConnection)?
  /// Set for a store that is only read.
  private let quiet: QuietReading?
  /// How long the main queue waits until it may write, seconds; nil: as long as everybody.
  private let mainQueueTimeout: TimeInterval?

  init(
    path: String, writer: SQLiteConnection, readerLimit: Int, keepsGenerations: Bool = false,
    quiet: QuietReading? = nil, makeReader: (@Sendable () throws -> SQLiteConnection)?
  ) {
    self.quiet = quiet
    mainQueueTimeout = nil
    readers = Mutex(Readers(free: readerLimit))
    self.path = path
    self.keepsGenerations = keepsGenerations
    first = writer
    self.writer = writer
    makeWriter = nil
    self.makeReader = makeReader
  }

  /// - Parameter first: the connection that has opened the store; others read with it from here on.
  init(
    path: String, first: SQLiteConnection, readerLimit: Int, keepsGenerations: Bool,
    mainQueueTimeout: TimeInterval? = nil,
    makeWriter: @escaping @Sendable () throws -> SQLiteConnection,
    makeReader: @escaping @Sendable () throws -> SQLiteConnection
  ) {
    quiet = nil
    self.mainQueueTimeout = mainQueueTimeout
    readers = Mutex(Readers(idle: [first], free: readerLimit))
    self.path = path
    self.keepsGenerations = keepsGenerations
    self.first = first
    self.makeWriter = makeWriter
    self.makeReader = makeReader
  }

  /// Has the first connection write and not read, for a store that writes at once. Called before the database is
  /// shared. False where it did so before.
  func writeWithFirst() -> Bool {
    if writer != nil { return false }
    readers.withLock { $0.idle.removeAll() }
    writer = first
    return true
  }

  /// Gives `body` the writing connection, one thread at a time.
  func write<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    guard let mainQueueTimeout, Confinement.isOnMainQueue else {
      return try writerLock.withLock { try body(try writingConnection()) }
    }
    // The one who has it may be waiting for another process.
    guard writerLock.lock(before: Date(timeIntervalSinceNow: mainQueueTimeout)) else {
      throw SQLiteError.busy
    }
    defer { writerLock.unlock() }
    let writer = try writingConnection()
    return try writer.waiting(atMost: mainQueueTimeout) { try body(writer) }
  }

  private func writingConnection() throws -> SQLiteConnection {
    if let writer { return writer }
    let made = try makeWriter?() ?? first
    writer = made
    return made
  }

  /// Gives `body` a connection that reads; waits when all of them are in use.
  func read<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    reads.wrappingAdd(1, ordering: .relaxed)
    guard let makeReader else { return try write { try cancellable($0, body) } }
    if keepsGenerations, QueryGeneration.isAnyAlive, let generation = QueryGeneration.current {
      return try generation.connection(to: self, makeReader).read { try cancellable($0, body) }
    }
    let idle = takeTurn()
    let state = quiet?.state
    var connection: SQLiteConnection?
    defer { endTurn(connection, state) }
    let reader = try idle ?? quietReader(state) ?? makeReader()
    connection = reader
    return try cancellable(reader, body)
  }

  private func cancellable<Result>(
    _ connection: SQLiteConnection, _ body: (SQLiteConnection) throws -> Result
  ) throws -> Result {
    guard let cancellation = ReadCancellation.ofThisRead else { return try body(connection) }
    return try connection.interrupted(when: { cancellation.isCancelled }) { try body(connection) }
  }

  /// Waits until this thread may read, and gives it an idle connection if there is one; for quiet reading none, since
  /// the files have to be looked at first.
  private func takeTurn() -> SQLiteConnection? {
    var mayRead = false
    let first = readers.withLock { readers -> SQLiteConnection? in
      mayRead = readers.free > 0
      if mayRead { readers.free -= 1 } else { readers.waiting += 1 }
      return mayRead && quiet == nil ? readers.idle.popLast() : nil
    }
    if mayRead { return first }
    // Whoever ends leaves the turn to one who waits.
    turns.wait()
    return quiet == nil ? readers.withLock { $0.idle.popLast() } : nil
  }

  /// An idle connection for quiet reading; nil when there is none, or when the files are others than those that the
  /// idle ones have seen.
  private func quietReader(_ state: QuietReading.State?) -> SQLiteConnection? {
    if quiet == nil { return nil }
    return readers.withLock { readers in
      if readers.state != state {
        readers.idle.removeAll()
        readers.state = state
      }
      return readers.idle.popLast()
    }
  }

  /// - Parameter connection: what was read with; nil where none could be made.
  private func endTurn(_ connection: SQLiteConnection?, _ state: QuietReading.State?) {
    let leavesTurn = readers.withLock { readers -> Bool in
      if let connection, !readers.isClosed, quiet == nil || readers.state == state {
        readers.idle.append(connection)
      }
      if readers.waiting == 0 {
        readers.free += 1
        return false
      }
      readers.waiting -= 1
      return true
    }
    if leavesTurn { turns.signal() }
  }

  /// Closes the readers; the writer closes with the last reference, and then SQLite empties the log.
  func close() {
    readers.withLock {
      $0.isClosed = true
      $0.idle.removeAll()
    }
  }
}
