import CoreData
import Dispatch
import Testing

@testable import CoreDataSamples

/// Eight threads, one coordinator on a file, sixteen contexts: queues of their own, the main queue,
/// parents and children. What is lost and what is not is said by each kind of worker.
///
/// `THREADS_SECONDS` says for how long, in place of a number of steps; for the thread sanitiser.
@Suite struct ManyThreadsTests {
  @Test func noUpdateIsLostUnderAnyMergePolicy() throws {
    let stack = try TestStack(.sqlite)
    let bench = try ThreadBench(stack)
    bench.run(threads: 8, until: Self.end)
    #expect(bench.errors.isEmpty, "\(bench.errors.prefix(3))")
    try stack.withContext { context in
      for worker in bench.workers { try worker.check(context) }
      for group in bench.groups { try group.check(context) }
    }
    print(bench.summary)
  }

  private static var end: ThreadBench.End {
    let seconds = ProcessInfo.processInfo.environment["THREADS_SECONDS"].flatMap { Double($0) }
    return seconds.map { .at(Date(timeIntervalSinceNow: $0)) } ?? .after(steps: 60)
  }
}

/// The sixteen contexts with their workers, and the threads that drive them.
///
/// Sendable: constant but for `failures`, which has its lock; a worker's state is for its queue.
final class ThreadBench: @unchecked Sendable {
  enum End {
    case after(steps: Int)
    case at(Date)
  }

  let workers: [any ThreadWorker]
  let groups: [ItemGroup]
  private let lock = NSLock()
  private var failures: [any Error] = []

  init(_ stack: TestStack) throws {
    func group(_ name: String) throws -> ItemGroup { try ItemGroup(name, count: 4, stack) }
    let counted = try group("counted")
    let (trump, store) = (try group("trump"), try group("store"))
    let (pairs, kept) = (try group("pairs"), try group("kept"))
    let byObject = NSMergePolicy.mergeByPropertyObjectTrump
    let byStore = NSMergePolicy.mergeByPropertyStoreTrump
    let parent = stack.makeContext()
    let nursery = stack.makeContext()
    workers = [
      CountingWorker(stack.makeContext(), counted), CountingWorker(stack.makeContext(), counted),
      CountingWorker(Self.mainContext(stack), counted), CountingWorker(parent, counted),
      CountingWorker(Self.child(of: parent), counted),
      OwningWorker(stack.makeContext(), trump, "order", byObject),
      OwningWorker(stack.makeContext(), trump, "date", byObject),
      OwningWorker(stack.makeContext(), store, "order", byStore),
      OwningWorker(stack.makeContext(), store, "date", byStore),
      OverwritingWorker(stack.makeContext(), pairs, "a"),
      OverwritingWorker(stack.makeContext(), pairs, "b"),
      YieldingWorker(stack.makeContext(), kept, "a"),
      YieldingWorker(stack.makeContext(), kept, "b"),
      FamilyWorker(nursery, "n"), FamilyWorker(Self.child(of: nursery), "c"),
      ReadingWorker(stack.makeContext(), pairs),
    ]
    groups = [counted, trump, store, pairs, kept]
  }

  private static func mainContext(_ stack: TestStack) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(.mainQueue)
    context.persistentStoreCoordinator = stack.coordinator
    return context
  }

  private static func child(of parent: NSManagedObjectContext) -> NSManagedObjectContext {
    let child = NSManagedObjectContext(.privateQueue)
    child.parent = parent
    return child
  }

  var errors: [any Error] { lock.withLock { failures } }

  /// What each worker has done.
  var summary: String { workers.map(\.summary).joined(separator: "; ") }

  func run(threads: Int, until end: End) {
    DispatchQueue.concurrentPerform(iterations: threads) { thread in
      var random = SplitMix64(seed: UInt64(thread) + 1)
      var steps = 0
      while !Self.isOver(end, steps) {
        steps += 1
        step(workers[Int(random.next() % UInt64(workers.count))], random.next())
      }
    }
    // What was put on the queues last, and what that had the others merge.
    for _ in 0..<2 { for worker in workers { worker.context.performAndWait {} } }
  }

  private static func isOver(_ end: End, _ steps: Int) -> Bool {
    switch end {
    case .after(let limit): steps >= limit
    case .at(let date): Date() > date
    }
  }

  /// Mostly the thread waits; at times it leaves the step to the queue.
  private func step(_ worker: any ThreadWorker, _ number: UInt64) {
    if number % 8 == 0 {
      worker.context.perform { self.take(worker, number) }
    } else {
      take(worker, number)
    }
  }

  /// A child's step is its parent's turn too: nothing else changes the parent meanwhile. The child comes
  /// first, as it does when it reads or saves by itself.
  private func take(_ worker: any ThreadWorker, _ number: UInt64) {
    let context = worker.context
    context.performAndWait {
      (context.parent ?? context).performAndWait {
        var random = SplitMix64(seed: number)
        do { try worker.step(&random) } catch { lock.withLock { failures.append(error) } }
      }
    }
  }
}
