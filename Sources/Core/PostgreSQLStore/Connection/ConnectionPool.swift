import CoreData

/// The connections of one store: one for each thread that needs one, up to a limit. Unused
/// connections are kept for later requests.
///
/// Sendable: `condition` guards the mutable state.
final class ConnectionPool: @unchecked Sendable {
  /// The limit if the options name none.
  static let defaultLimit = 8

  let address: ServerAddress
  let limit: Int
  /// Limits concurrent saves to leave connections for reads: saves with a history wait for each
  /// other, and a list that follows changes should not have to wait for all of them.
  private let saves: DispatchSemaphore
  let limits: TimeLimits
  /// The limit shared with the other pools of the process.
  private let budget: ConnectionBudget
  private let condition = NSCondition()
  /// Seconds after which an unused connection is closed.
  static let rest: TimeInterval = 60
  private let rest: TimeInterval
  /// The unused connections; the most recently used one is last.
  private var idle: [(connection: PostgreSQLConnection, since: Date)] = []
  private var isSweeping = false
  private var count = 0
  private var isClosed = false

  convenience init(_ address: ServerAddress, limit: Int, timeout: TimeInterval?) {
    self.init(address, limit: limit, limits: TimeLimits(timeout))
  }

  init(
    _ address: ServerAddress, limit: Int, limits: TimeLimits, rest: TimeInterval = rest,
    budget: ConnectionBudget = .shared
  ) {
    self.rest = rest
    self.budget = budget
    self.address = address
    // At least 2: a batch insert reserves keys on a second connection while it writes.
    self.limit = max(2, limit)
    saves = DispatchSemaphore(value: max(1, self.limit - 2))
    self.limits = limits
    budget.add(self)
  }

  deinit { budget.release(count) }

  /// Runs `body` with a connection for its exclusive use.
  ///
  /// - Parameter limits: time limits that replace the pool's.
  func with<Result>(
    _ limits: TimeLimits? = nil, body: (PostgreSQLConnection) throws -> Result
  ) throws -> Result {
    let connection = try take()
    budget.enter()
    defer {
      budget.leave()
      giveBack(connection)
    }
    connection.limits = limits ?? self.limits
    return try body(connection)
  }

  /// Runs `body` exempt from the process-wide limit, because a thread that has a connection waits
  /// for the result.
  func beyondTheBudget<Result>(_ body: () throws -> Result) rethrows -> Result {
    budget.enter()
    defer { budget.leave() }
    return try body()
  }

  /// Runs `body` with a connection for a save. Limits concurrent saves.
  func writing<Result>(
    _ limits: TimeLimits? = nil, body: (PostgreSQLConnection) throws -> Result
  ) throws -> Result {
    guard saves.wait(timeout: .now() + self.limits.request) == .success else { throw tooMany }
    defer { saves.signal() }
    return try with(limits ?? self.limits.ofSaves, body: body)
  }

  /// Runs `body`, which must only read, with a connection; repeats it if the connection is lost.
  func reading<Result>(_ body: (PostgreSQLConnection) throws -> Result) throws -> Result {
    try retrying { try with(nil, body: body) }
  }

  /// Runs `body`, and repeats it as long as the server cannot be reached or rolls the work back
  /// because of other transactions. If `body` throws such an error, it must not have caused effects
  /// outside.
  func retrying<Result>(_ body: () throws -> Result) throws -> Result {
    let end = Date(timeIntervalSinceNow: limits.request)
    var pause: TimeInterval = 0
    while true {
      do { return try body() } catch let error as PostgreSQLError {
        guard isWorthAnotherTry(error), Date() < end else { throw error }
        if !error.isTransient { dropIdle() }
      }
      // No pause the first time: a single connection may have been lost.
      Thread.sleep(forTimeInterval: min(pause, max(0, end.timeIntervalSinceNow)))
      pause = min(1, max(0.02, pause * 2))
    }
  }

  /// Seconds within which a connection must fail for ``opening(_:)`` to retry at once.
  private static let soon: TimeInterval = 1

  /// Runs `body`, which opens a store, and retries a few times if connections fail quickly. Does
  /// not wait for a server that is down or does not answer, since the store has never been
  /// connected.
  func opening<Result>(_ body: () throws -> Result) throws -> Result {
    for _ in 0..<3 {
      let start = Date()
      do { return try body() } catch let error as PostgreSQLError
        where error.isConnectionLost && start.timeIntervalSinceNow > -Self.soon
      {
        dropIdle()
      }
    }
    return try body()
  }

