import CoreDataSupport
import PostgreSQLServer
import Synchronization
import Testing
import TestSupport

@testable import CoreData
@testable import PostgreSQLStore

/// Requests that wait do so without a thread each, so that everything else goes on.
///
/// Several of the tests take all places at work that there are: at once, each would wait for the other's.
@Suite(.serialized, .enabled(if: PostgreSQLServer.isAvailable)) struct ContextsAtWorkTests {
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
  }

  // MARK: - The order

  private func contexts(_ count: Int, most: Int) throws -> [NSManagedObjectContext] {
    let model = NSManagedObjectModel()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(type: .inMemory, at: URL(fileURLWithPath: "/dev/null"))
    coordinator.maximumContextsAtWork = most
    return (0..<count).map { _ in
      let context = coordinator.makeContext()
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

  // MARK: - How many begin

  /// Blocks that wait for each other all get their places, one after the other.
  @Test func blocksThatWaitForTheLastOneGoOn() throws {
    let contexts = try contexts(64, most: 64)
    let gate = DispatchSemaphore(value: 0)
    let ended = Occurrences()
    for context in contexts.dropLast() {
      context.perform {
        gate.wait()
        ended.note()
      }
    }
    contexts[63].perform { for _ in 0..<63 { gate.signal() } }
    try ended.wait(for: "all blocks", times: 63)
  }

  /// A process with many stores has no more threads than one with few; and a store of which nothing is at work has its turn,
  /// however many wait for others.
  @Test func manyStoresShareTheThreads() throws {
    let stores = try (0..<20).map { _ in try contexts(40, most: 64) }
    let counts = Mutex((now: 0, most: 0))
    let gate = DispatchSemaphore(value: 0)
    let ended = Occurrences()
    let other = Occurrences()
    for context in stores.dropLast().joined() {
      context.perform {
        counts.withLock { counts in
          counts.now += 1
          counts.most = max(counts.most, counts.now)
        }
        gate.wait()
        counts.withLock { $0.now -= 1 }
        ended.note()
      }
    }
    try Patience.wait(for: "all places") { counts.withLock { $0.now } >= WorkPlaces.most }
    stores[19][0].perform { other.note() }
    try other.wait(for: "the store of which nothing was at work")
    for _ in 0..<(19 * 40) { gate.signal() }
    try ended.wait(for: "all blocks", times: 19 * 40)
    #expect(counts.withLock { $0.most } <= WorkPlaces.most + 20)
  }
}
