import CoreData

/// The places of all pools of the process, of whatever servers.
///
/// A thread that has a connection gets a second one beyond all limits: who waited for it would keep the first one.
///
/// Sendable: `condition` guards what changes. A pool may call it with its own lock; it calls pools without.
final class ConnectionBudget: @unchecked Sendable {
  static let shared = ConnectionBudget(maximum: 32)

  private struct Member {
    weak var pool: ConnectionPool?
    let limit: Int
  }

  /// One that waits for a place.
  private final class Ticket {
    let pool: ConnectionPool
    init(_ pool: ConnectionPool) { self.pool = pool }
  }

  private let condition = NSCondition()
  private var most: Int
  private var taken = 0
  /// The first one is the next.
  private var line: [Ticket] = []
  /// How often something has been given back.
  private var changes = 0
  private var pools: [Member] = []
  /// How many connections each thread has.
  private var holders: [pthread_t: Int] = [:]

  init(maximum: Int) { most = max(1, maximum) }

  var maximum: Int {
    get { condition.withLock { most } }
    set { change { most = max(1, newValue) } }
  }

  var count: Int { condition.withLock { taken } }

  /// To be called for each pool, once.
  func add(_ pool: ConnectionPool) {
    condition.withLock {
      pools.removeAll { $0.pool == nil }
      pools.append(Member(pool: pool, limit: pool.limit))
    }
  }

  /// Waits for a place, or for a connection of the pool's that somebody has given back; nil for a place.
  func reserve(
    for pool: ConnectionPool, until end: Date, orThrow error: @autoclosure () -> any Error
  ) throws -> PostgreSQLConnection? {
    if condition.withLock({ takeAtOnce() }) { return nil }
    let ticket = Ticket(pool)
    condition.withLock { line.append(ticket) }
    defer { change { line.removeAll { $0 === ticket } } }
    while true {
      let (isTaken, isFirst, seen) = condition.withLock {
        let isFirst = line.first === ticket
        return (isFirst && takeIfFree(), isFirst, changes)
      }
      if isTaken { return nil }
      if let idle = pool.takeIdle() { return idle }
      if isFirst, dropIdle() { continue }
      let isLate = condition.withLock {
        while changes == seen {
          if !condition.wait(until: end), changes == seen { return true }
        }
        return false
      }
      if isLate { throw error() }
    }
  }

  /// Gives places of connections that are closed back.
  func release(_ count: Int) {
    guard count > 0 else { return }
    change { taken -= count }
  }

  /// Whether a connection that its pool does not need now is to be closed: for another pool that waits for a place, or since
  /// there are more than may be. To be called when it is given back.
  func wants(from pool: ConnectionPool) -> Bool {
    condition.withLock {
      if taken > largest { return true }
      guard let first = line.first else { return false }
      changes += 1
      condition.broadcast()
      return first.pool !== pool
    }
  }

  // MARK: - Threads that have connections

  func enter() { condition.withLock { holders[pthread_self(), default: 0] += 1 } }

  func leave() {
    condition.withLock {
      let rest = (holders[pthread_self()] ?? 1) - 1
      holders[pthread_self()] = rest > 0 ? rest : nil
    }
  }

  // MARK: - With the lock

  private func takeAtOnce() -> Bool {
    if holders[pthread_self()] != nil {
      taken += 1
      return true
    }
    return line.isEmpty && takeIfFree()
  }

  private func takeIfFree() -> Bool {
    guard taken < largest else { return false }
    taken += 1
    return true
  }

  /// No store has fewer than it was told.
  private var largest: Int {
    max(most, pools.lazy.filter { $0.pool != nil }.map(\.limit).max() ?? 0)
  }

  private func change(_ body: () -> Void) {
    condition.withLock {
      body()
      changes += 1
      condition.broadcast()
    }
  }

  // MARK: - Without

  /// Has the pool whose connection has had nothing to do for longest close it; false when all are at work.
  private func dropIdle() -> Bool {
    let pools = condition.withLock { self.pools.compactMap(\.pool) }
    let oldest = pools.compactMap { pool in pool.idleSince.map { (pool, $0) } }.min { $0.1 < $1.1 }
    return oldest?.0.dropOldest() ?? false
  }
}
