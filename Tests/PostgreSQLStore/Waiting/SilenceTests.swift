import CoreData
import PostgreSQLServer
import Synchronization
import TestSupport
import Testing

@testable import PostgreSQLStore

/// A server that takes everything and says nothing, or something before the server that forwards nothing: no request waits
/// longer for it than the store was told, whatever it waits for.
@Suite(.enabled(if: PostgreSQLServer.isAvailable)) struct SilenceTests {
  enum Request: CaseIterable {
    case rows, finishedInMemory, identities, count, dictionaries, object, history
    case insertion, copy, update, deletion, batchInsertion, batchUpdate, batchDeletion
  }

  private static func book(_ title: String, _ context: NSManagedObjectContext) {
    NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
      .setValue(title, forKey: "title")
  }

  private func run(
    _ request: Request, _ context: NSManagedObjectContext, _ books: [NSManagedObject]
  ) throws {
    let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Book")
    switch request {
    case .rows: _ = try context.fetch(fetch)
    case .finishedInMemory:
      fetch.predicate = NSPredicate(format: "title ENDSWITH 'x'")
      _ = try context.fetch(fetch)
    case .identities:
      fetch.resultType = .managedObjectIDResultType
      _ = try context.fetch(fetch)
    case .count: _ = try context.count(for: fetch)
    case .dictionaries:
      fetch.resultType = .dictionaryResultType
      _ = try context.fetch(fetch)
    case .object:
      context.refreshAllObjects()
      _ = try context.existingObject(with: books[0].objectID)
    case .history:
      _ = try context.execute(
        NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast))
    case .insertion:
      Self.book("new", context)
      try context.save()
    case .copy:
      for number in 0..<100 { Self.book("new \(number)", context) }
      try context.save()
    case .update:
      books[0].setValue(Int64(7), forKey: "pages")
      try context.save()
    case .deletion:
      context.delete(books[0])
      try context.save()
    case .batchInsertion:
      let insertion = NSBatchInsertRequest(entityName: "Book", objects: [["title": "new"]])
      _ = try context.execute(insertion)
    case .batchUpdate:
      let update = NSBatchUpdateRequest(entityName: "Book")
      update.propertiesToUpdate = ["pages": 7]
      _ = try context.execute(update)
    case .batchDeletion:
      _ = try context.execute(NSBatchDeleteRequest(fetchRequest: fetch))
    }
  }

  @Test(arguments: Request.allCases) func aRequestEndsWithItsStoresTimeout(
    _ request: Request
  ) throws {
    let silent = try SilentStack(
      request == .history ? [NSPersistentHistoryTrackingKey: true] : [:])
    let context = silent.stack.context(silent.coordinator)
    let books = try context.performAndWait {
      let fetch = NSFetchRequest<NSManagedObject>(entityName: "Book")
      fetch.returnsObjectsAsFaults = false
      return try context.fetch(fetch)
    }
    let (error, time) = silent.whileSilent(context) { try run(request, context, books) }
    #expect(error != nil)
    #expect(time < SilentStack.longest, "\(request) took \(time) s")
    // Once it speaks again, everything is as it was, or as it was asked for.
    let titles = try silent.stack.titles()
    #expect(Set(titles).count == titles.count)
    #expect(try SilentStack.count(silent.stack.context(silent.coordinator)) == titles.count)
  }

  /// Who waits for somebody that waits does not wait longer.
  @Test func manyRequestsEndTogether() throws {
    let silent = try SilentStack()
    let codes = Mutex<[Int]>([])
    let (_, time) = silent.whileSilent(silent.stack.context(silent.coordinator)) {
      DispatchQueue.concurrentPerform(iterations: 40) { number in
        let context = silent.stack.context(silent.coordinator)
        do {
          try context.performAndWait {
            Self.book("new \(number)", context)
            try context.save()
          }
        } catch { codes.withLock { $0.append((error as NSError).code) } }
      }
    }
    // `concurrentPerform` has as many at once as there are cores.
    let rounds = Double(40 / ProcessInfo.processInfo.activeProcessorCount + 1)
    #expect(time < SilentStack.longest * rounds)
    #expect(codes.withLock(\.count) == 40)
  }

  @Test func nobodyIsLetInBySilence() throws {
    let stack = try ServerStack()
    let (proxy, address) = try CuttingProxy.before(stack.url)
    defer { proxy.close() }
    proxy.beSilent()
    let start = ContinuousClock.now
    #expect(throws: (any Error).self) {
      try ServerStack.open(address, [NSPersistentStoreTimeoutOption: SilentStack.timeout])
    }
    #expect((ContinuousClock.now - start) / .seconds(1) < SilentStack.longest)
  }

  // MARK: - A server that hangs

  /// The process that serves the store is stopped, in the midst of whatever it is at.
  @Test(arguments: [false, true]) func aServerThatHangsIsGivenUp(isSave: Bool) throws {
    let name = "hangs \(isSave)"
    let stack = try ServerStack(name: name.replacing(" ", with: "%20"))
    try stack.add("a")
    let options = [NSPersistentStoreTimeoutOption: SilentStack.timeout]
    let coordinator = try ServerStack.open(stack.url, options)
    let context = stack.context(coordinator)
    _ = try SilentStack.count(context)
    let pids = try stack.connection().query(
      "SELECT pid FROM pg_stat_activity WHERE application_name = $1 AND pid <> pg_backend_pid()",
      parameters: [.text(name)])
    let stopped = (0..<pids.count).map { pid_t(pids.integer($0, column: 0)) }
    for pid in stopped { try #require(kill(pid, SIGSTOP) == 0) }
    let rescue = DispatchWorkItem { for pid in stopped { kill(pid, SIGCONT) } }
    DispatchQueue.global().asyncAfter(
      deadline: .now() + 3 * SilentStack.longest, execute: rescue)
    let start = ContinuousClock.now
    let error = #expect(throws: (any Error).self) {
      if isSave {
        try stack.add("b", in: context)
      } else {
        _ = try SilentStack.count(context)
      }
    }
    let time = (ContinuousClock.now - start) / .seconds(1)
    rescue.cancel()
    // One that stays stopped keeps others waiting: who drops a tablespace waits for every process of the server.
    for pid in stopped { kill(pid, SIGCONT) }
    #expect(time < SilentStack.longest)
    if !isSave { #expect((error as NSError?)?.code == NSPersistentStoreTimeoutError) }
    // Saved anew it is there once.
    try context.performAndWait { if context.hasChanges { try context.save() } }
    #expect(try stack.titles() == (isSave ? ["a", "b"] : ["a"]))
  }

  // MARK: - Without a timeout

  @Test func aServerThatIsAtItIsWaitedFor() throws {
    let stack = try ServerStack()
    let connection = try PostgreSQLConnection(
      ServerAddress(stack.url), limits: .asking(after: 0.2))
    #expect(try connection.query("SELECT 7::bigint FROM pg_sleep(2)").integer(0, column: 0) == 7)
  }

  @Test func oneThatSaysNothingIsAskedAndGivenUp() throws {
    let stack = try ServerStack()
    let (proxy, address) = try CuttingProxy.before(stack.url)
    defer { proxy.close() }
    let connection = try PostgreSQLConnection(
      ServerAddress(address), limits: .asking(after: 0.2))
    proxy.beSilent()
    let rescue = DispatchWorkItem { proxy.speak() }
    DispatchQueue.global().asyncAfter(
      deadline: .now() + 6 * SilentStack.longest, execute: rescue)
    let start = ContinuousClock.now
    let error = #expect(throws: PostgreSQLError.self) { try connection.query("SELECT 1") }
    #expect(error?.isLate == true)
    #expect((ContinuousClock.now - start) / .seconds(1) < 2 * SilentStack.longest)
    rescue.cancel()
  }

  // MARK: - The pool

  @Test func aPlaceInThePoolIsNotWaitedForLonger() throws {
    let stack = try ServerStack()
    let pool = try ConnectionPool(
      ServerAddress(stack.url), limit: 2, timeout: SilentStack.timeout)
    let start = ContinuousClock.now
    let error = #expect(throws: PostgreSQLError.self) {
      try pool.with { _ in try pool.with { _ in try pool.with { _ in } } }
    }
    #expect(error?.isLate == true)
    let time = (ContinuousClock.now - start) / .seconds(1)
    #expect(time >= SilentStack.timeout)
    #expect(time < SilentStack.longest)
    #expect(try pool.with { try $0.query("SELECT 1::bigint").integer(0, column: 0) } == 1)
  }
}

extension TimeLimits {
  /// Without a timeout, and asking soon.
  fileprivate static func asking(after silence: TimeInterval) -> TimeLimits {
    TimeLimits(connecting: nil, silence: silence, answer: .infinity, request: 60)
  }
}
