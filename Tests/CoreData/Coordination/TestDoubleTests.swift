import CoreData
import Testing

/// Subclasses that tests of applications put in the place of a stack, and of what a history gives.
@Suite struct TestDoubleTests {
  private final class OwnContainer: NSPersistentContainer, @unchecked Sendable {
    let own = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    override var viewContext: NSManagedObjectContext {
      own.persistentStoreCoordinator = own.persistentStoreCoordinator ?? persistentStoreCoordinator
      return own
    }
    override var name: String { "Own" + super.name }
  }

  @MainActor @Test func aContainerMayHaveAContextOfItsOwn() throws {
    let container = OwnContainer(name: "Stack", managedObjectModel: NSManagedObjectModel())
    let plain: NSPersistentContainer = container
    #expect(plain.viewContext === container.own && plain.name == "OwnStack")
    #expect(container.own.persistentStoreCoordinator === container.persistentStoreCoordinator)
  }

  private final class Transaction: NSPersistentHistoryTransaction, @unchecked Sendable {
    override var author: String? { "Ann" }
    override var changes: [NSPersistentHistoryChange]? { [Change()] }
    override var token: NSPersistentHistoryToken { NSPersistentHistoryToken() }
  }

  private final class Change: NSPersistentHistoryChange, @unchecked Sendable {
    static let item = Identity()
    override var changedObjectID: NSManagedObjectID { Self.item }
    override var changeType: NSPersistentHistoryChangeType { .delete }
  }

  private final class Identity: NSManagedObjectID, @unchecked Sendable {
    override func uriRepresentation() -> URL { URL(fileURLWithPath: "/item") }
  }

  private final class Result: NSPersistentHistoryResult {
    override var result: Any? { [Transaction()] }
  }

  @Test func aHistoryMayBeMadeUp() throws {
    let result: NSPersistentHistoryResult = Result()
    let transaction = try #require((result.result as? [NSPersistentHistoryTransaction])?.first)
    #expect(transaction.author == "Ann" && transaction.token == NSPersistentHistoryToken())
    #expect(transaction.changes?.map(\.changeType) == [.delete])
    let deleted =
      transaction.objectIDNotification().userInfo?[NSDeletedObjectIDsKey] as? Set<NSManagedObjectID>
    #expect(deleted == [Change.item])
    #expect(transaction.value(forKey: "author") as? String == "Ann")
  }

  @Test func anIdentityOfATestIsEqualOnlyToItself() {
    let (one, other) = (Identity(), Identity())
    #expect(one != other && one == one && Set([one, other]).count == 2)
    #expect(one.isTemporaryID && one.uriRepresentation().path == "/item")
  }

  private final class List: NSFetchedResultsController<NSManagedObject> {
    override var fetchedObjects: [NSManagedObject]? { [] }
  }

  @Test func aControllerMayHaveAnswersOfItsOwn() {
    let list: NSFetchedResultsController<NSManagedObject> = List()
    #expect(list.fetchedObjects == [] && list.sections == nil && list.delegate == nil)
    #expect(NSFetchedResultsController<NSManagedObject>().fetchedObjects == nil)
    #expect(throws: (any Error).self) { try list.performFetch() }
  }
}
