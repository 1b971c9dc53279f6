import CoreData
import PostgreSQLServer
import Synchronization
import TestSupport
import Testing

@testable import PostgreSQLStore

/// Requests that wait do so without a thread each, so that everything else goes on.
@Suite(.enabled(if: PostgreSQLServer.isAvailable)) struct ContextsAtWorkTests {
  private static var threads: Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
  }

  @Test func manyRequestsToASilentServerLeaveTheProgramAlive() async throws {
    let silent = try SilentStack()
    let container = NSPersistentContainer(
      name: "Books", managedObjectModel: silent.coordinator.managedObjectModel)
    let (proxy, address) = try CuttingProxy.before(silent.stack.url)
    defer { proxy.close() }
    let description = NSPersistentStoreDescription(url: address)
    description.type = NSPersistentStore.StoreType.postgreSQL.rawValue
    description.timeout = SilentStack.timeout
    container.persistentStoreDescriptions = [description]
    container.loadPersistentStores { #expect($1 == nil) }
    proxy.beSilent()
    let before = Self.threads
    let most = Mutex(0)
    let gap = Mutex(Duration.zero)
    let isOver = Atomic(false)
    let ended = Occurrences()
    // What the system does in the background, Swift's tasks among it, goes on: asked from a thread that nobody else needs.
    Thread.detachNewThread {
      while !isOver.load(ordering: .relaxed) {
        let start = ContinuousClock.now
        let beat = DispatchSemaphore(value: 0)
        DispatchQueue.global().async { beat.signal() }
        beat.wait()
        gap.withLock { $0 = max($0, ContinuousClock.now - start) }
        most.withLock { $0 = max($0, Self.threads) }
        Thread.sleep(forTimeInterval: 0.01)
      }
      ended.note()
    }
    let failures = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<300 {
        group.addTask {
          do {
            _ = try await container.performBackgroundTask { context in
              try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book"))
            }
            return false
          } catch { return true }
        }
      }
      var failures = 0
      for await failed in group where failed { failures += 1 }
      return failures
    }
    isOver.store(true, ordering: .relaxed)
    try ended.wait(for: "the last beat")
    #expect(failures == 300)
    print("The longest pause of a heart: \(gap.withLock { $0 })")
    #expect(gap.withLock { $0 } < Patience.stretched(.milliseconds(500)))
    // Other tests have some at the same time.
    #expect(most.withLock { $0 } - before < 200)
  }

  // MARK: - The order

  private func contexts(_ count: Int, most: Int) throws -> [NSManagedObjectContext] {
    let model = NSManagedObjectModel()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(type: .inMemory, at: URL(fileURLWithPath: "/dev/null"))
    coordinator.maximumContextsAtWork = most
    return (0..<count).map { _ in
      let context = NSManagedObjectContext(.privateQueue)
      context.persistentStoreCoordinator = coordinator
      return context
    }
  }

  @Test(arguments: [1, 3]) func noMoreContextsAreAtWorkThanMay(_ most: Int) throws {
    let contexts = try contexts(50, most: most)
    let counts = Mutex((now: 0, most: 0))
    let ended = Occurrences()
    for context in contexts + contexts {
      context.perform {
        counts.withLock { counts in
          counts.now += 1
          counts.most = max(counts.most, counts.now)
        }
        sched_yield()
        counts.withLock { $0.now -= 1 }
        ended.note()
      }
    }
    try ended.wait(for: "all blocks", times: 100)
    #expect(counts.withLock { $0.most } <= most)
  }

  /// What waits for a place comes before what is asked for later, also by who waits on its own thread.
  @Test func blocksOfAContextKeepTheirOrder() throws {
    let contexts = try contexts(2, most: 1)
    let gate = DispatchSemaphore(value: 0)
    contexts[0].perform { gate.wait() }
    let order = Mutex<[Int]>([])
    for number in 0..<3 { contexts[1].perform { order.withLock { $0.append(number) } } }
    contexts[1].performAndWait { order.withLock { $0.append(3) } }
    #expect(order.withLock { $0 } == [0, 1, 2, 3])
    gate.signal()
    let ended = Occurrences()
    contexts[1].perform { ended.note() }
    try ended.wait(for: "the last block")
    #expect(order.withLock { $0 } == [0, 1, 2, 3])
  }

  /// A context with much to do does not keep the others waiting.
  @Test func contextsTakeTurns() throws {
    let contexts = try contexts(2, most: 1)
    let gate = DispatchSemaphore(value: 0)
    let order = Mutex<[Int]>([])
    let ended = Occurrences()
    contexts[0].perform { gate.wait() }
    for _ in 0..<10 { contexts[0].perform { order.withLock { $0.append(0) } } }
    contexts[1].perform {
      order.withLock { $0.append(1) }
      ended.note()
    }
    gate.signal()
    try ended.wait(for: "the other context's block")
    #expect(order.withLock { $0.firstIndex(of: 1) ?? 10 } <= 2)
    contexts[0].performAndWait {}
    #expect(order.withLock { $0.count } == 11)
  }
}
