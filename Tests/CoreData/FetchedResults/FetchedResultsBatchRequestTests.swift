import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Batch requests pass the context by: a list sees them once their IDs are merged, at once then.
@Suite struct FetchedResultsBatchRequestTests {
  private func merge(_ key: String, _ result: Any?, _ stack: FetchedStack) throws {
    let identities = try #require(result as? [NSManagedObjectID])
    NSManagedObjectContext.mergeChanges(
      fromRemoteContextSave: [key: identities], into: [stack.context])
  }

  private func track(
    _ body: (FetchedStack, BookController, CallRecorder) throws -> Void
  ) throws {
    try FetchedStack.tracking(["b", "d"], in: NSSQLiteStoreType, body)
  }

  @Test func insertionsShowOnceTheyAreMerged() throws {
    try track { stack, controller, recorder in
      let request = NSBatchInsertRequest(
        entityName: "Book", objects: [["title": "a"], ["title": "c"], ["title": "e"]])
      request.resultType = .objectIDs
      let result = try stack.context.execute(request) as? NSBatchInsertResult
      #expect(recorder.take() == [] && controller.titles == ["b", "d"])
      try merge(NSInsertedObjectsKey, result?.result, stack)
      #expect(recorder.take() == ["insert a - 0.0", "insert c - 0.2", "insert e - 0.4"])
      #expect(controller.titles == ["a", "b", "c", "d", "e"])
    }
  }

  @Test func updatesShowOnceTheyAreMerged() throws {
    try track { stack, controller, recorder in
      let request = NSBatchUpdateRequest(entityName: "Book")
      request.predicate = NSPredicate(format: "title == 'b'")
      request.propertiesToUpdate = ["title": "z"]
      request.resultType = .updatedObjectIDsResultType
      let result = try stack.context.execute(request) as? NSBatchUpdateResult
      #expect(recorder.take() == [])
      try merge(NSUpdatedObjectsKey, result?.result, stack)
      #expect(recorder.take() == ["move z 0.0 0.1"])
      #expect(controller.titles == ["d", "z"])
    }
  }

  @Test func deletionsShowOnceTheyAreMerged() throws {
    try track { stack, controller, recorder in
      let fetch = NSFetchRequest<NSFetchRequestResult>(entityName: "Book")
      fetch.predicate = NSPredicate(format: "title == 'b'")
      let request = NSBatchDeleteRequest(fetchRequest: fetch)
      request.resultType = .resultTypeObjectIDs
      let result = try stack.context.execute(request) as? NSBatchDeleteResult
      #expect(recorder.take() == [])
      try merge(NSDeletedObjectsKey, result?.result, stack)
      #expect(recorder.take().count == 1)
      #expect(controller.titles == ["d"])
    }
  }
}
