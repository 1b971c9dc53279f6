import CoreDataSupport
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// The errors of migrations through a coordinator: codes, places and reasons, for each kind of store.
struct MigrationErrorTests {
  private static let kinds: [NSPersistentStore.StoreType] = [.sqlite, .xml, .binary]

  private func failure(
    _ kind: NSPersistentStore.StoreType, _ versions: VersionFolder,
    _ things: [[String: Any]] = [["name": "a"]], options: [AnyHashable: Any]? = nil
  ) throws -> NSError {
    let url = try versions.makeStore(kind, things)
    let before = try VersionFolder.files(versions.folder)
    let coordinator = NSPersistentStoreCoordinator(
      managedObjectModel: try versions.model(versions.names.count))
    let error = #expect(throws: NSError.self) {
      try coordinator.addPersistentStore(
        type: kind, at: url, options: options ?? versions.migrating)
    }
    #expect(try VersionFolder.files(versions.folder) == before)
    return try #require(error)
  }

  @Test(arguments: kinds) func anIncompatibleStoreNamesItsMetadata(
    _ kind: NSPersistentStore.StoreType
  ) throws {
    let versions = try VersionFolder(["Thing: name String", "Thing: name String, more String"])
    let error = try failure(kind, versions, options: [:])
    #expect(error.code == NSPersistentStoreIncompatibleVersionHashError)
    #expect(error.userInfo["metadata"] is [String: Any])
    #expect(
      error.userInfo["reason"] as? String
        == "The model used to open the store is incompatible with the one used to create the store")
  }

  @Test(arguments: kinds) func aMissingSourceModelNamesTheStore(
    _ kind: NSPersistentStore.StoreType
  ) throws {
    let versions = try VersionFolder(["Thing: name String", "Thing: name String, more String"])
    let url = try versions.makeStore(kind, [["name": "a"]])
    if kind == .sqlite { try PlainSQL(url: url).execute("DELETE FROM Z_MODELCACHE") }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try versions.model(2))
    let error = #expect(throws: NSError.self) {
      try coordinator.addPersistentStore(
        type: kind, at: url, options: VersionFolder.migrating)
    }
    #expect(error?.code == NSMigrationMissingSourceModelError)
    #expect(error?.userInfo["URL"] as? URL == url)
    #expect(error?.userInfo["metadata"] is [String: Any])
    #expect(error?.userInfo["reason"] as? String == "Can't find model for source store")
  }

  @Test(arguments: kinds) func whatCannotBeInferredNamesEntityPropertyAndReason(
    _ kind: NSPersistentStore.StoreType
  ) throws {
    let versions = try VersionFolder(["Thing: name String", "Thing: name Date"])
    let error = try failure(kind, versions)
    #expect(error.code == NSMigrationMissingMappingModelError)
    #expect(error.userInfo["sourceModel"] is NSManagedObjectModel)
    #expect(error.userInfo["destinationModel"] is NSManagedObjectModel)
    let reason = try #require(error.userInfo["reason"] as? String)
    #expect(reason.hasPrefix("Can't find mapping model for migration"))
    #expect(reason.contains("“name” of the entity “Thing”"))
    let underlying = try #require(error.userInfo[NSUnderlyingErrorKey] as? NSError)
    #expect(underlying.code == NSInferredMappingModelError)
    #expect(underlying.userInfo["entity"] as? String == "Thing")
    #expect(underlying.userInfo["property"] as? String == "name")
  }

  @Test(arguments: kinds) func aMandatoryValueThatIsMissingIsAnErrorOfTheMigration(
    _ kind: NSPersistentStore.StoreType
  ) throws {
    let versions = try VersionFolder(["Thing: name String", "Thing: name String!"])
    let error = try failure(kind, versions, [["name": "a"], [:]])
    #expect(error.code == NSMigrationError)
    #expect(error.userInfo["sourceURL"] is URL)
    #expect(error.userInfo["destinationURL"] is URL)
    if kind == .sqlite {
      #expect(
        (error.userInfo["reason"] as? String)?.hasPrefix(
          "Cannot migrate store in-place: Validation error missing attribute values on mandatory "
            + "destination attribute") == true)
      #expect(error.userInfo["entity"] as? String == "Thing")
      #expect(error.userInfo["attribute"] as? String == "name")
    } else {
      let underlying = try #require(error.userInfo[NSUnderlyingErrorKey] as? NSError)
      #expect(underlying.code == NSValidationMissingMandatoryPropertyError)
      #expect(underlying.userInfo[NSValidationKeyErrorKey] as? String == "name")
    }
  }

  @Test func aConstraintThatRowsBreakHasItsOwnCode() throws {
    let versions = try VersionFolder([
      "Thing: name String", "Thing: name String, more String, #name",
    ])
    let error = try failure(.sqlite, versions, [["name": "a"], ["name": "a"]])
    #expect(error.code == NSMigrationConstraintViolationError)
    #expect(error.userInfo["sourceURL"] is URL)
    #expect(error.userInfo[NSUnderlyingErrorKey] is NSError)
  }

  // MARK: - The manager

  private func manager(_ versions: VersionFolder) throws -> (NSMigrationManager, NSMappingModel) {
    let (source, destination) = (try versions.model(1), try versions.model(2))
    return (
      NSMigrationManager(sourceModel: source, destinationModel: destination),
      try NSMappingModel.inferredMappingModel(
        forSourceModel: source, destinationModel: destination)
    )
  }

  @Test(arguments: kinds) func aSourceThatIsNotThereAndADestinationThatCannotBeMade(
    _ kind: NSPersistentStore.StoreType
  ) throws {
    let versions = try VersionFolder(["Thing: name String", "Thing: name String, more String"])
    let url = try versions.makeStore(kind, [["name": "a"]])
    let (manager, mapping) = try manager(versions)
    manager.usesStoreSpecificMigrationManager = false
    let folder = versions.folder
    let missing = #expect(throws: NSError.self) {
      try manager.migrateStore(
        from: folder.appendingPathComponent("None"), type: kind, mapping: mapping,
        to: folder.appendingPathComponent("New"), type: kind)
    }
    #expect(missing?.code == NSMigrationManagerSourceStoreError)
    let unmade = #expect(throws: NSError.self) {
      try manager.migrateStore(
        from: url, type: kind, mapping: mapping,
        to: folder.appendingPathComponent("None/New"), type: kind)
    }
    #expect(unmade?.code == NSMigrationManagerDestinationStoreError)
    let other = try self.manager(VersionFolder(["Thing: a Date", "Thing: b Date"])).1
    let wrong = #expect(throws: NSError.self) {
      try manager.migrateStore(
        from: url, type: kind, mapping: other, to: folder.appendingPathComponent("New"),
        type: kind)
    }
    #expect(wrong?.code == NSMigrationMissingMappingModelError)
  }

  @Test(arguments: kinds) func aPolicyThatIsNotThereIsNamed(
    _ kind: NSPersistentStore.StoreType
  ) throws {
    let versions = try VersionFolder(["Thing: name String", "Thing: name String, more String"])
    let url = try versions.makeStore(kind, [["name": "a"]])
    let (manager, mapping) = try manager(versions)
    mapping.isInferred = false
    mapping.entityMappings[0].entityMigrationPolicyClassName = "NoSuchPolicy"
    let error = #expect(throws: NSError.self) {
      try manager.migrateStore(
        from: url, type: kind, mapping: mapping,
        to: versions.folder.appendingPathComponent("New"), type: kind)
    }
    #expect(error?.code == NSEntityMigrationPolicyError)
    #expect(error?.localizedFailureReason?.contains("NoSuchPolicy") == true)
  }

  @Test(arguments: kinds) func theErrorOfACancellationIsTheCallers(
    _ kind: NSPersistentStore.StoreType
  ) throws {
    final class Cancelling: NSMigrationManager {
      struct Enough: Error {}
      override func migrationProgressDidChange() { cancelMigrationWithError(Enough()) }
    }
    let versions = try VersionFolder(["Thing: name String", "Thing: name String, more String"])
    let url = try versions.makeStore(kind, [["name": "a"]])
    let manager = Cancelling(
      sourceModel: try versions.model(1), destinationModel: try versions.model(2))
    manager.usesStoreSpecificMigrationManager = false
    let target = versions.folder.appendingPathComponent("New")
    let mapping = try self.manager(versions).1
    #expect(throws: Cancelling.Enough.self) {
      try manager.migrateStore(from: url, type: kind, mapping: mapping, to: target, type: kind)
    }
    #expect(!FileManager.default.fileExists(atPath: target.path))
  }

  @Test(arguments: kinds, [true, false]) func aMigrationThatWasCancelledBeforeDoesNotBegin(
    _ kind: NSPersistentStore.StoreType, _ usesStoreSpecificManager: Bool
  ) throws {
    struct Enough: Error {}
    let versions = try VersionFolder(["Thing: name String", "Thing: name String, more String"])
    let url = try versions.makeStore(kind, [["name": "a"]])
    let target = versions.folder.appendingPathComponent("New")
    let (manager, mapping) = try self.manager(versions)
    manager.usesStoreSpecificMigrationManager = usesStoreSpecificManager
    manager.cancelMigrationWithError(Enough())
    #expect(throws: Enough.self) {
      try manager.migrateStore(from: url, type: kind, mapping: mapping, to: target, type: kind)
    }
    #expect(!FileManager.default.fileExists(atPath: target.path))
    // The next one begins.
    try manager.migrateStore(from: url, type: kind, mapping: mapping, to: target, type: kind)
    #expect(FileManager.default.fileExists(atPath: target.path))
  }

  /// “front” was renamed from “cover”; the next version has a relationship of that name.
  @Test func aRelationshipWithTheIdentifierOfAnAttributeIsNew() throws {
    func model(isOld: Bool) -> NSManagedObjectModel {
      let front = ModelPart.attribute("front")
      if isOld { front.renamingIdentifier = "cover" }
      let (book, cover) = (NSEntityDescription(), NSEntityDescription())
      (book.name, cover.name) = ("Book", "Cover")
      book.properties = [front]
      cover.properties = [ModelPart.attribute("text")]
      if !isOld {
        let relationship = NSRelationshipDescription()
        (relationship.name, relationship.maxCount) = ("cover", 1)
        relationship.destinationEntity = cover
        book.properties += [relationship]
      }
      let model = NSManagedObjectModel()
      model.entities = [book, cover]
      return model
    }
    let mapping = try NSMappingModel.inferredMappingModel(
      forSourceModel: model(isOld: true), destinationModel: model(isOld: false))
    let book = try #require(mapping.entityMappings.first { $0.destinationEntityName == "Book" })
    #expect(book.attributeMappings?.map(\.name) == ["front"])
    #expect(book.userInfo?["addedProperties"] as? Set<String> == ["cover"])
    #expect(book.userInfo?["mappedProperties"] as? Set<String> == ["front"])
  }
}
