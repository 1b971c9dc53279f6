import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// What every store with a file must do with it.
@Suite struct StoreConformanceFileTests {
  private static var durable: [StoreKind] { StoreKind.all.filter(\.isDurable) }
  private static var files: [StoreKind] { durable.filter(\.isFile) }

  /// Closes the store of a stack and opens it in another coordinator.
  private func reopen(
    _ stack: StoreStack, _ kind: StoreKind, model: NSManagedObjectModel = PeopleModel.make(),
    options: [AnyHashable: Any]? = nil
  ) throws -> (coordinator: NSPersistentStoreCoordinator, store: NSPersistentStore) {
    let url = try #require(stack.store.url)
    if stack.coordinator.persistentStores.isEmpty == false {
      try stack.coordinator.remove(stack.store)
    }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(
      ofType: kind.rawValue, configurationName: nil, at: url, options: options)
    return (coordinator, store)
  }

  private func tagPlan(_ coordinator: NSPersistentStoreCoordinator) throws -> FetchPlan {
    FetchPlan(
      layout: try #require(coordinator.managedObjectModel.entitiesByName["Tag"]).layout)
  }

  @Test(arguments: files)
  func theFileIsThereOnceTheStoreIsAdded(kind: StoreKind) throws {
    let stack = try StoreStack(kind)
    let url = try #require(stack.store.url)
    #expect(FileManager.default.fileExists(atPath: url.path))
  }

  @Test(arguments: durable)
  func theMetadataCanBeReadWithoutOpeningTheStore(kind: StoreKind) throws {
    let stack = try StoreStack(kind)
    let url = try #require(stack.store.url)
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: kind.rawValue, at: url)
    #expect(metadata[NSStoreTypeKey] as? String == kind.rawValue)
    #expect(metadata[NSStoreUUIDKey] as? String == stack.store.identifier)
    let model = stack.coordinator.managedObjectModel
    #expect(
      metadata[NSStoreModelVersionHashesKey] as? [String: Data]
        == model.entityVersionHashesByName)
    #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
  }

  /// The type and the UUID stay where they are left out.
  @Test(arguments: durable, [false, true])
  func metadataAreWrittenByTheNextSave(kind: StoreKind, isSetOnTheStore: Bool) throws {
    let stack = try StoreStack(kind)
    if isSetOnTheStore {
      stack.store.metadata = ["note": "kept"]
    } else {
      stack.coordinator.setMetadata(["note": "kept"], for: stack.store)
    }
    try stack.insert(stack.makeRow("Tag"))
    let (coordinator, store) = try reopen(stack, kind)
    #expect(coordinator.metadata(for: store)["note"] as? String == "kept")
    #expect(store.identifier == stack.store.identifier)
  }

  @Test(arguments: durable)
  func metadataOfAClosedStoreCanBeSet(kind: StoreKind) throws {
    let stack = try StoreStack(kind)
    let url = try #require(stack.store.url)
    try stack.coordinator.remove(stack.store)
    var metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: kind.rawValue, at: url)
    metadata["note"] = "set"
    try NSPersistentStoreCoordinator.setMetadata(
      metadata, forPersistentStoreOfType: kind.rawValue, at: url)
    let (coordinator, store) = try reopen(stack, kind)
    #expect(coordinator.metadata(for: store)["note"] as? String == "set")
  }

  @Test(arguments: durable)
  func keysGoOnWhereTheyEnded(kind: StoreKind) throws {
    let stack = try StoreStack(kind)
    let first = try stack.insert(stack.makeRow("Tag"), stack.makeRow("Tag"))
    let (coordinator, store) = try reopen(stack, kind)
    let rows = try #require(store as? any RowStore)
    let key = try rows.reserveKeys(1, for: tagPlan(coordinator).layout)
    #expect(key > (first.map(\.packed.key).max() ?? 0))
  }

  @Test(arguments: durable)
  func anIdentityIsTheSameAfterReopening(kind: StoreKind) throws {
    let stack = try StoreStack(kind)
    let identity = try stack.insert(stack.makeRow("Tag", ["name": .text("a")]))[0]
    let (coordinator, _) = try reopen(stack, kind)
    let uri = identity.uriRepresentation()
    let found = try #require(coordinator.managedObjectID(forURIRepresentation: uri))
    #expect(found !== identity)
    #expect(found.isEqual(identity))
    #expect(found.uriRepresentation() == uri)
    #expect(try coordinator.row(of: found)?[0] == .text("a"))
  }

  @Test(arguments: files)
  func aReadOnlyStoreIsReadAndNotWritten(kind: StoreKind) throws {
    let stack = try StoreStack(kind)
    try stack.insert(stack.makeRow("Tag", ["name": .text("a")]))
    let url = try #require(stack.store.url)
    try stack.coordinator.remove(stack.store)
    let before = try Data(contentsOf: url)
    let (coordinator, store) = try reopen(
      stack, kind, options: [NSReadOnlyPersistentStoreOption: true])
    #expect(store.isReadOnly)
    let plan = try tagPlan(coordinator)
    #expect(try coordinator.rows(plan).map { $0[0] } == [.text("a")])
    #expect(throws: NSError.self) { try coordinator.store(for: plan.layout, assigned: nil) }
    try coordinator.remove(store)
    #expect(try Data(contentsOf: url) == before)
  }

  @Test(arguments: durable)
  func aStoreOfAnotherModelIsRefused(kind: StoreKind) throws {
    let stack = try StoreStack(kind)
    let other = NSManagedObjectModel()
    let entity = NSEntityDescription()
    entity.name = "Other"
    other.entities = [entity]
    let error = #expect(throws: NSError.self) { try reopen(stack, kind, model: other) }
    #expect(error?.code == NSPersistentStoreIncompatibleVersionHashError)
    #expect(error?.userInfo["metadata"] is [String: Any])
  }

  @Test(arguments: files)
  func aFileThatIsNoStoreIsRefusedAndKept(kind: StoreKind) throws {
    let stack = try StoreStack(kind)
    let url = stack.directory.appendingPathComponent("notes.txt")
    let text = Data(String(repeating: "This is no store. ", count: 500).utf8)
    try text.write(to: url)
    #expect(throws: NSError.self) {
      try stack.coordinator.addPersistentStore(
        ofType: kind.rawValue, configurationName: nil, at: url)
    }
    #expect(try Data(contentsOf: url) == text)
    #expect(stack.coordinator.persistentStores.count == 1)
  }

  @Test(arguments: durable)
  func aStoreThatIsDestroyedIsGivenUpAndEmptyAfterwards(kind: StoreKind) throws {
    let stack = try StoreStack(kind)
    try stack.insert(stack.makeRow("Tag"))
    let url = try #require(stack.store.url)
    try stack.coordinator.destroyPersistentStore(at: url, ofType: kind.rawValue)
    #expect(stack.coordinator.persistentStores.isEmpty)
    let (coordinator, _) = try reopen(stack, kind)
    #expect(try coordinator.count(tagPlan(coordinator)) == 0)
  }
}
