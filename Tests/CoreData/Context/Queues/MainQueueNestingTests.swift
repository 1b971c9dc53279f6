import CoreData
import Testing

@testable import CoreDataSamples

/// A context of the main queue, used from inside of another context's queue while the main queue waits.
@Suite struct MainQueueNestingTests {
  @MainActor @Test func aChildOnItsOwnQueueSavesIntoAParentOnTheMainQueueThatWaits() throws {
    let stack = try TestStack(.inMemory)
    let main = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    main.persistentStoreCoordinator = stack.coordinator
    let worker = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    worker.parent = main
    try worker.performAndWait {
      _ = NSEntityDescription.insertNewObject(forEntityName: "Item", into: worker)
      try worker.save()
    }
    #expect(main.insertedObjects.count == 1)
    try main.save()
  }
}
