import Foundation
import Synchronization
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Large stores that are migrated object by object are saved on the way: policies notice nothing of it.
struct DraftSavesTests {
  private static let things = 60

  private func versions() throws -> VersionFolder {
    try VersionFolder([
      "Thing: name String, size String", "Thing: name String!, size Integer 64 = 7, #name",
    ])
  }

  private func migrate(
    _ versions: VersionFolder, _ url: URL, _ policy: NSEntityMigrationPolicy.Type
  ) throws {
    let (source, destination) = (try versions.model(1), try versions.model(2))
    let mapping = NSEntityMapping()
    mapping.name = "ThingToThing"
    mapping.mappingType = .customEntityMappingType
    mapping.sourceEntityName = "Thing"
    mapping.sourceEntityVersionHash = source.entitiesByName["Thing"]?.versionHash
    mapping.destinationEntityName = "Thing"
    mapping.destinationEntityVersionHash = destination.entitiesByName["Thing"]?.versionHash
    policy.register(as: "\(policy)")
    mapping.entityMigrationPolicyClassName = "\(policy)"
    let model = NSMappingModel()
    model.entityMappings = [mapping]
    try DraftSaves.$limit.withValue(7) {
      try StoreMigration(
        url: url, type: NSSQLiteStoreType, configuration: nil, options: [:],
        destination: destination, route: .init(source: source, mapping: model)
      ).run()
    }
  }

  private func makeStore(_ versions: VersionFolder) throws -> URL {
    try versions.makeStore(
      .sqlite, (0..<Self.things).map { ["name": "\($0)", "size": "\($0 % 5)"] })
  }

  private func sizes(_ url: URL) throws -> [String] {
    try PlainSQL(url: url).rows("SELECT ZNAME, ZSIZE FROM ZTHING ORDER BY ZNAME + 0")
  }

  /// Names come in the second pass alone, so nothing is valid when it is saved; sizes count on what was made long
  /// before, by objects that the policy has kept.
  final class KeepingPolicy: NSEntityMigrationPolicy {
    private var kept: [NSManagedObject] = []

    override func createDestinationInstances(
      forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
      try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
      let made = try #require(
        manager.destinationInstances(
          forEntityMappingName: mapping.name, sourceInstances: [sInstance]
        ).first)
      let size = kept.last?.value(forKey: "size") as? Int
      made.setValue((size ?? 0) + 1, forKey: "size")
      kept.append(made)
    }

