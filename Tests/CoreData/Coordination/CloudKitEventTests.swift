import CoreData
import Testing

@testable import CoreDataSamples

/// What views of a synchronisation's state ask: the container is as one whose account is signed out.
@Suite struct CloudKitEventTests {
  @Test func thereAreNoEvents() throws {
    let stack = try TestStack(.inMemory)
    try stack.withContext { context in
      let request = NSPersistentCloudKitContainerEventRequest.fetchEvents(after: .distantPast)
      let result = try context.execute(request) as? NSPersistentCloudKitContainerEventResult
      #expect((result?.result as? [NSPersistentCloudKitContainer.Event])?.isEmpty == true)
      request.resultType = .countEvents
      let count = try context.execute(request) as? NSPersistentCloudKitContainerEventResult
      #expect(count?.result as? [Int] == [0])
    }
  }

  @Test func aDescriptionsScopeIsKept() throws {
    let description = NSPersistentStoreDescription()
    let options = NSPersistentCloudKitContainerOptions(containerIdentifier: "iCloud.shelf")
    #expect(options.databaseScope == .private && options.databaseScope.rawValue == 2)
    options.databaseScope = .shared
    description.cloudKitContainerOptions = options
    let copy = try #require(description.copy() as? NSPersistentStoreDescription)
    #expect(copy.cloudKitContainerOptions?.databaseScope == .shared)
  }

  @Test func aNotificationWithoutAnEventIsNoMessage() {
    typealias Message = NSPersistentCloudKitContainer.EventChangedMessage
    #expect(Message.makeMessage(Notification(name: Message.name)) == nil)
  }
}
