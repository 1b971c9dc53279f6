import CoreData
import CoreDataSupport
import PostgreSQLServer
import Synchronization
import Testing
import TestSupport

@testable import PostgreSQLStore

/// A cluster of three servers whose primary is killed again and again in the midst of saves: what was acknowledged is
/// there, once, and contexts go on by themselves. CLUSTER_KILLS says how often; without it there is no cluster.
@Suite(.enabled(if: PostgreSQLCluster.kills > 0, "CLUSTER_KILLS is not set"))
struct ClusterTests {
  private static let savers = 8

  @Test func whatWasAcknowledgedIsThereOnceAfterEveryKill() throws {
    let cluster = try PostgreSQLCluster()
    defer { cluster.stop() }
    let url = try #require(URL(string: cluster.address + "&options=-csearch_path%3Dbooks"))
    let coordinator = try ServerStack.open(url)
    let saved = Mutex([Int](repeating: 0, count: Self.savers))
    let errors = Mutex<[String]>([])
    let isOver = Atomic(false)
    let group = DispatchGroup()
    for number in 0..<Self.savers {
      group.enter()
      let thread = Thread {
        let context = coordinator.makeContext()
        let saver = Saver(number: number, context: context)
        while !isOver.load(ordering: .relaxed) {
          do {
            try saver.save()
            saved.withLock { $0[number] += 1 }
          } catch {
            errors.withLock { $0.append("\(error)") }
            break
          }
        }
        group.leave()
      }
      thread.start()
    }
    func count() -> Int { saved.withLock { $0.reduce(0, +) } }
    var outages: [Duration] = []
    for _ in 0..<PostgreSQLCluster.kills {
      try cluster.waitUntilWhole()
      // At any moment of the saves.
      let moment = count() + .random(in: 0..<5 * Self.savers)
      try Patience.wait(for: "the moment of the kill") {
        count() >= moment || !errors.withLock { $0.isEmpty }
      }
      try cluster.killPrimary()
      let (start, before) = (ContinuousClock.now, count())
      // Saves that were under way may still be acknowledged; what counts is that they go on.
      try Patience.wait(for: "saves after a kill") {
        count() >= before + 2 * Self.savers || !errors.withLock { $0.isEmpty }
      }
      outages.append(ContinuousClock.now - start)
      #expect(errors.withLock { $0 } == [])
    }
    isOver.store(true, ordering: .relaxed)
    group.wait()
    try cluster.waitUntilWhole()
    let numbers = saved.withLock { $0 }
    try check(coordinator, numbers)
    let sorted = outages.sorted()
    print(
      "Cluster: \(outages.count) kills, \(numbers.reduce(0, +)) saves; outages of "
        + "\(sorted[sorted.count / 2]) in the middle, \(sorted[sorted.count * 95 / 100]) (95%), "
        + "\(sorted.last ?? .zero) at most")
  }

  /// Each saver has its books, and one that counts its saves.
  private func check(_ coordinator: NSPersistentStoreCoordinator, _ saved: [Int]) throws {
    let context = coordinator.makeContext()
    try context.performAndWait {
      let books = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book"))
      let titles = books.map { $0.value(forKey: "title") as? String ?? "" }
      let wanted = saved.enumerated().flatMap { number, count in
        ["counter \(number)"] + (0..<count).map { "\(number) \($0 + 1)" }
      }
      #expect(titles.sorted() == wanted.sorted())
      let counters = Dictionary(
        uniqueKeysWithValues: books.map {
          ($0.value(forKey: "title") as? String ?? "", $0.value(forKey: "pages") as? Int ?? 0)
        })
      #expect(saved.indices.map { counters["counter \($0)"] ?? 0 } == saved)
    }
  }
}

/// Saves one new book at a time, and counts it in another one. Used by one thread.
private final class Saver {
  private let number: Int
  private let context: NSManagedObjectContext
  private var count = 0
  private var counter: NSManagedObject?

  init(number: Int, context: NSManagedObjectContext) {
    self.number = number
    self.context = context
  }

  func save() throws {
    try context.performAndWait {
      let counter =
        counter ?? NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
      self.counter = counter
      count += 1
      counter.setValue("counter \(number)", forKey: "title")
      counter.setValue(count, forKey: "pages")
      let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
      book.setValue("\(number) \(count)", forKey: "title")
      try context.save()
    }
  }
}
