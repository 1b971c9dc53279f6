import CoreData
import PostgreSQLServer
import Synchronization
import TestSupport
import Testing

@testable import PostgreSQLStore

/// Many stores with many contexts each, while what lies before the server cuts, goes silent and comes back, and backends are
/// stopped and ended: what was acknowledged is there once, and nobody waits long. `FLEET_SECONDS` is the length of the run.
@Suite(.enabled(if: PostgreSQLServer.isAvailable)) struct FleetRunTests {
  private static let stores = 8
  private static let contexts = 10
  private static let timeout = 2.0

  /// What one context was told.
  private struct Account {
    var added: Set<Int64> = []
    var doubtful: Set<Int64> = []
    var removed: Set<Int64> = []
    var failures = 0
    var longest = 0.0
  }

  @Test func whatIsAcknowledgedIsThereOnce() throws {
    let seconds = ProcessInfo.processInfo.environment["FLEET_SECONDS"].flatMap(Double.init) ?? 6
    let seed = UInt64.random(in: 0..<1_000_000)
    print("seed \(seed)")
    let stack = try ServerStack(name: "fleet")
    let options: [AnyHashable: Any] = [
      NSPersistentStoreTimeoutOption: Self.timeout, NSPersistentStoreConnectionPoolMaxSizeKey: 4,
    ]
    let isOver = Atomic(false)
    let accounts = Mutex<[Account]>([])
    let group = DispatchGroup()
    var proxies: [CuttingProxy] = []
    for store in 0..<Self.stores {
      let (proxy, address) = try CuttingProxy.before(stack.url)
      proxies.append(proxy)
      let coordinator = try ServerStack.open(address, options)
      for number in 0..<Self.contexts {
        let context = stack.context(coordinator)
        let base = Int64(store * Self.contexts + number + 1) * 1_000_000
        group.enter()
        Thread.detachNewThread {
          let account = Self.work(context, from: base, until: { isOver.load(ordering: .relaxed) })
          accounts.withLock { $0.append(account) }
          group.leave()
        }
      }
    }
    try disturb(proxies, stack, for: seconds, seed)
    isOver.store(true, ordering: .relaxed)
    group.wait()
    for proxy in proxies { proxy.close() }
    let all = accounts.withLock { $0 }
    let result = try stack.connection().query(
      "SELECT pages, count(*) FROM \"Book\" WHERE pages IS NOT NULL GROUP BY pages")
    let found = (0..<result.count).map { (result.integer($0, 0), result.integer($0, 1)) }
    let there = Set(found.map(\.0))
    let lost = all.reduce(0) { $0 + $1.added.subtracting($1.doubtful).subtracting(there).count }
    let back = all.reduce(0) { $0 + $1.removed.subtracting($1.doubtful).intersection(there).count }
    let known = all.reduce(into: Set<Int64>()) { $0.formUnion($1.added.union($1.doubtful)) }
    let acknowledged = all.reduce(0) { $0 + $1.added.count + $1.removed.count }
    let longest = all.map(\.longest).max() ?? 0
    print(
      "\(acknowledged) acknowledged, \(all.reduce(0) { $0 + $1.failures }) failed, \(lost) lost, \(back) come back, "
        + "\(found.filter { $0.1 > 1 }.count) doubled, \(there.subtracting(known).count) of nobody, "
        + "longest wait \(longest) s")
    #expect(acknowledged > 0)
    #expect(lost == 0)
    #expect(back == 0)
    #expect(found.allSatisfy { $0.1 == 1 })
    #expect(there.isSubset(of: known))
    // Its turn, a save, and what has become of it.
    #expect(longest < (4 * Self.timeout + 4) * Patience.stretch)
  }

  /// Adds a book, changes it and takes every third away, save by save.
  private static func work(
    _ context: NSManagedObjectContext, from base: Int64, until isOver: () -> Bool
  ) -> Account {
    var account = Account()
    var next = base
    while !isOver() {
      next += 1
      let start = ContinuousClock.now
      var step = next
      do {
        try context.performAndWait {
          let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
          book.setValue(next, forKey: "pages")
          try context.save()
          account.added.insert(next)
          guard next.isMultiple(of: 3) else { return }
          step = next
          context.delete(book)
          account.added.remove(next)
          try context.save()
          account.removed.insert(next)
        }
      } catch {
        account.failures += 1
        account.doubtful.insert(step)
        context.performAndWait { context.reset() }
      }
      account.longest = max(account.longest, (ContinuousClock.now - start) / .seconds(1))
    }
    return account
  }

  private func disturb(
    _ proxies: [CuttingProxy], _ stack: ServerStack, for seconds: Double, _ seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    let server = try stack.connection()
    let end = Date(timeIntervalSinceNow: seconds)
    while Date() < end {
      let proxy = proxies.randomElement(using: &random)!
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1: proxy.cut(after: Int.random(in: 0..<4000, using: &random))
      case 2:
        proxy.beSilent()
        pause(Double.random(in: 0.1...3, using: &random))
        proxy.speak()
      case 3:
        try server.query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'fleet' "
            + "AND pid <> pg_backend_pid() ORDER BY random() LIMIT 2")
      default:
        let pids = try server.query(
          "SELECT pid FROM pg_stat_activity WHERE application_name = 'fleet' "
            + "AND pid <> pg_backend_pid() ORDER BY random() LIMIT 1")
        guard pids.count > 0 else { continue }
        kill(pid_t(pids.integer(0, 0)), SIGSTOP)
        pause(Double.random(in: 0.1...3, using: &random))
        kill(pid_t(pids.integer(0, 0)), SIGCONT)
      }
      pause(0.05)
    }
  }

  /// The length of a disturbance, not a wait for anything.
  private func pause(_ seconds: Double) { usleep(UInt32(seconds * 1_000_000)) }
}
