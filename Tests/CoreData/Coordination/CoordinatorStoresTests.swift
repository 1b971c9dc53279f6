import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Adding and removing stores.
@Suite struct CoordinatorStoresTests {
  private let coordinator = NSPersistentStoreCoordinator(managedObjectModel: PeopleModel.make())

  private func addStore(
    configuration: String? = nil, options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStore {
    try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: configuration, at: nil, options: options)
  }

  private func expectError(_ code: Int, _ body: () throws -> Void) {
    let error = #expect(throws: NSError.self) { try body() }
    #expect(error?.domain == NSCocoaErrorDomain)
    #expect(error?.code == code)
  }

  @Test func aStoreInMemoryNeedsNoURL() throws {
    let store = try addStore()
    #expect(coordinator.persistentStores == [store])
    #expect(store.type == NSInMemoryStoreType)
    #expect(store.persistentStoreCoordinator === coordinator)
    try coordinator.remove(store)
    #expect(coordinator.persistentStores.isEmpty)
  }

  @Test func aStoreInMemoryTakesAnEmptyModel() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
    try coordinator.addPersistentStore(
      type: .inMemory, at: URL(fileURLWithPath: "/dev/null"))
    #expect(coordinator.persistentStores.count == 1)
  }

  @Test func aModelInUseRefusesChanges() {
    #expect(coordinator.managedObjectModel.isFrozen)
  }

  @Test func theMetadataHasTypeUUIDAndVersionHashes() throws {
    let store = try addStore()
    let metadata = coordinator.metadata(for: store)
    #expect(metadata[NSStoreTypeKey] as? String == NSInMemoryStoreType)
    #expect(metadata[NSStoreUUIDKey] as? String == store.identifier)
    let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data]
    #expect(hashes == coordinator.managedObjectModel.entityVersionHashesByName)
  }

  @Test func typeAndUUIDSurviveNewMetadata() throws {
    let store = try addStore()
    let identifier = store.identifier
    coordinator.setMetadata(["mine": 1], for: store)
    let metadata = coordinator.metadata(for: store)
    #expect(metadata["mine"] as? Int == 1)
    #expect(metadata[NSStoreUUIDKey] as? String == identifier)
    #expect(metadata[NSStoreTypeKey] as? String == NSInMemoryStoreType)
  }

  @Test func anUnknownTypeIsAnError() {
    expectError(NSPersistentStoreInvalidTypeError) {
      _ = try coordinator.addPersistentStore(
        ofType: "Nowhere", configurationName: nil, at: nil)
    }
  }

  @Test func anUnknownConfigurationIsAnError() {
    expectError(NSCoreDataError) { _ = try addStore(configuration: "Nowhere") }
  }

  @Test func aStoreOfAnotherTypeThanAskedForIsAnError() throws {
    NSPersistentStoreCoordinator.registerStoreClass(
      InMemoryStore.self, forStoreType: "NotInMemory")
    defer { NSPersistentStoreCoordinator.registerStoreClass(nil, forStoreType: "NotInMemory") }
    expectError(NSPersistentStoreTypeMismatchError) {
      _ = try coordinator.addPersistentStore(
        ofType: "NotInMemory", configurationName: nil,
        at: URL(fileURLWithPath: "/tmp/nothing"))
    }
    #expect(coordinator.persistentStores.isEmpty)
  }

  @Test func oneURLIsAddedOnce() throws {
    let url = URL(fileURLWithPath: "/tmp/in-memory-\(UUID().uuidString)")
    let store = try coordinator.addPersistentStore(type: .inMemory, at: url)
    expectError(NSPersistentStoreOpenError) {
      _ = try coordinator.addPersistentStore(type: .inMemory, at: url)
    }
    #expect(coordinator.persistentStore(for: url) === store)
    #expect(coordinator.url(for: store) == url)
  }

  @Test func aStoreOfAnotherCoordinatorCannotBeRemoved() throws {
    let other = NSPersistentStoreCoordinator(managedObjectModel: PeopleModel.make())
    let store = try addStore()
    expectError(NSCoreDataError) { try other.remove(store) }
  }

  @Test func addingAndRemovingIsAnnounced() throws {
    let log = NotificationLog(
      [
        .NSPersistentStoreCoordinatorStoresDidChange,
        .NSPersistentStoreCoordinatorWillRemoveStore,
      ], of: coordinator)
    let store = try addStore()
    let removal = NotificationLog([.NSPersistentStoreCoordinatorWillRemoveStore], of: store)
    try coordinator.remove(store)
    #expect(
      log.entries.map(\.name) == [
        .NSPersistentStoreCoordinatorStoresDidChange,
        .NSPersistentStoreCoordinatorStoresDidChange,
      ])
    #expect(log.entries[0].stores(NSAddedPersistentStoresKey) == [store])
    #expect(log.entries[1].stores(NSRemovedPersistentStoresKey) == [store])
    #expect(removal.entries.count == 1)
  }

  @Test func thatNothingWasDeferredIsNoError() throws {
    _ = try addStore()
    try coordinator.finishDeferredLightweightMigration()
    try coordinator.finishDeferredLightweightMigrationTask()
  }
}

/// Keeps the notifications of one object.
final class NotificationLog: @unchecked Sendable {
  struct Entry {
    let name: Notification.Name
    let userInfo: [AnyHashable: Any]

    func stores(_ key: String) -> [NSPersistentStore]? { userInfo[key] as? [NSPersistentStore] }
  }

  // Sound: the tests post on the thread that reads.
  private(set) var entries: [Entry] = []
  private var observers: [any NSObjectProtocol] = []

  init(_ names: [Notification.Name], of object: AnyObject) {
    observers = names.map { name in
      NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) {
        [weak self] notification in
        self?.entries.append(
          Entry(name: notification.name, userInfo: notification.userInfo ?? [:]))
      }
    }
  }

  deinit { observers.forEach(NotificationCenter.default.removeObserver) }
}
