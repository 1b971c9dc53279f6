import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Container, context, coordinator and store together.
@Suite struct StackTests {
  private let container: NSPersistentContainer

  init() throws {
    container = NSPersistentContainer(name: "People", managedObjectModel: PeopleModel.make())
    let description = NSPersistentStoreDescription()
    description.type = NSInMemoryStoreType
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
  }

  private func save(_ names: String...) async throws {
    try await container.performBackgroundTask { context in
      for name in names {
        let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
        tag.setValue(name, forKey: "name")
      }
      try context.save()
    }
  }

  private func request(_ type: NSFetchRequestResultType) -> NSFetchRequest<NSFetchRequestResult> {
    let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Tag")
    request.resultType = type
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    return request
  }

  @Test func whatOneContextSavesAnotherFetches() async throws {
    try await save("b", "a")
    let names = try await container.performBackgroundTask { context in
      try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag"))
        .compactMap { $0.value(forKey: "name") as? String }
    }
    #expect(Set(names) == ["a", "b"])
  }

  @Test func theCoordinatorExecutesFetches() async throws {
    try await save("b", "a", "c")
    let (coordinator, context) = (
      container.persistentStoreCoordinator, container.newBackgroundContext()
    )
    try context.performAndWait {
      let count = try coordinator.execute(request(.countResultType), with: context)
      #expect(count as? [NSNumber] == [3])
      let identities = try coordinator.execute(
        request(.managedObjectIDResultType), with: context)
      let objects = try coordinator.execute(request(.managedObjectResultType), with: context)
      let names = (objects as? [NSManagedObject])?.map { $0.value(forKey: "name") as? String }
      #expect(names == ["a", "b", "c"])
      #expect(
        identities as? [NSManagedObjectID] == (objects as? [NSManagedObject])?.map(\.objectID))
    }
  }

  @Test func theCoordinatorNamesWhatItDoesNotExecute() throws {
    let context = container.newBackgroundContext()
    let save = NSSaveChangesRequest(inserted: nil, updated: nil, deleted: nil, locked: nil)
    let error = #expect(throws: NSError.self) {
      try container.persistentStoreCoordinator.execute(save, with: context)
    }
    #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
  }
}
