import CoreData
import Testing

@testable import CoreDataSamples

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

  private final class OwnObject: NSManagedObject {
    override var objectID: NSManagedObjectID { Change.item }
    override var hasPersistentChangedValues: Bool { true }
    override func changedValues() -> [String: Any] { ["a": super.changedValues().count] }
    override func committedValues(forKeys keys: [String]?) -> [String: Any] {
      ["b": super.committedValues(forKeys: keys).count]
    }
    override func changedValuesForCurrentEvent() -> [String: Any] {
      ["c": super.changedValuesForCurrentEvent().count]
    }
    override func hasFault(forRelationshipNamed key: String) -> Bool {
      !super.hasFault(forRelationshipNamed: key)
    }
    override func objectIDs(forRelationshipNamed key: String) -> [NSManagedObjectID] {
      super.objectIDs(forRelationshipNamed: key) + [Change.item]
    }
    override class func fetchRequest() -> NSFetchRequest<NSFetchRequestResult> {
      NSFetchRequest(entityName: "Other")
    }
  }

  @Test func anObjectMayHaveAnswersOfItsOwn() throws {
    try TestStack(.inMemory).withContext { context in
      let entity = try #require(NSEntityDescription.entity(forEntityName: "Item", in: context))
      let object: NSManagedObject = OwnObject(entity: entity, insertInto: nil)
      #expect(object.objectID == Change.item && object.hasPersistentChangedValues)
      #expect(object.changedValues().keys.sorted() == ["a"])
      #expect(object.committedValues(forKeys: nil).keys.sorted() == ["b"])
      #expect(object.changedValuesForCurrentEvent().keys.sorted() == ["c"])
      let plain = NSManagedObject(entity: entity, insertInto: nil)
      #expect(
        object.hasFault(forRelationshipNamed: "children")
          != plain.hasFault(forRelationshipNamed: "children"))
      #expect(object.objectIDs(forRelationshipNamed: "children") == [Change.item])
      let request: NSFetchRequest<NSFetchRequestResult> = OwnObject.fetchRequest()
      #expect(request.entityName == "Other")
    }
  }

  private final class OwnCoordinator: NSPersistentStoreCoordinator, @unchecked Sendable {
    var calls: [String] = []
    override func addPersistentStore(
      ofType storeType: String, configurationName configuration: String?, at storeURL: URL?,
      options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
      calls.append("add")
      return try super.addPersistentStore(
        ofType: storeType, configurationName: configuration, at: storeURL, options: options)
    }
    override func addPersistentStore(
      with storeDescription: NSPersistentStoreDescription,
      completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
      calls.append("add description")
      super.addPersistentStore(with: storeDescription, completionHandler: block)
    }
    override func remove(_ store: NSPersistentStore) throws {
      calls.append("remove")
      try super.remove(store)
    }
    override func destroyPersistentStore(
      at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil
    ) throws { calls.append("destroy") }
    override func replacePersistentStore(
      at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
      withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil,
      ofType storeType: String
    ) throws { calls.append("replace") }
    override func migratePersistentStore(
      _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil,
      withType storeType: String
    ) throws -> NSPersistentStore {
      calls.append("migrate")
      return store
    }
    override func execute(
      _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext
    ) throws -> Any { [] }
    override func managedObjectID(forURIRepresentation url: URL) -> NSManagedObjectID? {
      Change.item
    }
    override func metadata(for store: NSPersistentStore) -> [String: Any] { ["a": 1] }
    override func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) {
      calls.append("metadata")
    }
    override func url(for store: NSPersistentStore) -> URL { URL(fileURLWithPath: "/own") }
    override func persistentStore(for url: URL) -> NSPersistentStore? { nil }
    override func setURL(_ url: URL, for store: NSPersistentStore) -> Bool { false }
    override func currentPersistentHistoryToken(
      fromStores stores: [Any]?
    ) -> NSPersistentHistoryToken? { NSPersistentHistoryToken() }
    static let ownModel = NSManagedObjectModel()
    override var managedObjectModel: NSManagedObjectModel { Self.ownModel }
  }

  /// Also where Core Data's own methods, with types of stores, call them.
  @Test func aCoordinatorMayHaveAnswersOfItsOwn() throws {
    let own = OwnCoordinator(managedObjectModel: NSManagedObjectModel())
    let coordinator: NSPersistentStoreCoordinator = own
    let url = URL(fileURLWithPath: "/dev/null")
    let store = try coordinator.addPersistentStore(type: .inMemory, at: url)
    coordinator.setMetadata([:], for: store)
    #expect(coordinator.metadata(for: store).keys.sorted() == ["a"])
    #expect(coordinator.managedObjectID(forURIRepresentation: url) == Change.item)
    #expect(coordinator.url(for: store).path == "/own" && !coordinator.setURL(url, for: store))
    #expect(coordinator.persistentStore(for: url) == nil)
    #expect(coordinator.currentPersistentHistoryToken(fromStores: nil) != nil)
    #expect(coordinator.managedObjectModel === OwnCoordinator.ownModel)
    _ = try coordinator.migratePersistentStore(store, to: url, type: .inMemory)
    try coordinator.destroyPersistentStore(at: url, type: .inMemory)
    try coordinator.replacePersistentStore(at: url, withPersistentStoreFrom: url, type: .inMemory)
    try coordinator.remove(store)
    let description = NSPersistentStoreDescription()
    description.type = NSInMemoryStoreType
    var failure: (any Error)?
    coordinator.addPersistentStore(with: description) { failure = $1 }
    #expect(failure == nil && coordinator.persistentStores.count == 1)
    #expect(
      own.calls == [
        "add", "metadata", "migrate", "destroy", "replace", "remove", "add description", "add",
      ])
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

  private final class OwnContext: NSManagedObjectContext, @unchecked Sendable {
    private let own = NSMutableDictionary(dictionary: ["a": 1])
    override var userInfo: NSMutableDictionary { own }
    override var queryGenerationToken: NSQueryGenerationToken? { .current }
    override func setQueryGenerationFrom(_ generation: NSQueryGenerationToken?) throws {
      own["pinned"] = true
    }
  }

  @Test func aContextMayHaveAnswersOfItsOwn() throws {
    let context: NSManagedObjectContext = OwnContext(concurrencyType: .privateQueueConcurrencyType)
    try context.setQueryGenerationFrom(nil)
    #expect(context.userInfo["pinned"] as? Bool == true)
    #expect(context.queryGenerationToken === NSQueryGenerationToken.current)
  }

  private final class Policy: NSMergePolicy, @unchecked Sendable {
    override var mergeType: NSMergePolicyType { .overwriteMergePolicyType }
  }

  private final class Conflict: NSMergeConflict {
    override var objectSnapshot: [String: Any]? { ["a": 1] }
    override var cachedSnapshot: [String: Any]? { ["b": 1] }
    override var persistedSnapshot: [String: Any]? { ["c": 1] }
    override var oldVersionNumber: Int { 7 }
    override var newVersionNumber: Int { 8 }
  }

  private final class Violation: NSConstraintConflict {
    override var constraint: [String] { ["a"] }
    override var constraintValues: [String: Any] { ["a": 1] }
    override var conflictingObjects: [NSManagedObject] { [] }
  }

  private final class Save: NSSaveChangesRequest {
    override var insertedObjects: Set<NSManagedObject>? { [] }
  }

  private final class Stage: NSLightweightMigrationStage, @unchecked Sendable {
    override var versionChecksums: [String] { ["own"] }
  }

  /// What asks them here asks the subclass, as a policy that says another type shows.
  @Test func conflictsAndRequestsMayBeMadeUp() throws {
    try TestStack(.inMemory).withContext { context in
      let object = context.insert("Item", ["title": "a"])
      let conflict: NSMergeConflict = Conflict(
        source: object, newVersion: 2, oldVersion: 1, cachedSnapshot: nil, persistedSnapshot: nil)
      #expect(conflict.objectSnapshot?.count == 1 && conflict.cachedSnapshot?["b"] != nil)
      #expect(conflict.persistedSnapshot?["c"] != nil && conflict.sourceObject === object)
      #expect(conflict.description.contains("oldVersion = 7 and newVersion = 8"))
    }
    let violation: NSConstraintConflict = Violation()
    #expect(violation.constraint == ["a"] && violation.constraintValues.count == 1)
    #expect(violation.conflictingObjects.isEmpty)
    let save: NSSaveChangesRequest = Save(inserted: nil, updated: nil, deleted: nil, locked: nil)
    #expect(save.insertedObjects == [] && save.updatedObjects == nil)
    #expect(
      (Policy(merge: .errorMergePolicyType) as NSMergePolicy).mergeType == .overwriteMergePolicyType
    )
    #expect((Stage(["a"]) as NSLightweightMigrationStage).versionChecksums == ["own"])
  }
}
