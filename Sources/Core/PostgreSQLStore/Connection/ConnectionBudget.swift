import CoreData

/// Process-wide limit on the connections of all pools, to any servers.
///
/// A thread that already has a connection gets another one regardless of the limit: while it
/// waited, it would block the connection that it has.
///
/// Sendable: `condition` guards the mutable state. A pool may call it while holding its own lock;
/// it calls pools without holding `condition`.
final class ConnectionBudget: @unchecked Sendable {
  static let shared = ConnectionBudget(maximum: 32)

  private struct Member {
    weak var pool: ConnectionPool?
    let limit: Int
  }

  /// A request that waits for a connection.
  private final class Ticket {
    let pool: ConnectionPool
    init(_ pool: ConnectionPool) { self.pool = pool }
  }

  private let condition = NSCondition()
  private var most: Int
  private var taken = 0
  /// The waiting requests, in order.
  private var line: [Ticket] = []
  /// Incremented whenever a connection is released.
  private var changes = 0
  private var pools: [Member] = []
  /// The number of connections of each thread.
  private var holders: [pthread_t: Int] = [:]

  init(maximum: Int) { most = max(1, maximum) }

  var maximum: Int {
    get { condition.withLock { most } }
    set { change { most = max(1, newValue) } }
  }

  var count: Int { condition.withLock { taken } }

  /// Registers a pool. Call it once per pool.
  func add(_ pool: ConnectionPool) {
    condition.withLock {
      pools.removeAll { $0.pool == nil }
      pools.append(Member(pool: pool, limit: pool.limit))
    }
  }

  /// Waits until a connection may be opened, or until the pool has an idle one. Returns the idle
  /// connection, or nil if the caller may open one.
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

  /// Releases the budget of closed connections.
  func release(_ count: Int) {
    guard count > 0 else { return }
    change { taken -= count }
  }

  /// Returns whether an idle connection should be closed: because another pool is waiting, or
  /// because the limit is exceeded. Call it when a connection is returned to its pool.
  func wants(from pool: ConnectionPool) -> Bool {
    condition.withLock {
      if taken > largest { return true }
      guard let first = line.first else { return false }
      changes += 1
      condition.broadcast()
      return first.pool !== pool
    }
  }

  // MARK: - Connections by thread

  func enter() { condition.withLock { holders[pthread_self(), default: 0] += 1 } }

  func leave() {
    condition.withLock {
      let rest = (holders[pthread_self()] ?? 1) - 1
      holders[pthread_self()] = rest > 0 ? rest : nil
    }
  }

  // MARK: - Called with the lock held

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

  /// The effective limit: at least the largest limit of a single pool.
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

  // MARK: - Called without the lock

  /// Closes the connection that has been idle longest, of any pool; returns false if none is idle.
  private func dropIdle() -> Bool {
    let pools = condition.withLock { self.pools.compactMap(\.pool) }
    let oldest = pools.compactMap { pool in pool.idleSince.map { (pool, $0) } }.min { $0.1 < $1.1 }
    return oldest?.0.dropOldest() ?? false
  }
}
