import CoreData
import PostgreSQLServer
import Synchronization
import TestSupport
import Testing

@testable import PostgreSQLStore

/// Many contexts of several coordinators save at once: no error but conflicts, and nothing that was acknowledged is
/// lost or there twice.
@Suite(.enabled(if: PostgreSQLServer.isAvailable)) struct ManySaversTests {
  private static let rounds = 12

  @Test(arguments: [false, true])
  func everyAcknowledgedChangeIsThere(tracksHistory: Bool) throws {
    let options: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: tracksHistory]
    let stack = try ServerStack(options: options)
    try stack.add("counter")
    let coordinators = try (0..<4).map { _ in try ServerStack.open(stack.url, options) }
    let increments = Atomic<Int>(0)
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 12) { number in
      let context = stack.context(coordinators[number % coordinators.count])
      for round in 0..<Self.rounds {
        do {
          try context.performAndWait {
            let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
            book.setValue("\(number) \(round)", forKey: "title")
            try Self.increment(context, isSaved: { increments.wrappingAdd(1, ordering: .relaxed) })
          }
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
    }
    #expect(failures.withLock { $0 } == [])
    let expected = 12 * Self.rounds
    #expect(increments.load(ordering: .relaxed) == expected)
    #expect(try stack.count("pages == %@", expected) == 1)
    #expect(try stack.count("title != 'counter'") == expected)
    guard tracksHistory else { return }
    let numbers = try stack.connection().query(
      "SELECT count(*), count(DISTINCT number), max(number) FROM \(HistoryTables.transactions)")
    #expect(numbers.integer(0, column: 0) == numbers.integer(0, column: 2))
    #expect(numbers.integer(0, column: 1) == numbers.integer(0, column: 2))
  }

  /// Counts up, again after each conflict, and saves with whatever else has changed.
  private static func increment(
    _ context: NSManagedObjectContext, isSaved: () -> Void
  ) throws {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
    request.predicate = NSPredicate(format: "title == 'counter'")
    while true {
      let counter = try #require(try context.fetch(request).first)
      context.refresh(counter, mergeChanges: false)
      let pages = counter.value(forKey: "pages") as? Int64 ?? 0
      counter.setValue(pages + 1, forKey: "pages")
      do {
        try context.save()
        return isSaved()
      } catch let error as NSError where error.code == NSManagedObjectMergeError {
        context.refresh(counter, mergeChanges: false)
      }
    }
  }

  @Test func aSaveIsToldToOthersSoon() throws {
    let options: [AnyHashable: Any] = [
      NSPersistentHistoryTrackingKey: true,
      NSPersistentStoreRemoteChangeNotificationPostOptionKey: true,
    ]
    let stack = try ServerStack(options: options)
    let other = try ServerStack.open(stack.url, options)
    let told = Occurrences()
    let observer = NotificationCenter.default.addObserver(
      forName: .NSPersistentStoreRemoteChange, object: other, queue: nil
    ) { _ in told.note() }
    defer { NotificationCenter.default.removeObserver(observer) }
    var times: [Duration] = []
    for number in 0..<10 {
      let start = ContinuousClock.now
      try stack.add("book \(number)")
      try told.wait(for: "a note of the save", times: number + 1)
      times.append(ContinuousClock.now - start)
    }
    print("From the beginning of a save to its note elsewhere: \(times.sorted()[5]) in the middle")
  }
}
