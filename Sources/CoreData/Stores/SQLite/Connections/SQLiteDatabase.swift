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
    var isClosed = false
    /// The files as they were when the idle connections were made; only looked at for quiet reading.
    var state: QuietReading.State?
  }

  let path: String
  private let writer: SQLiteConnection
  private let writerLock = NSRecursiveLock()
  private let readers = Mutex(Readers())
  /// Whether a reader may stay in its transaction while others write, as with a write-ahead log.
  private let keepsGenerations: Bool
  private let reads = Atomic(0)
  /// How often a connection was asked to read: what tests of batches count.
  var readCount: Int { reads.load(ordering: .relaxed) }
  private let tickets: DispatchSemaphore
  /// Nil when the writer also reads.
  private let makeReader: (@Sendable () throws -> SQLiteConnection)?
  /// Set for a store that is only read.
  private let quiet: QuietReading?

  init(
    path: String, writer: SQLiteConnection, readerLimit: Int, keepsGenerations: Bool = false,
    quiet: QuietReading? = nil, makeReader: (@Sendable () throws -> SQLiteConnection)?
  ) {
    self.quiet = quiet
    tickets = DispatchSemaphore(value: readerLimit)
    self.path = path
    self.keepsGenerations = keepsGenerations
    self.writer = writer
    self.makeReader = makeReader
  }

  /// Gives `body` the writing connection, one thread at a time.
  func write<Result>(_ body: (SQLiteConnection) throws -> Result) rethrows -> Result {
    try writerLock.withLock { try body(writer) }
  }

  /// Gives `body` a connection that reads; waits when all of them are in use.
  func read<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    reads.wrappingAdd(1, ordering: .relaxed)
    guard let makeReader else { return try write { try cancellable($0, body) } }
    if keepsGenerations, QueryGeneration.isAnyAlive, let generation = QueryGeneration.current {
      return try generation.connection(to: self, makeReader).read { try cancellable($0, body) }
    }
    tickets.wait()
    defer { tickets.signal() }
    let state = quiet?.state
    let connection = try idleReader(state) ?? makeReader()
    defer { giveBack(connection, state) }
    return try cancellable(connection, body)
  }

  private func cancellable<Result>(
    _ connection: SQLiteConnection, _ body: (SQLiteConnection) throws -> Result
  ) throws -> Result {
    guard let cancellation = ReadCancellation.ofThisRead else { return try body(connection) }
    return try connection.interrupted(when: { cancellation.isCancelled }) { try body(connection) }
  }

  /// Nil when there is none, or when the files are others than those that the idle ones have seen.
  private func idleReader(_ state: QuietReading.State?) -> SQLiteConnection? {
    readers.withLock { readers in
      if readers.state != state {
        readers.idle.removeAll()
        readers.state = state
      }
      return readers.idle.popLast()
    }
  }

  private func giveBack(_ connection: SQLiteConnection, _ state: QuietReading.State?) {
    readers.withLock {
      if !$0.isClosed, $0.state == state { $0.idle.append(connection) }
    }
  }

  /// Closes the readers; the writer closes with the last reference, and then SQLite empties the log.
  func close() {
    readers.withLock {
      $0.isClosed = true
      $0.idle.removeAll()
    }
  }
}
