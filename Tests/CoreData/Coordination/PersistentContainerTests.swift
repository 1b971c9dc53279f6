import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Containers: a whole stack at once.
@Suite struct PersistentContainerTests {
  private func makeContainer() -> NSPersistentContainer {
    let container = NSPersistentContainer(
      name: "People", managedObjectModel: PeopleModel.make())
    let description = NSPersistentStoreDescription()
    description.type = NSInMemoryStoreType
    container.persistentStoreDescriptions = [description]
    return container
  }

  @Test func theDefaultStoreIsNamedAfterTheContainer() throws {
    let container = NSPersistentContainer(
      name: "People", managedObjectModel: PeopleModel.make())
    let url = NSPersistentContainer.defaultDirectoryURL()
      .appendingPathComponent("People.sqlite")
    #expect(container.persistentStoreDescriptions.map(\.url) == [url])
    #expect(NSPersistentContainer.defaultDirectoryURL.path.hasPrefix("/"))
    #expect(container.name == "People")
  }

  @Test func aSubclassSaysWhereItsStoresGo() {
    final class Elsewhere: NSPersistentContainer, @unchecked Sendable {
      override class func defaultDirectoryURL() -> URL { URL(fileURLWithPath: "/elsewhere") }
    }
    let container = Elsewhere(name: "A", managedObjectModel: NSManagedObjectModel())
    #expect(container.persistentStoreDescriptions[0].url?.path == "/elsewhere/A.sqlite")
    #expect(Elsewhere.defaultDirectoryURL.path == "/elsewhere")
  }

  @Test func loadingCallsBackBeforeItReturns() throws {
    let container = makeContainer()
    var calls: [(NSPersistentStoreDescription, (any Error)?)] = []
    container.loadPersistentStores { calls.append(($0, $1)) }
    #expect(calls.count == 1)
    #expect(calls[0].0 === container.persistentStoreDescriptions[0])
    #expect(calls[0].1 == nil)
    #expect(container.persistentStoreCoordinator.persistentStores.count == 1)
  }

  @Test func anAsynchronousDescriptionCallsBackLater() async throws {
    let container = makeContainer()
    container.persistentStoreDescriptions[0].shouldAddStoreAsynchronously = true
    let error = await withCheckedContinuation { continuation in
      container.loadPersistentStores { continuation.resume(returning: $1 as NSError?) }
    }
    #expect(error == nil)
    #expect(container.persistentStoreCoordinator.persistentStores.count == 1)
  }

  @Test func aStoreThatCannotBeLoadedIsReported() {
    let container = makeContainer()
    container.persistentStoreDescriptions[0].type = "Nowhere"
    var errors: [NSError?] = []
    container.loadPersistentStores { errors.append($1 as NSError?) }
    #expect(errors.map { $0?.code } == [NSPersistentStoreInvalidTypeError])
  }

  @Test func contextsOfAContainerShareItsCoordinator() {
    let container = makeContainer()
    let background = container.newBackgroundContext()
    #expect(background.persistentStoreCoordinator === container.persistentStoreCoordinator)
    #expect(background.concurrencyType == .privateQueueConcurrencyType)
    #expect(container.viewContext.concurrencyType == .mainQueueConcurrencyType)
    #expect(
      container.viewContext.persistentStoreCoordinator
        === container.persistentStoreCoordinator)
    #expect(!container.viewContext.automaticallyMergesChangesFromParent)
  }

  @Test func aBackgroundTaskReturnsWhatItsBlockReturns() async throws {
    let container = makeContainer()
    let type = await container.performBackgroundTask { $0.concurrencyType }
    #expect(type == .privateQueueConcurrencyType)
    await #expect(throws: CocoaError.self) {
      try await container.performBackgroundTask { _ in throw CocoaError(.coreData) }
    }
  }

  @Test func aContainerWithoutAModelIsEmpty() {
    let container = NSPersistentContainer(name: "NoModelOfThisName")
    #expect(container.managedObjectModel.entities.isEmpty)
  }
}
