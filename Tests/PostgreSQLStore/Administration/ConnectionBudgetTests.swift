import CoreData
import PostgreSQLServer
import Synchronization
import TestSupport
import Testing

@testable import PostgreSQLStore

/// The connections of a process with many stores are bounded.
@Suite(.enabled(if: PostgreSQLServer.isAvailable)) struct ConnectionBudgetTests {
  private func pools(
    _ count: Int, limit: Int, _ budget: ConnectionBudget, timeout: TimeInterval? = nil
  ) throws -> [ConnectionPool] {
    let address = try ServerAddress(PostgreSQLServer.url(schema: "public"))
    return (0..<count).map { _ in
      ConnectionPool(address, limit: limit, limits: TimeLimits(timeout), budget: budget)
    }
  }

  /// Thirty tenants, each of whom several ask at once, read and save.
  @Test func manyStoresShareTheConnections() throws {
    let name = "tenants\(UUID().uuidString.prefix(8).lowercased())"
    let stacks = try (0..<30).map { _ in try ServerStack(name: name) }
    let most = Mutex(0)
    let failures = Mutex<[String]>([])
    let connection = try stacks[0].connection()
    let group = DispatchGroup()
    let isOver = Atomic(false)
    for (number, stack) in stacks.enumerated() {
      for part in 0..<3 {
        group.enter()
        Thread.detachNewThread {
          defer { group.leave() }
          do {
            for round in 0..<4 {
              try stack.add("\(number) \(part) \(round)")
              _ = try stack.count("title BEGINSWITH %@", "\(number)")
            }
          } catch { failures.withLock { $0.append("\(error)") } }
        }
      }
    }
    let watch = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      while !isOver.load(ordering: .relaxed) {
        let count = try? connection.query(
          "SELECT count(*) FROM pg_stat_activity WHERE application_name = $1 AND pid <> pg_backend_pid()",
          parameters: [.text(name)])
        most.withLock { $0 = max($0, Int(count?.integer(0, column: 0) ?? 0)) }
        usleep(5000)
      }
      watch.signal()
    }
    group.wait()
    isOver.store(true, ordering: .relaxed)
    watch.wait()
    #expect(failures.withLock { $0 } == [])
    for stack in stacks { #expect(try stack.titles().count == 12) }
    print("30 stores had \(most.withLock { $0 }) connections at most")
    // A backend whose client has gone may be there for a moment longer.
    #expect(most.withLock { $0 } <= PostgreSQLConnections.maximum + 10)
  }

  /// Everybody's turn comes, also of those who need a second connection while they have one.
  @Test(arguments: [1, 3]) func everybodysTurnComes(_ maximum: Int) throws {
    let budget = ConnectionBudget(maximum: maximum)
    let pools = try pools(6, limit: 3, budget)
    let done = Atomic(0)
    let group = DispatchGroup()
    for number in 0..<24 {
      group.enter()
      Thread.detachNewThread {
        defer { group.leave() }
        let pool = pools[number % pools.count]
        for round in 0..<5 {
          let isDone = try? pool.writing { connection in
            _ = try connection.query("SELECT 1")
            if round.isMultiple(of: 2) { try pool.with { _ = try $0.query("SELECT 2") } }
            return true
          }
          if isDone == true { done.add(1, ordering: .relaxed) }
        }
      }
    }
    group.wait()
    #expect(done.load(ordering: .relaxed) == 120)
    // One pool has a place of its own, whatever the maximum.
    #expect(budget.count <= max(maximum, 3))
    for pool in pools { pool.close() }
    #expect(budget.count == 0)
  }

  @Test func aPlaceIsWaitedForNoLongerThanTheTimeout() throws {
    let budget = ConnectionBudget(maximum: 2)
    let holders = try pools(2, limit: 2, budget)
    let late = try pools(1, limit: 2, budget, timeout: SilentStack.timeout)[0]
    let ready = Occurrences()
    let gate = DispatchSemaphore(value: 0)
    let ended = Occurrences()
    for pool in holders {
      Thread.detachNewThread {
        try? pool.with { _ in
          ready.note()
          gate.wait()
        }
        ended.note()
      }
    }
    try ready.wait(for: "both places", times: 2)
    let start = ContinuousClock.now
    let error = #expect(throws: PostgreSQLError.self) { try late.with { _ in } }
    #expect(error?.isLate == true)
    #expect("\(error.map { "\($0)" } ?? "")".contains("PostgreSQLConnections.maximum"))
    #expect((ContinuousClock.now - start) / .seconds(1) < SilentStack.longest)
    gate.signal()
    gate.signal()
    try ended.wait(for: "the others", times: 2)
    // What failed keeps no place.
    #expect(try late.with { try $0.query("SELECT 1::bigint").integer(0, column: 0) } == 1)
  }

  /// What nobody uses goes for who needs it.
  @Test func idleConnectionsMakeRoom() throws {
    let budget = ConnectionBudget(maximum: 2)
    let pools = try pools(5, limit: 2, budget)
    for pool in pools { try pool.with { _ = try $0.query("SELECT 1") } }
    #expect(budget.count == 2)
    #expect(pools.map(\.connectionCount) == [0, 0, 0, 1, 1])
  }
}