  private func isWorthAnotherTry(_ error: PostgreSQLError) -> Bool {
    error.isTransient || error.isConnectionLost || error.isOfFormerPrimary
  }

  func close() {
    condition.withLock {
      isClosed = true
      forgetIdle()
      // Wakes the waiting threads, which then throw.
      condition.broadcast()
    }
  }

  /// Closes the unused connections, which are probably lost too.
  func dropIdle() {
    condition.withLock {
      forgetIdle()
      condition.broadcast()
    }
  }

  /// Call it with the lock held.
  private func forgetIdle(
    _ isForgotten: ((connection: PostgreSQLConnection, since: Date)) -> Bool = { _ in true }
  ) {
    let before = idle.count
    idle.removeAll(where: isForgotten)
    count -= before - idle.count
    budget.release(before - idle.count)
  }

  /// The time since when the least recently used connection has been unused; nil if none is unused.
  var idleSince: Date? { condition.withLock { idle.first?.since } }

  /// Closes the least recently used connection, for another pool; returns false if none is unused.
  func dropOldest() -> Bool {
    condition.withLock {
      guard let oldest = idle.first else { return false }
      forgetIdle { $0.connection === oldest.connection }
      condition.signal()
      return true
    }
  }

  /// Takes an unused connection, for a thread that was about to open one.
  func takeIdle() -> PostgreSQLConnection? {
    condition.withLock {
      guard let last = idle.popLast() else { return nil }
      count -= 1
      condition.signal()
      return last.connection
    }
  }

  private var tooMany: PostgreSQLError {
    .late(
      "All \(limit) connections of the store have been in use for \(Int(limits.request)) seconds. Give them back "
        + "sooner, or allow more by NSPersistentStoreConnectionPoolMaxSizeKey")
  }

  private func take() throws -> PostgreSQLConnection {
    let end = Date(timeIntervalSinceNow: limits.request)
    let known = try condition.withLock { () -> PostgreSQLConnection? in
      while idle.isEmpty, count >= limit, !isClosed {
        if !condition.wait(until: end), idle.isEmpty, count >= limit, !isClosed { throw tooMany }
      }
      if isClosed {
        throw CoreDataError.make(
          .persistentStoreOperation,
          reason:
            "The store at \(address.url.absoluteString) is not open: it has been removed from "
            + "its coordinator.")
      }
      if let last = idle.popLast() { return last.connection }
      count += 1
      return nil
    }
    if let known { return known }
    do {
      if let idle = try budget.reserve(for: self, until: end, orThrow: tooManyOfProcess) {
        return idle
      }
    } catch {
      forget()
      throw error
    }
    do { return try PostgreSQLConnection(address, limits: limits) } catch {
      release()
      throw error
    }
  }

  private var tooManyOfProcess: PostgreSQLError {
    .late(
      "All \(budget.maximum) connections of this process to PostgreSQL servers have been in use for "
        + "\(Int(limits.request)) seconds. Give them back sooner, or allow more by PostgreSQLConnections.maximum"
    )
  }

  private func giveBack(_ connection: PostgreSQLConnection) {
    guard connection.isIdle, !budget.wants(from: self) else { return release() }
    condition.withLock {
      if isClosed {
        count -= 1
        budget.release(1)
      } else {
        idle.append((connection, Date()))
      }
      condition.signal()
      sweepLater()
    }
  }

  /// Schedules the closing of unused connections, so that a server gets them back after a peak.
  /// Call it with the lock held.
  private func sweepLater() {
    guard !isSweeping, !idle.isEmpty else { return }
    isSweeping = true
    DispatchQueue.global().asyncAfter(deadline: .now() + rest) { [weak self] in self?.sweep() }
  }

  private func sweep() {
    condition.withLock {
      isSweeping = false
      let end = Date(timeIntervalSinceNow: -rest)
      forgetIdle { $0.since <= end }
      sweepLater()
    }
  }

  /// The number of connections, used or unused.
  var connectionCount: Int { condition.withLock { count } }

  /// Records that a connection has been closed.
  private func release() {
    forget()
    budget.release(1)
  }

  private func forget() {
    condition.withLock {
      count -= 1
      condition.signal()
    }
  }
}