    override func createRelationships(
      forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping,
      manager: NSMigrationManager
    ) throws {
      let source = try #require(
        manager.sourceInstances(
          forEntityMappingName: mapping.name, destinationInstances: [dInstance]
        ).first)
      dInstance.setValue(source.value(forKey: "name"), forKey: "name")
      #expect(kept.contains { $0 === dInstance })
    }

    override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {
      let made = manager.destinationInstances(
        forEntityMappingName: mapping.name, sourceInstances: nil)
      #expect(made.map(ObjectIdentifier.init) == kept.map(ObjectIdentifier.init))
      #expect(
        manager.sourceInstances(forEntityMappingName: mapping.name, destinationInstances: nil).count
          == made.count)
    }
  }

  @Test func whatAPolicyKeepsStaysUsable() throws {
    let versions = try versions()
    let url = try makeStore(versions)
    try migrate(versions, url, KeepingPolicy.self)
    let sizes = try sizes(url)
    #expect(sizes.count == Self.things)
    // Sources come in the order of their keys.
    let order = try PlainSQL(url: url).rows("SELECT ZSIZE FROM ZTHING ORDER BY Z_PK")
    #expect(order == (1...Self.things).map { "\($0)" })
    #expect(try StoreChecker.checkRows(url).status == 0)
  }

  /// Some are never valid: the old store stays, and all of them are told.
  final class NamelessPolicy: NSEntityMigrationPolicy {
    override func createRelationships(
      forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping,
      manager: NSMigrationManager
    ) throws {
      let source = manager.sourceInstances(
        forEntityMappingName: mapping.name, destinationInstances: [dInstance]
      ).first
      let name = source?.value(forKey: "name") as? String ?? ""
      if !name.hasSuffix("3") { dInstance.setValue(name, forKey: "name") }
    }
  }

  @Test func whatIsNotValidInTheEndIsTold() throws {
    let versions = try versions()
    let url = try makeStore(versions)
    let before = try VersionFolder.files(versions.folder)
    let error = #expect(throws: NSError.self) {
      try migrate(versions, url, NamelessPolicy.self)
    }
    #expect(error?.code == NSMigrationError)
    let all = error?.userInfo[NSUnderlyingErrorKey] as? NSError
    #expect(all?.code == NSValidationMultipleErrorsError)
    #expect((all?.userInfo[NSDetailedErrorsKey] as? [NSError])?.count == 6)
    #expect(try VersionFolder.files(versions.folder) == before)
  }

  /// All have one name at first: such a state can be in no store, so it stays in memory.
  final class SwappingPolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
      forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
      try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
      manager.destinationInstances(
        forEntityMappingName: mapping.name, sourceInstances: [sInstance]
      ).first?.setValue("same", forKey: "name")
    }

    override func createRelationships(
      forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping,
      manager: NSMigrationManager
    ) throws {
      let source = manager.sourceInstances(
        forEntityMappingName: mapping.name, destinationInstances: [dInstance]
      ).first
      dInstance.setValue(source?.value(forKey: "name"), forKey: "name")
    }
  }

  @Test func aStateThatNoStoreHoldsIsNoError() throws {
    let versions = try versions()
    let url = try makeStore(versions)
    try migrate(versions, url, SwappingPolicy.self)
    #expect(try sizes(url) == (0..<Self.things).map { "\($0)|7" })
  }

  /// Some objects are deleted long after they were saved.
  final class DeletingPolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
      forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
      try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
      manager.destinationInstances(
        forEntityMappingName: mapping.name, sourceInstances: [sInstance]
      ).first?.setValue(sInstance.value(forKey: "name"), forKey: "name")
    }

    override func endInstanceCreation(
      forMapping mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
      for (number, object) in manager.destinationInstances(
        forEntityMappingName: mapping.name, sourceInstances: nil
      ).enumerated() where number % 3 == 0 {
        manager.destinationContext.delete(object)
      }
    }
  }

  @Test func whatIsDeletedStaysDeleted() throws {
    let versions = try versions()
    let url = try makeStore(versions)
    try migrate(versions, url, DeletingPolicy.self)
    #expect(try sizes(url).count == Self.things * 2 / 3)
  }

  /// Counts the objects that are in memory.
  final class CountingPolicy: NSEntityMigrationPolicy {
    static let most = Mutex(0)

    override func createDestinationInstances(
      forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
      try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
      manager.destinationInstances(
        forEntityMappingName: mapping.name, sourceInstances: [sInstance]
      ).first?.setValue(sInstance.value(forKey: "name"), forKey: "name")
      count(manager)
    }

    override func createRelationships(
      forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping,
      manager: NSMigrationManager
    ) throws {
      dInstance.setValue(8, forKey: "size")
      count(manager)
    }

    private func count(_ manager: NSMigrationManager) {
      let contexts = [manager.sourceContext, manager.destinationContext]
      let now = contexts.map(\.registeredObjects.count).max() ?? 0
      Self.most.withLock { $0 = max($0, now) }
    }
  }

  @Test func objectsAreInMemoryOnlyForAWhile() throws {
    let versions = try versions()
    let url = try makeStore(versions)
    try migrate(versions, url, CountingPolicy.self)
    #expect(try sizes(url) == (0..<Self.things).map { "\($0)|8" })
    // Two batches that are read, and one that is under way.
    #expect(CountingPolicy.most.withLock { $0 } <= 3 * 7)
  }
}
