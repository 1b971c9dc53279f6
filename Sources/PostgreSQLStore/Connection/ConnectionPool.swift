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
  let limits: TimeLimits
  /// What it shares with the other pools of the process.
  private let budget: ConnectionBudget
  private let condition = NSCondition()
  /// How long a connection that nobody uses is kept, seconds.
  static let rest: TimeInterval = 60
  private let rest: TimeInterval
  /// The one that was used last comes last.
  private var idle: [(connection: PostgreSQLConnection, since: Date)] = []
  private var isSweeping = false
  private var count = 0
  private var isClosed = false

  convenience init(_ address: ServerAddress, limit: Int, timeout: TimeInterval?) {
    self.init(address, limit: limit, TimeLimits(timeout))
  }

  init(
    _ address: ServerAddress, limit: Int, _ limits: TimeLimits, rest: TimeInterval = rest,
    budget: ConnectionBudget = .shared
  ) {
    self.rest = rest
    self.budget = budget
    self.address = address
    // Keys are asked for on a second one while a batch is being written.
    self.limit = max(2, limit)
    saves = DispatchSemaphore(value: max(1, self.limit - 2))
    self.limits = limits
    budget.add(self)
  }

  deinit { budget.release(count) }

  /// Runs `body` with a connection that nobody else uses.
  ///
  /// - Parameter limits: how long its answers are waited for, where that is not what the pool says.
  func with<Result>(
    _ limits: TimeLimits? = nil, _ body: (PostgreSQLConnection) throws -> Result
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

  /// Runs `body`, for whom a connection does not wait for those of other stores: somebody who has one waits for it.
  func beyondTheBudget<Result>(_ body: () throws -> Result) rethrows -> Result {
    budget.enter()
    defer { budget.leave() }
    return try body()
  }

  /// The same for what writes.
  func writing<Result>(
    _ limits: TimeLimits? = nil, _ body: (PostgreSQLConnection) throws -> Result
  ) throws -> Result {
    guard saves.wait(timeout: .now() + self.limits.request) == .success else { throw tooMany }
    defer { saves.signal() }
    return try with(limits ?? self.limits.ofSaves, body)
  }

  /// The same for what only reads: begun anew when the connection turns out to be cut.
  func reading<Result>(_ body: (PostgreSQLConnection) throws -> Result) throws -> Result {
    try retrying { try with(nil, body) }
  }

  /// Runs `body`, and again as long as the server cannot be reached or undoes what was done for the sake of
  /// others. `body` must have promised nothing to anybody when it throws such an error.
  func retrying<Result>(_ body: () throws -> Result) throws -> Result {
    let end = Date(timeIntervalSinceNow: limits.request)
    var pause: TimeInterval = 0
    while true {
      do { return try body() } catch let error as PostgreSQLError {
        guard isWorthAnotherTry(error), Date() < end else { throw error }
        if !error.isTransient { dropIdle() }
      }
      // At once for the first time: a connection may be all that was cut.
      Thread.sleep(forTimeInterval: min(pause, max(0, end.timeIntervalSinceNow)))
      pause = min(1, max(0.02, pause * 2))
    }
  }

  /// How soon a connection has to be cut to be made again at once, seconds.
  private static let soon: TimeInterval = 1

  /// Runs `body`, which opens a store: again, a few times, where connections are cut soon. A server that is not there, or does
  /// not answer, is nothing to be waited for by who has not met it yet.
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
      // Who waits is told that there is nothing to wait for.
      condition.broadcast()
    }
  }

  /// Forgets connections that are most likely cut too.
  func dropIdle() {
    condition.withLock {
      forgetIdle()
      condition.broadcast()
    }
  }

  /// To be called with the lock.
  private func forgetIdle(
    _ isForgotten: ((connection: PostgreSQLConnection, since: Date)) -> Bool = { _ in true }
  ) {
    let before = idle.count
    idle.removeAll(where: isForgotten)
    count -= before - idle.count
    budget.release(before - idle.count)
  }

  /// Since when the connection that was used first has had nothing to do; nil when all are at work.
  var idleSince: Date? { condition.withLock { idle.first?.since } }

  /// Closes that one, for another pool; false when there is none any more.
  func dropOldest() -> Bool {
    condition.withLock {
      guard let oldest = idle.first else { return false }
      forgetIdle { $0.connection === oldest.connection }
      condition.signal()
      return true
    }
  }

  /// A connection that somebody has given back, for who was about to make one.
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

  /// A service that was busy once gives back to its server what it does not need any more. To be called with the lock.
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

  /// How many connections there are, used or not.
  var connectionCount: Int { condition.withLock { count } }

  /// A connection is gone.
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
