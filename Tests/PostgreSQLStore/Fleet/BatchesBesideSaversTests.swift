import CoreData
import PostgreSQLServer
import Synchronization
import TestSupport
import Testing

@testable import PostgreSQLStore

/// Batch requests while others save the same rows: neither makes the other begin anew for ever, and nothing is lost.
@Suite(.enabled(if: PostgreSQLServer.isAvailable)) struct BatchesBesideSaversTests {
  private static let count = 300
  private static let savers = 8

  enum Batch: CaseIterable {
    case constant, expression, deletion
  }

  private func fill(_ stack: ServerStack) throws {
    let context = stack.context()
    try context.performAndWait {
      for number in 0..<Self.count {
        let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        book.setValue("\(number)", forKey: "title")
        book.setValue(0, forKey: "pages")
      }
      try context.save()
    }
  }

  /// Adds 1 to the pages of a few books and saves. Whether nobody was faster.
  private static func save(_ context: NSManagedObjectContext) throws -> Bool {
    try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      request.predicate = NSPredicate(
        format: "title IN %@", (0..<3).map { _ in "\(Int.random(in: 0..<count))" })
      let books = try context.fetch(request)
      for book in books {
        context.refresh(book, mergeChanges: false)
        book.setValue((book.value(forKey: "pages") as? Int64 ?? 0) + 1, forKey: "pages")
      }
      do {
        try context.save()
        saved.withLock { $0 += books.count }
        return true
      } catch let error as NSError where error.code == NSManagedObjectMergeError {
        context.rollback()
        return false
      }
    }
  }

  private static let saved = Mutex(0)

  @Test(.serialized, arguments: Batch.allCases) func aBatchEndsBesideSavers(
    _ batch: Batch
  ) throws {
    let options = [NSPersistentStoreTimeoutOption: 5 * Patience.stretch]
    let stack = try ServerStack(options: options)
    try fill(stack)
    Self.saved.withLock { $0 = 0 }
    let isOver = Atomic(false)
    let failures = Mutex<[String]>([])
    let group = DispatchGroup()
    for _ in 0..<Self.savers {
      let coordinator = try ServerStack.open(stack.url, options)
      let context = stack.context(coordinator)
      group.enter()
      Thread.detachNewThread {
        defer { group.leave() }
        while !isOver.load(ordering: .relaxed) {
          do { _ = try Self.save(context) } catch { failures.withLock { $0.append("\(error)") } }
        }
      }
    }
    try Patience.wait(for: "the savers to be at it") { Self.saved.withLock { $0 } > 50 }
    let context = stack.context()
    let start = ContinuousClock.now
    var rounds = 0
    var failure: (any Error)?
    do {
      for _ in 0..<3 {
        try context.performAndWait { _ = try context.execute(request(batch)) }
        rounds += 1
      }
    } catch { failure = error }
    let time = ContinuousClock.now - start
    isOver.store(true, ordering: .relaxed)
    group.wait()
    #expect(failure == nil)
    #expect(failures.withLock { $0 } == [])
    print("\(batch): \(rounds) beside \(Self.savers) savers in \(time)")
    let sum = try stack.connection().query("SELECT coalesce(sum(pages), 0)::bigint FROM \"Book\"")
    if batch == .expression {
      let expected = Self.saved.withLock { $0 } + rounds * 1000 * Self.count
      #expect(sum.integer(0, column: 0) == Int64(expected))
    }
    if batch == .deletion { #expect(try stack.titles() == []) }
  }

  private func request(_ batch: Batch) -> NSPersistentStoreRequest {
    switch batch {
    case .constant, .expression:
      let update = NSBatchUpdateRequest(entityName: "Book")
      update.propertiesToUpdate =
        batch == .constant ? ["date": Date()] : ["pages": NSExpression(format: "pages + 1000")]
      return update
    case .deletion:
      return NSBatchDeleteRequest(
        fetchRequest: NSFetchRequest<any NSFetchRequestResult>(entityName: "Book"))
    }
  }

  /// What is locked is looked at again.
  @Test(arguments: [false, true]) func whatSomebodyHasChangedMeanwhileIsLeftOut(
    isDeletion: Bool
  ) throws {
    let stack = try ServerStack()
    try stack.add("a", "b", "c")
    let blocker = try stack.connection()
    try blocker.execute(
      "BEGIN; UPDATE \"Book\" SET pages = 5, _version = _version + 1 WHERE title = 'b'")
    let ended = Occurrences()
    let failure = Mutex<(any Error)?>(nil)
    Thread.detachNewThread {
      let context = stack.context()
      do {
        try context.performAndWait {
          if isDeletion {
            let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Book")
            fetch.predicate = NSPredicate(format: "pages == nil")
            _ = try context.execute(NSBatchDeleteRequest(fetchRequest: fetch))
          } else {
            let update = NSBatchUpdateRequest(entityName: "Book")
            update.predicate = NSPredicate(format: "pages == nil")
            update.propertiesToUpdate = ["pages": 7]
            _ = try context.execute(update)
          }
        }
      } catch { failure.withLock { $0 = error } }
      ended.note()
    }
    try Patience.wait(for: "the batch to wait") {
      try stack.connection().query(
        "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' "
          + "AND query LIKE '%FOR UPDATE%' AND query LIKE '%\"Book\"%'"
      ).integer(0, column: 0) > 0
    }
    try blocker.execute("COMMIT")
    try ended.wait(for: "the batch")
    #expect(failure.withLock { $0 == nil })
    #expect(try stack.count("pages == 5") == 1)
    #expect(try stack.count("pages == 7") == (isDeletion ? 0 : 2))
    #expect(try stack.titles() == (isDeletion ? ["b"] : ["a", "b", "c"]))
  }
}
