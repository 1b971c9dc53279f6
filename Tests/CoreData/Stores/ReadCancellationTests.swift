import CoreDataSupport
import Foundation
import Testing
import TestSupport

@testable import CoreData
@testable import CoreDataSamples

/// Queries that end when nobody wants their results any more.
@Suite struct ReadCancellationTests {
  private func makeLongStack() throws -> TestStack {
    let stack = try TestStack(.sqlite)
    try stack.withContext { context in
      context.undoManager = nil
      for number in 0..<20_000 { context.makeItem("Item \(number)") }
      try context.save()
    }
    return stack
  }

  @Test func aQueryThatRunsEndsAndTheConnectionGoesOn() throws {
    let stack = try makeLongStack()
    try stack.withContext { context in
      let request = NSFetchRequest<Item>(entityName: "Item")
      request.predicate = NSPredicate(format: "title CONTAINS[cd] 'x' OR title CONTAINS[cd] '9'")
      let cancellation = ReadCancellation()
      #expect(throws: CancellationError.self) {
        try cancellation.watching {
          // The query asks while it runs.
          cancellation.cancel()
          return try context.fetchIdentities(request)
        }
      }
      let watched = try ReadCancellation().watching { try context.fetchIdentities(request).count }
      #expect(watched > 5000)
      let unwatched = try context.fetchIdentities(request).count
      #expect(unwatched == watched)
    }
  }

  @MainActor
  @Test func aFetchOfACancelledTaskIsGivenUpAndItsPlaceIsFree() async throws {
    let stack = try makeLongStack()
    for _ in 0..<4 {
      let task = Task {
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = stack.coordinator
        let request = NSFetchRequest<Item>(entityName: "Item")
        request.predicate = NSPredicate(format: "title CONTAINS[cd] '9'")
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        let controller = NSFetchedResultsController(
          fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil,
          cacheName: nil)
        try await controller.performFetchInBackground()
      }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    // Nobody has kept a place.
    try await FetchRoom.shared.enter()
    try await FetchRoom.shared.enter()
    FetchRoom.shared.leave()
    FetchRoom.shared.leave()
  }

  enum Place: CaseIterable {
    case file, memory, generation
  }

  @Test(
    arguments: Place.allCases,
    [NSFetchRequestResultType.managedObjectResultType, .countResultType])
  func anAsynchronousRequestThatIsCancelledEndsItsQuery(
    _ place: Place, _ type: NSFetchRequestResultType
  ) async throws {
    let stack = try place == .memory ? nil : TestStack(.sqlite)
    let coordinator =
      stack?.coordinator ?? NSPersistentStoreCoordinator(managedObjectModel: NestedModel.make())
    if place == .memory {
      try coordinator.addPersistentStore(type: .sqlite, at: URL(fileURLWithPath: "/dev/null"))
    }
    let context = coordinator.makeContext()
    try context.performAndWait {
      let root = context.makeItem("root")
      for number in 0..<20_000 {
        context.makeItem("Item \(number)").setValue(root, forKey: "parent")
      }
      try context.save()
      if place == .generation { try context.setQueryGenerationFrom(.current) }
    }
    let error = try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<(any Error)?, any Error>) in
      context.perform {
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Item")
        request.resultType = type
        // Each row is compared with all of them: many minutes.
        request.predicate = NSPredicate(
          format: "SUBQUERY(parent.children, $x, $x.title CONTAINS[cd] 'none').@count > 0")
        let fetch = NSAsynchronousFetchRequest(fetchRequest: request) {
          continuation.resume(returning: $0.operationError)
        }
        do {
          let result = try context.execute(fetch) as? NSPersistentStoreAsynchronousResult
          // Once the query is at work. A thread of its own, since many wait for those of queues.
          Thread.detachNewThread {
            do {
              try Patience.wait(for: "the query") { ReadCancellation.isAnyWatched }
            } catch { Issue.record(error) }
            result?.cancel()
          }
        } catch { continuation.resume(throwing: error) }
      }
    }
    #expect((error as? CocoaError)?.code == .userCancelled)
  }
}
