import CoreData

/// The connections of one store: as many as threads use at once, up to a limit; those that nobody uses are
/// kept for the next.
///
/// Sendable: `condition` guards what changes.
final class ConnectionPool: @unchecked Sendable {
  /// When nothing was said.
  static let defaultLimit = 8

  let address: ServerAddress
  let limit: Int
  /// As many saves at once as leave connections for reading: saves that note a history wait for each other, and a
  /// list that follows shall not wait for them all.
  private let saves: DispatchSemaphore
  private let timeout: TimeInterval?
  private let condition = NSCondition()
  private var idle: [PostgreSQLConnection] = []
  private var count = 0
  private var isClosed = false

  init(_ address: ServerAddress, limit: Int, timeout: TimeInterval?) {
    self.address = address
    // Keys are asked for on a second one while a batch is being written.
    self.limit = max(2, limit)
    saves = DispatchSemaphore(value: max(1, self.limit - 2))
    self.timeout = timeout
  }

  /// Runs `body` with a connection that nobody else uses.
  func with<Result>(_ body: (PostgreSQLConnection) throws -> Result) throws -> Result {
    let connection = try take()
    defer { giveBack(connection) }
    return try body(connection)
  }

  /// The same for what writes.
  func writing<Result>(_ body: (PostgreSQLConnection) throws -> Result) throws -> Result {
    saves.wait()
    defer { saves.signal() }
    return try with(body)
  }

  /// The same for what only reads: begun anew when the connection turns out to be cut.
  func reading<Result>(_ body: (PostgreSQLConnection) throws -> Result) throws -> Result {
    try retrying { try with(body) }
  }

  /// How long a server that was there is waited for when nothing was said: until another one has taken the
  /// place of a primary, seconds.
  private static let patience: TimeInterval = 60

  /// Runs `body`, and again as long as the server cannot be reached or undoes what was done for the sake of
  /// others. `body` must have promised nothing to anybody when it throws such an error.
  func retrying<Result>(_ body: () throws -> Result) throws -> Result {
    let end = Date(timeIntervalSinceNow: timeout ?? Self.patience)
    var pause: TimeInterval = 0
    while true {
      do { return try body() } catch let error as PostgreSQLError {
        guard isWorthAnotherTry(error), Date() < end else { throw error }
        if !error.isTransient { dropIdle() }
      }
      // At once for the first time: a connection may be all that was cut.
      Thread.sleep(forTimeInterval: pause)
      pause = min(1, max(0.02, pause * 2))
    }
  }

  private func isWorthAnotherTry(_ error: PostgreSQLError) -> Bool {
    error.isTransient || error.isConnectionLost || error.isOfFormerPrimary
  }

  func close() {
    condition.withLock {
      isClosed = true
      count -= idle.count
      idle = []
    }
  }

  /// Forgets connections that are most likely cut too.
  func dropIdle() {
    condition.withLock {
      count -= idle.count
      idle = []
      condition.broadcast()
    }
  }

  private func take() throws -> PostgreSQLConnection {
    let known = try condition.withLock { () -> PostgreSQLConnection? in
      while idle.isEmpty, count >= limit, !isClosed { condition.wait() }
      if isClosed {
        throw CoreDataError.make(
          .persistentStoreOperation,
          reason:
            "The store at \(address.url.absoluteString) is not open: it has been removed from "
            + "its coordinator.")
      }
      if let last = idle.popLast() { return last }
      count += 1
      return nil
    }
    if let known { return known }
    do { return try PostgreSQLConnection(address, timeout: timeout) } catch {
      release()
      throw error
    }
  }

  private func giveBack(_ connection: PostgreSQLConnection) {
    guard connection.isIdle else { return release() }
    condition.withLock {
      if isClosed { count -= 1 } else { idle.append(connection) }
      condition.signal()
    }
  }

  private func release() {
    condition.withLock {
      count -= 1
      condition.signal()
    }
  }
}
