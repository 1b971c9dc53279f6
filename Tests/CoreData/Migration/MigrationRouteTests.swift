import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Ways over other versions, where none leads to the model at once.
struct MigrationRouteTests {
  private static let kinds: [NSPersistentStore.StoreType] = [.sqlite, .xml, .binary]

  /// The type of `size` changes, which no one step can be inferred for; in between it is not there.
  private func changedType() throws -> VersionFolder {
    try VersionFolder([
      "Thing: name String, size String", "Thing: name String",
      "Thing: name String, size Integer 64 = 7",
    ])
  }

  private func open(
    _ url: URL, _ kind: NSPersistentStore.StoreType, _ model: NSManagedObjectModel,
    _ options: [AnyHashable: Any]
  ) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(type: kind, at: url, options: options)
    try coordinator.remove(store)
  }

  @Test(arguments: kinds) func aStepThatCannotBeInferredIsTakenOverTheVersionBetween(
    _ kind: NSPersistentStore.StoreType
  ) throws {
    let versions = try changedType()
    let url = try versions.makeStore(kind, [["name": "a", "size": "x"], ["name": "b"]])
    try open(url, kind, versions.model(3), versions.migrating)
    #expect(try VersionFolder.values("name", url, kind, versions.model(3)) == ["a", "b"])
    #expect(try VersionFolder.values("size", url, kind, versions.model(3)) == ["7", "7"])
  }

  @Test func inSQLTheWayIsOneTransactionAndKeepsKeysAndUUID() throws {
    let versions = try changedType()
    let url = try versions.makeStore(.sqlite, [["name": "a"], ["name": "b"]])
    let plain = PlainSQL(url: url)
    let before = try plain.rows("SELECT Z_PK, ZNAME FROM ZTHING")
    let uuid = try plain.rows("SELECT Z_UUID FROM Z_METADATA")
    try open(url, .sqlite, versions.model(3), versions.migrating)
    #expect(try plain.rows("SELECT Z_PK, ZNAME FROM ZTHING") == before)
    #expect(try plain.rows("SELECT Z_UUID FROM Z_METADATA") == uuid)
    #expect(try StoreChecker.checkRows(url).status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: versions.folder.path)
    #expect(!names.contains("Store~.sqlite"))
  }

  @Test(arguments: kinds) func withoutVersionsBetweenTheDirectErrorIsTold(
    _ kind: NSPersistentStore.StoreType
  ) throws {
    let versions = try changedType()
    let url = try versions.makeStore(kind, [["name": "a"]])
    let direct = try VersionFolder([
      "Thing: name String, size String", "Thing: name String, size Integer 64 = 7",
    ])
    let before = try VersionFolder.files(versions.folder)
    let error = #expect(throws: NSError.self) {
      try open(url, kind, direct.model(2), direct.migrating)
    }
    #expect(error?.code == NSMigrationMissingMappingModelError)
    #expect(error?.userInfo["entity"] as? String == "Thing")
    #expect(error?.userInfo["property"] as? String == "size")
    #expect(error?.userInfo["sourceModel"] is NSManagedObjectModel)
    #expect(error?.userInfo["destinationModel"] is NSManagedObjectModel)
    #expect(try VersionFolder.files(versions.folder) == before)
  }

  /// A later version has no `size` either, but the way leads forward only: nothing is dropped for its sake.
  @Test func aWayNeverLeadsOverAVersionThatIsNotBetween() throws {
    let versions = try VersionFolder([
      "Thing: name String, size String", "Thing: name String, size Integer 64",
      "Thing: name String",
    ])
    let url = try versions.makeStore(.sqlite, [["name": "a", "size": "x"]])
    let error = #expect(throws: NSError.self) {
      try open(url, .sqlite, versions.model(2), versions.migrating)
    }
    #expect(error?.code == NSMigrationMissingMappingModelError)
    #expect(try VersionFolder.values("size", url, .sqlite, versions.model(1)) == ["x"])
  }

  @Test func versionsAreInTheOrderOfTheNumbersInTheirNames() throws {
    // Ten versions: “Things 10” comes last, not second.
    let texts = (1...9).map { "Thing: name String, v\($0) String" }
    let versions = try VersionFolder(
      ["Thing: name String, size String"] + texts.dropFirst()
        + ["Thing: name String, size Integer 64"])
    let route = try MigrationRouting(StoreOptions(versions.migrating)).route(
      from: versions.model(1), to: versions.model(10))
    #expect(route.steps.count == 2)
    #expect(versions.names.last == "Things 10" || versions.names.count == 10)
  }

  // MARK: - Mapping models on the way

  /// Doubles what is in `size` when the mapping is carried out.
  private func doubling(
    _ source: NSManagedObjectModel, _ destination: NSManagedObjectModel,
    policy: NSEntityMigrationPolicy.Type? = nil
  ) -> NSMappingModel {
    let mapping = NSEntityMapping()
    mapping.name = "ThingToThing"
    mapping.mappingType = .customEntityMappingType
    mapping.sourceEntityName = "Thing"
    mapping.destinationEntityName = "Thing"
    let texts = ["name": "$source.name", "size": "$source.size * 2"]
    mapping.attributeMappings = texts.sorted { $0.key < $1.key }.map { name, text in
      let property = NSPropertyMapping()
      property.name = name
      property.valueExpression = NSExpression(format: text)
      return property
    }
    if let policy {
      policy.register(as: "PolicyOfRoutes")
      mapping.entityMigrationPolicyClassName = "PolicyOfRoutes"
    }
    let model = NSMappingModel()
    model.entityMappings = [mapping]
    return model
  }

  private func route(
    _ versions: VersionFolder, policy: NSEntityMigrationPolicy.Type? = nil
  ) throws -> MigrationRoute {
    let models = try (1...3).map { try versions.model($0) }
    let inferred = try MigrationRouting(StoreOptions(versions.migrating)).step(
      from: models[0], to: models[1])
    let last = MigrationRoute.Step(
      source: models[1], destination: models[2],
      mapping: doubling(models[1], models[2], policy: policy),
      file: nil)
    return MigrationRoute(steps: [inferred, last])
  }

  private func widened() throws -> VersionFolder {
    try VersionFolder([
      "Thing: name String, size Integer 64", "Thing: name String, size Integer 64, more String",
      "Thing: name String, size Double",
    ])
  }

  @Test(arguments: kinds) func aMappingModelFollowsAnInferredStepAndTheOldStoreStaysBeside(
    _ kind: NSPersistentStore.StoreType
  ) throws {
    let versions = try widened()
    let url = try versions.makeStore(kind, [["name": "a", "size": 3], ["name": "b", "size": 4]])
    let migration = StoreMigration(
      url: url, type: kind.rawValue, configuration: nil, options: versions.migrating,
      destination: try versions.model(3))
    try RouteByCopies(migration, route: route(versions)).run()
    let sizes = try VersionFolder.values("size", url, kind, versions.model(3))
    #expect(sizes.map(Double.init) == [6, 8])
    let backup = versions.folder.appendingPathComponent("Store~.\(url.pathExtension)")
    #expect(try VersionFolder.values("size", backup, kind, versions.model(1)) == ["3", "4"])
    let names = try FileManager.default.contentsOfDirectory(atPath: versions.folder.path)
    #expect(!names.contains { $0.contains("migrationdestination") })
  }

  final class Refusing: NSEntityMigrationPolicy {
    struct Refusal: Error {}

    override func endRelationshipCreation(
      forMapping mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
      throw Refusal()
    }
  }

  @Test(arguments: kinds) func aFailureInTheMiddleLeavesTheStoreAsItWas(
    _ kind: NSPersistentStore.StoreType
  ) throws {
    let versions = try widened()
    let url = try versions.makeStore(kind, [["name": "a", "size": 3]])
    let before = try VersionFolder.files(versions.folder)
    let migration = StoreMigration(
      url: url, type: kind.rawValue, configuration: nil, options: versions.migrating,
      destination: try versions.model(3))
    #expect(throws: (any Error).self) {
      try RouteByCopies(migration, route: route(versions, policy: Refusing.self)).run()
    }
    #expect(try VersionFolder.files(versions.folder) == before)
  }
}
