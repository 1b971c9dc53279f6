import CoreData
import Testing

@testable import CoreDataSamples

@Suite struct AsynchronousFetchTests {
  private func makeStack(_ kind: StoreKind) throws -> TestStack {
    let stack = try TestStack(kind)
    try stack.withContext { (context) throws in
      for name in ["a", "b", "c"] { context.makeItem(name) }
      try context.save()
    }
    return stack
  }

  private func request() -> NSFetchRequest<Item> {
    let request = NSFetchRequest<Item>(entityName: "Item")
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    return request
  }

  @Test(arguments: StoreKind.all)
  func theResultComesLaterOnTheContextsQueueWithPendingChanges(_ kind: StoreKind) async throws {
    let stack = try makeStack(kind)
    let context = stack.makeContext()
    let titles = await withCheckedContinuation { continuation in
      context.performAndWait {
        context.makeItem("bb")
        let asynchronous = NSAsynchronousFetchRequest(fetchRequest: request()) { result in
          let titles = result.finalResult?.map { $0.title ?? "" } ?? []
          continuation.resume(returning: titles)
        }
        let result = try? context.execute(asynchronous) as? NSAsynchronousFetchResult<Item>
        #expect(result != nil && result?.finalResult == nil)
        #expect(result?.progress == nil && result?.managedObjectContext === context)
      }
    }
    #expect(titles == ["a", "b", "bb", "c"])
    // The stack takes its file with it.
    _ = stack
  }

  @Test func theProgressEndsAtTheNumberOfObjects() async throws {
    let stack = try makeStack(.sqlite)
    let context = stack.makeContext()
    let parent = Progress(totalUnitCount: 1)
    let counts = await withCheckedContinuation { continuation in
      context.performAndWait {
        let asynchronous = NSAsynchronousFetchRequest(fetchRequest: request()) { result in
          continuation.resume(
            returning: [result.progress?.completedUnitCount, result.progress?.totalUnitCount])
        }
        asynchronous.estimatedResultCount = 10
        parent.becomeCurrent(withPendingUnitCount: 1)
        _ = try? context.execute(asynchronous)
        parent.resignCurrent()
      }
    }
    #expect(counts == [3, 3])
    #expect(parent.isFinished)
    _ = stack
  }

  @Test func aCancelledFetchEndsWithAnError() async throws {
    let stack = try makeStack(.sqlite)
    let context = stack.makeContext()
    let error = await withCheckedContinuation { continuation in
      context.performAndWait {
        let asynchronous = NSAsynchronousFetchRequest(fetchRequest: request()) { result in
          #expect(result.finalResult == nil)
          continuation.resume(returning: result.operationError as? CocoaError)
        }
        // The completion waits for the queue, which this block holds.
        let result = try? context.execute(asynchronous) as? NSAsynchronousFetchResult<Item>
        result?.cancel()
      }
    }
    #expect(error?.code == .userCancelled)
    _ = stack
  }

  @Test func aWrongPredicateEndsWithTheErrorOfTheFetch() async throws {
    let stack = try makeStack(.sqlite)
    let context = stack.makeContext()
    let failed = await withCheckedContinuation { continuation in
      context.performAndWait {
        let wrong = request()
        wrong.predicate = NSPredicate(format: "shoe == 1")
        let asynchronous = NSAsynchronousFetchRequest(fetchRequest: wrong) { result in
          continuation.resume(returning: result.operationError != nil)
        }
        _ = try? context.execute(asynchronous)
      }
    }
    #expect(failed)
    let unknown = NSFetchRequest<Item>(entityName: "Nothing")
    context.performAndWait {
      #expect(throws: NSError.self) {
        try context.execute(NSAsynchronousFetchRequest(fetchRequest: unknown))
      }
    }
    _ = stack
  }
}
