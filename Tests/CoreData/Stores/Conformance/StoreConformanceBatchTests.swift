import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Batch requests: who executes them, and what the others say.
@Suite struct StoreConformanceBatchTests {
  private func requests() -> [NSPersistentStoreRequest] {
    let update = NSBatchUpdateRequest(entityName: "Tag")
    update.propertiesToUpdate = ["name": "b"]
    return [
      NSBatchInsertRequest(entityName: "Tag", objects: [["name": "a"]]), update,
      NSBatchDeleteRequest(fetchRequest: NSFetchRequest<NSFetchRequestResult>(entityName: "Tag")),
    ]
  }

  @Test(arguments: StoreKind.all.filter(\.hasBatches))
  func batchRequestsAreExecuted(kind: StoreKind) throws {
    try TestStack(kind, model: PeopleModel.make()).withContext { context in
      for request in requests() { _ = try context.execute(request) }
      let count = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Tag"))
      #expect(count == 0)
    }
  }

  /// As Apple's: a store that is held in memory whole has no batch requests.
  @Test(arguments: StoreKind.all.filter { !$0.hasBatches })
  func otherStoresRefuseBatchRequests(kind: StoreKind) throws {
    try TestStack(kind, model: PeopleModel.make()).withContext { context in
      for request in requests() {
        let error = #expect(throws: NSError.self) { try context.execute(request) }
        #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
      }
    }
  }
}
