import Synchronization

/// The connections of one database: one that writes, and several that read (four unless the store's
/// options set another number).
///
/// In write-ahead mode readers and the writer do not wait for each other. A database in memory has
/// a single connection for everything.
///
/// Sendable: `writerLock` guards the writer, `readers` has its lock; a connection is used by the
/// thread that took it.
final class SQLiteDatabase: @unchecked Sendable {
  private struct Readers {
    var idle: [SQLiteConnection] = []
    /// The number of further threads that may read; `waiting` is the number of threads that wait to
    /// read.
    var free: Int
    var waiting = 0
    var isClosed = false
    /// The state of the files when the idle connections were made; used for quiet reading only.
    var state: QuietReading.State?
  }

  let path: String
  /// The connection that opened the store. It closes with the last reference, and SQLite then
  /// checkpoints and removes the log.
  private let first: SQLiteConnection
  private let writerLock = NSRecursiveLock()
  /// The writing connection, made at the first write: many stores are only read.
  private var writer: SQLiteConnection?
  private let makeWriter: (@Sendable () throws -> SQLiteConnection)?
  private let readers: Mutex<Readers>
  /// Whether a reader may stay in its transaction while others write, as in write-ahead mode.
  private let keepsGenerations: Bool
  private let reads = Atomic(0)
  /// The number of reads so far, for tests of batch reading.
  var readCount: Int { reads.load(ordering: .relaxed) }
  /// The semaphore of threads that wait to read.
  private let turns = DispatchSemaphore(value: 0)
  /// Makes a reading connection; nil if the writer also reads.
  private let makeReader: (@Sendable () throws -> SQLiteConnection)?
  /// Detects changes of the files, for a store that is only read; nil for other stores.
  private let quiet: QuietReading?
  /// The time for which the main queue waits until it may write, in seconds; nil: as long as other
  /// threads wait.
  private let mainQueueTimeout: TimeInterval?
  /// The size in bytes beyond which a write-ahead log is emptied after a transaction; nil: never.
  private let logLimit: Int64?

  init(
    path: String, writer: SQLiteConnection, readerLimit: Int, keepsGenerations: Bool = false,
    quiet: QuietReading? = nil, makeReader: (@Sendable () throws -> SQLiteConnection)?
  ) {
    self.quiet = quiet
    mainQueueTimeout = nil
    logLimit = nil
    readers = Mutex(Readers(free: readerLimit))
    self.path = path
    self.keepsGenerations = keepsGenerations
    first = writer
    self.writer = writer
    makeWriter = nil
    self.makeReader = makeReader
  }

  /// - Parameter first: the connection that opened the store; it becomes the first idle reader.
  init(
    path: String, first: SQLiteConnection, readerLimit: Int, keepsGenerations: Bool,
    mainQueueTimeout: TimeInterval? = nil, logLimit: Int64? = nil,
    makeWriter: @escaping @Sendable () throws -> SQLiteConnection,
    makeReader: @escaping @Sendable () throws -> SQLiteConnection
  ) {
    quiet = nil
    self.mainQueueTimeout = mainQueueTimeout
    self.logLimit = logLimit
    readers = Mutex(Readers(idle: [first], free: readerLimit))
    self.path = path
    self.keepsGenerations = keepsGenerations
    self.first = first
    self.makeWriter = makeWriter
    self.makeReader = makeReader
  }

  /// Makes the first connection the writer, and no reader, for a store that writes at once. Called
  /// before the database is shared. False if there is a writer already.
  func writeWithFirst() -> Bool {
    if writer != nil { return false }
    readers.withLock { $0.idle.removeAll() }
    writer = first
    return true
  }

  /// Runs `body` with the writing connection, one thread at a time. Throws ``SQLiteError/busy`` if
  /// the main queue has waited for `mainQueueTimeout`.
  func write<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    guard let mainQueueTimeout, Confinement.isOnMainQueue else {
      return try writerLock.withLock {
        let writer = try writingConnection()
        let result = try body(writer)
        emptyLongLog(writer)
        return result
      }
    }
    // The lock's holder may be waiting for another process.
    guard writerLock.lock(before: Date(timeIntervalSinceNow: mainQueueTimeout)) else {
      throw SQLiteError.busy
    }
    defer { writerLock.unlock() }
    let writer = try writingConnection()
    let result = try writer.waiting(atMost: mainQueueTimeout) { try body(writer) }
    emptyLongLog(writer)
    return result
  }

  /// Empties a log that large transactions have made long. SQLite itself copies it into the
  /// database at each commit, and keeps its size for as long as somebody has the file open. While
  /// others read or write it stays; the next transaction tries again.
  private func emptyLongLog(_ writer: SQLiteConnection) {
    guard let logLimit, !writer.isInTransaction, writer.logSize > logLimit else { return }
    writer.withoutWaiting { writer.emptyLog() }
  }

  private func writingConnection() throws -> SQLiteConnection {
    if let writer { return writer }
    let made = try makeWriter?() ?? first
    writer = made
    return made
  }

  /// Runs `body` with a reading connection; waits while all of them are in use.
  func read<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    reads.wrappingAdd(1, ordering: .relaxed)
    guard let makeReader else { return try write { try cancellable($0, body: body) } }
    if keepsGenerations, QueryGeneration.isAnyAlive, let generation = QueryGeneration.current {
      return try generation.connection(to: self, makeReader).read {
        try cancellable($0, body: body)
      }
    }
    let idle = takeTurn()
    let state = quiet?.state
    var connection: SQLiteConnection?
    defer { endTurn(connection, state: state) }
    let reader = try idle ?? quietReader(state) ?? makeReader()
    connection = reader
    return try cancellable(reader, body: body)
  }

  private func cancellable<Result>(
    _ connection: SQLiteConnection, body: (SQLiteConnection) throws -> Result
  ) throws -> Result {
    guard let cancellation = ReadCancellation.ofThisRead else { return try body(connection) }
    return try connection.interrupted(when: { cancellation.isCancelled }) { try body(connection) }
  }

  /// Waits until this thread may read; returns an idle connection if there is one. For quiet
  /// reading returns nil, since the files' state has to be compared first.
  private func takeTurn() -> SQLiteConnection? {
    var mayRead = false
    let first = readers.withLock { readers -> SQLiteConnection? in
      mayRead = readers.free > 0
      if mayRead { readers.free -= 1 } else { readers.waiting += 1 }
      return mayRead && quiet == nil ? readers.idle.popLast() : nil
    }
    if mayRead { return first }
    // A thread that ends its read leaves its turn to a waiting one.
    turns.wait()
    return quiet == nil ? readers.withLock { $0.idle.popLast() } : nil
  }

  /// An idle connection for quiet reading; nil if there is none, or if the files have changed since
  /// the idle connections were made.
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

  /// - Parameter connection: the connection that read; nil if none could be made.
  private func endTurn(_ connection: SQLiteConnection?, state: QuietReading.State?) {
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

  /// Closes the readers. The first connection closes with the last reference, and SQLite then
  /// checkpoints and removes the log.
  func close() {
    readers.withLock {
      $0.isClosed = true
      $0.idle.removeAll()
    }
  }
}
