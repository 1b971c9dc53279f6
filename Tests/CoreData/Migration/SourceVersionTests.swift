import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Which model a store is taken to be of, and when it is migrated at all.
struct SourceVersionTests {
  private static let kinds: [NSPersistentStore.StoreType] = [.sqlite, .xml, .binary]

  private func source(_ url: URL, _ options: [AnyHashable: Any]) throws -> NSManagedObjectModel {
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      type: .sqlite, at: url)
    return try SourceVersion(
      url: url, type: NSSQLiteStoreType, configuration: nil,
      models: MigrationModels(StoreOptions(options)), destination: NSManagedObjectModel()
    ).find(metadata).model
  }

  @Test func aVersionOfTheProgramComesBeforeTheStoresOwnModel() throws {
    let own = try VersionFolder.model("Thing: name String")
    let url = try VersionFolder.makeStore(.sqlite, own, [["name": "a"]])
    // An index does not count in the hash, so that it tells which of the two it is.
    let program = try VersionFolder([
      "Thing: name String, other String", "Thing: name String, @name",
    ])
    let options = [OpenCoreDataMigrationModelsOption: [program.url]]
    #expect(try source(url, options).entitiesByName["Thing"]?.indexes.count == 2)
    #expect(try source(url, [:]).entitiesByName["Thing"]?.indexes.count == 0)
  }

  @Test(arguments: kinds) func aDescriptionMigratesAndInfersByDefault(
    _ kind: NSPersistentStore.StoreType
  ) throws {
    let versions = try VersionFolder(["Thing: name String", "Thing: name String, more String"])
    let url = try versions.makeStore(kind, [["name": "a"]])
    let description = NSPersistentStoreDescription(url: url)
    description.type = kind.rawValue
    description.setOption([versions.url] as NSArray, forKey: OpenCoreDataMigrationModelsOption)
    let container = NSPersistentContainer(
      name: "Things", managedObjectModel: try versions.model(2))
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    #expect(failure == nil)
    #expect(container.persistentStoreCoordinator.persistentStores.count == 1)
  }

  @Test(arguments: kinds) func aDescriptionThatDoesNotMigrateIsRefused(
    _ kind: NSPersistentStore.StoreType
  ) throws {
    let versions = try VersionFolder(["Thing: name String", "Thing: name String, more String"])
    let url = try versions.makeStore(kind, [["name": "a"]])
    let description = NSPersistentStoreDescription(url: url)
    description.type = kind.rawValue
    description.shouldMigrateStoreAutomatically = false
    let container = NSPersistentContainer(
      name: "Things", managedObjectModel: try versions.model(2))
    container.persistentStoreDescriptions = [description]
    var failure: NSError?
    container.loadPersistentStores { failure = $1 as NSError? }
    #expect(failure?.code == NSPersistentStoreIncompatibleVersionHashError)
    #expect(try VersionFolder.values("name", url, kind, versions.model(1)) == ["a"])
  }

  @Test(arguments: kinds) func withoutInferenceAMappingModelIsMissed(
    _ kind: NSPersistentStore.StoreType
  ) throws {
    let versions = try VersionFolder(["Thing: name String", "Thing: name String, more String"])
    let url = try versions.makeStore(kind, [["name": "a"]])
    var options = versions.migrating
    options[NSInferMappingModelAutomaticallyOption] = false
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try versions.model(2))
    let error = #expect(throws: NSError.self) {
      try coordinator.addPersistentStore(type: kind, at: url, options: options)
    }
    #expect(error?.code == NSMigrationMissingMappingModelError)
    #expect(error?.localizedFailureReason == "Can't find mapping model for migration")
  }

  /// Stores that this package wrote before some rules of Apple's hashes were known.
  @Test func aStoreWithHashesByFormerRulesMigrates() throws {
    let text = "Thing: name String, code String, #name, #code"
    let versions = try VersionFolder([text, text + ", more String"])
    let url = try versions.makeStore(.sqlite, [["name": "a", "code": "1"]])
    try makeFormer(url, versions.model(1))
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try versions.model(2))
    for options in [versions.migrating, VersionFolder.migrating] {
      let folder = try StoreFixture.makeFolder()
      let copy = folder.appendingPathComponent("Store.sqlite")
      try FileManager.default.copyItem(at: url, to: copy)
      let store = try coordinator.addPersistentStore(type: .sqlite, at: copy, options: options)
      try coordinator.remove(store)
      #expect(try VersionFolder.values("name", copy, .sqlite, versions.model(2)) == ["a"])
      #expect(try StoreChecker.checkRows(copy).status == 0)
    }
  }

  /// Writes the hash of constraints in the order of their declaration into the store's metadata.
  private func makeFormer(_ url: URL, _ model: NSManagedObjectModel) throws {
    var metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      type: .sqlite, at: url)
    let entity = try #require(model.entitiesByName["Thing"])
    var message = Array("Thing".utf8) + [0]
    for name in ["code", "name"] {
      message += try #require(entity.propertiesByName[name]).versionHash
    }
    message += "namecode".utf8
    let hash = Data(SHA256Digest.hash(message))
    #expect(hash != entity.versionHash)
    metadata[NSStoreModelVersionHashesKey] = ["Thing": hash]
    try NSPersistentStoreCoordinator.setMetadata(metadata, type: .sqlite, at: url)
  }

  /// How Apple's framework hashes an entity with a derived attribute is not known.
  @Test(
    .enabled(if: Corpus.isNamed, Corpus.reason),
    arguments: ["CoreDataPlus/SampleModel2_V1", "CoreDataPlus/SampleModel2_V2"])
  func anApplesStoreWithADerivedAttributeMigrates(_ name: String) throws {
    let url = try AppleStores.copy(name)
    let old = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url)
    RandomGraph.relax(old)
    let new = try #require(old.copy() as? NSManagedObjectModel)
    let entity = try #require(new.entitiesByName["Author"])
    let attribute = NSAttributeDescription()
    attribute.name = "nickname"
    attribute.attributeType = .stringAttributeType
    attribute.isOptional = true
    entity.properties.append(attribute)
    let before = try StoredObjects(url, old)
    try CorpusModels.open(url, new).close()
    try StoredObjects(url, new).expect(after: before)
    #expect(before.count > 0)
  }
}
