import CoreData
import Dispatch
import Testing

@testable import CoreDataSamples

@Suite struct ConfinementTests {
  private func expectMessage(_ parts: [String], in result: ExitTest.Result?) throws {
    let bytes = try #require(result).standardErrorContent
    let text = String(decoding: bytes, as: UTF8.self)
    for part in parts { #expect(text.contains(part)) }
  }

  @Test func aUseFromAnotherQueueNamesBothQueues() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let stack = try TestStack(.inMemory)
      let context = stack.makeContext()
      context.name = "import"
      DispatchQueue(label: "downloads").sync { _ = context.makeItem("a") }
    }
    try expectMessage(
      ["“import”", "“NSManagedObjectContext ", "“downloads”", "performAndWait"], in: result)
  }

  @Test func aUseOfTheMainQueuesContextFromAnotherQueueNamesBoth() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      // Programs that run no tests stop without being asked.
      setenv("OPENCOREDATA_CONCURRENCY_DEBUG", "1", 1)
      let context = NSManagedObjectContext(.mainQueue)
      context.persistentStoreCoordinator = try TestStack(.inMemory).coordinator
      DispatchQueue(label: "downloads").sync { context.processPendingChanges() }
    }
    try expectMessage(["“com.apple.main-thread”", "“downloads”"], in: result)
  }

  /// A test that has forgotten `@MainActor` fails by itself: to stop would end all tests of the process.
  @Test(arguments: [
    "fetch", "count", "fetch later", "existing object", "batch request", "permanent IDs",
    "query generation", "save", "insert and save",
  ])
  func aTestWithTheMainQueuesContextFailsAlone(_ use: String) throws {
    let stack = try TestStack(.sqlite)
    let context = NSManagedObjectContext(.mainQueue)
    context.persistentStoreCoordinator = stack.coordinator
    let id = try stack.withContext { context in
      let item = context.makeItem("a")
      try context.save()
      return item.objectID
    }
    let error = #expect(throws: NSError.self) {
      try DispatchQueue(label: "test").sync {
        let request = NSFetchRequest<Item>(entityName: "Item")
        switch use {
        case "fetch": _ = try context.fetch(request)
        case "count": _ = try context.count(for: request)
        case "fetch later":
          _ = try context.execute(NSAsynchronousFetchRequest(fetchRequest: request) { _ in })
        case "existing object": _ = try context.existingObject(with: id)
        case "batch request": _ = try context.execute(NSBatchDeleteRequest(objectIDs: [id]))
        case "permanent IDs": try context.obtainPermanentIDs(for: [context.makeItem("a")])
        case "query generation": try context.setQueryGenerationFrom(.current)
        case "save": try context.save()
        default:
          context.makeItem("a")
          try context.save()
        }
      }
    }
    let text = "\(error?.userInfo["reason"] ?? "")"
    #expect(text.contains("@MainActor") && text.contains("“test”"), "\(text)")
  }

  @Test func whatCannotThrowInSuchATestSaysItOnce() async throws {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      let context = NSManagedObjectContext(.mainQueue)
      context.persistentStoreCoordinator = try TestStack(.inMemory).coordinator
      DispatchQueue(label: "test").sync {
        let item = context.makeItem("a")
        item.title = "b"
        context.refresh(item, mergeChanges: true)
        context.delete(item)
        context.processPendingChanges()
      }
    }
    let text = try #require(result).complaint
    #expect(text.components(separatedBy: "@MainActor").count == 2, "\(text)")
  }

  @Test func theCheckCanBeTurnedOff() async throws {
    await #expect(processExitsWith: .success) {
      UserDefaults.standard.register(defaults: ["com.apple.CoreData.ConcurrencyDebug": false])
      let stack = try TestStack(.inMemory)
      let context = stack.makeContext()
      DispatchQueue(label: "downloads").sync { _ = context.makeItem("a") }
    }
  }

  @Test func waitingRunsOnTheThreadThatWaits() {
    let context = NSManagedObjectContext(.privateQueue)
    let waiting = Thread.current
    context.performAndWait {
      #expect(Thread.current === waiting)
      context.performAndWait { #expect(Thread.current === waiting) }
    }
  }

  @Test func aContextWithoutAQueueMayBeUsedAnywhere() throws {
    let stack = try TestStack(.inMemory)
    let context = NSManagedObjectContext()
    #expect(context.concurrencyType == .confinementConcurrencyType)
    context.persistentStoreCoordinator = stack.coordinator
    let item = context.makeItem("a")
    try DispatchQueue(label: "elsewhere").sync {
      item.title = "b"
      try context.save()
    }
    #expect(try context.titles() == ["b"])
  }

  @Test func aContextWithoutAQueueHasNothingToPerformOn() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      NSManagedObjectContext().perform {}
    }
    try expectMessage(["Can only use perform"], in: result)
  }

  @Test func aLockedContextWaitsForItsOtherThreads() throws {
    let stack = try TestStack(.inMemory)
    let context = NSManagedObjectContext()
    context.persistentStoreCoordinator = stack.coordinator
    let item = context.makeItem("a")
    let guarded = Guarded(lock: context, item: item)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<200 { guarded.lock.withLock { guarded.item.order += 1 } }
    }
    #expect(item.order == 1600)
  }

  /// Sendable because the item is used under the lock alone.
  private struct Guarded: @unchecked Sendable {
    let lock: any NSLocking
    let item: Item
  }
}
