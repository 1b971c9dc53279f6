import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Stores led over several versions, with code between them.
@Suite(.enabled(if: Corpus.isNamed, Corpus.reason))
struct StagedMigrationTests {
  private static let names = ["SampleModel3", "SampleModel3_v2", "SampleModel3_v3"]

  private func versions() throws -> [NSManagedObjectModel] {
    let package = try CorpusModels.package("CoreDataPlus/SampleModel3.xcdatamodeld")
    return try Self.names.map { try CorpusModels.model(package, $0) }
  }

  private func reference(_ model: NSManagedObjectModel) -> NSManagedObjectModelReference {
    NSManagedObjectModelReference(model: model, versionChecksum: model.versionChecksum)
  }

  private func open(
    _ url: URL, _ model: NSManagedObjectModel, _ stages: [NSMigrationStage]
  ) throws -> StoreFixture {
    try StoreFixture(
      model, in: url.deletingLastPathComponent(),
      options: [
        NSMigratePersistentStoresAutomaticallyOption: true,
        NSInferMappingModelAutomaticallyOption: true,
        NSPersistentStoreStagedMigrationManagerOptionKey: NSStagedMigrationManager(stages),
      ])
  }

  /// Makes a pet of each pet's name, while both are there.
  private func petStage(_ versions: [NSManagedObjectModel]) -> NSCustomMigrationStage {
    let stage = NSCustomMigrationStage(
      migratingFrom: reference(versions[0]), to: reference(versions[1]))
    stage.didMigrateHandler = { manager, _ in
      let container = try #require(manager.container)
      let context = container.newBackgroundContext()
      try context.performAndWait {
        let users = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "User"))
        for user in users {
          let pet = NSEntityDescription.insertNewObject(forEntityName: "Pet", into: context)
          pet.setValue(user.value(forKey: "petName"), forKey: "name")
          pet.setValue(user, forKey: "owner")
        }
        try context.save()
      }
    }
    return stage
  }

  @Test func aCustomStageSeesBothVersionsAndALightweightOneFollows() throws {
    let url = try AppleStores.copy("CoreDataPlus/SampleModel3_V1")
    let before = try PlainSQL(url: url).rows("SELECT ZNAME, ZPETNAME FROM ZUSER ORDER BY Z_PK")
    let versions = try versions()
    let fixture = try open(
      url, versions[2],
      [petStage(versions), NSLightweightMigrationStage([versions[2].versionChecksum])])
    try fixture.close()
    let after = try PlainSQL(url: url).rows(
      "SELECT u.ZNAME, p.ZNAME FROM ZUSER u JOIN ZPET p ON p.ZOWNER = u.Z_PK AND u.ZPET = p.Z_PK "
        + "ORDER BY u.Z_PK")
    #expect(after == before)
    #expect(!before.isEmpty)
    let fresh = try StoreFixture(versions[2])
    #expect(try SchemaText(url).statements == SchemaText(fresh.url).statements)
    let checked = try StoreChecker.checkRows(url)
    #expect(checked.status == 0, "\(checked.text)")
  }

  @Test func aHandlerThatThrowsEndsTheMigrationWithItsError() throws {
    struct Refusal: Error {}
    let url = try AppleStores.copy("CoreDataPlus/SampleModel3_V1")
    let before = try Data(contentsOf: url)
    let versions = try versions()
    let stage = petStage(versions)
    stage.willMigrateHandler = { _, _ in throw Refusal() }
    #expect(throws: Refusal.self) { try open(url, versions[1], [stage]) }
    // What it has seen was the store as it was.
    let rows = "SELECT ZNAME, ZPETNAME FROM ZUSER ORDER BY Z_PK"
    let original = try AppleStores.copy("CoreDataPlus/SampleModel3_V1")
    #expect(try PlainSQL(url: url).rows(rows) == PlainSQL(url: original).rows(rows))
    #expect(!before.isEmpty)
  }

  @Test func aVersionThatNoStageKnowsAndALaterOneAreRefused() throws {
    let versions = try versions()
    let url = try AppleStores.copy("CoreDataPlus/SampleModel3_V1")
    let unknown = #expect(throws: NSError.self) {
      try open(
        url, versions[2],
        [NSLightweightMigrationStage([versions[1].versionChecksum, versions[2].versionChecksum])])
    }
    #expect(unknown?.code == NSManagedObjectModelReferenceNotFoundError)
    let backward = #expect(throws: NSError.self) {
      try open(
        url, versions[2],
        [
          NSLightweightMigrationStage([versions[2].versionChecksum]), petStage(versions),
        ])
    }
    #expect(backward?.code == NSStagedMigrationBackwardMigrationError)
  }
}

/// Columns that nothing needs any more may stay until there is time.
struct DeferredMigrationTests {
  private func model(_ names: [String]) -> NSManagedObjectModel {
    let entity = NSEntityDescription()
    entity.name = "Thing"
    entity.properties = names.map { name in
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.attributeType = .stringAttributeType
      return attribute
    }
    let model = NSManagedObjectModel()
    model.entities = [entity]
    return model
  }

  @Test func aRemovedAttributeKeepsItsColumnUntilTheMigrationIsFinished() throws {
    let first = try StoreFixture(model(["a", "b", "c"]))
    try first.insert("Thing", [["a": .text("1"), "b": .text("2"), "c": .text("3")]])
    try first.close()
    let fixture = try StoreFixture(
      model(["a", "c", "d"]), in: first.folder,
      options: [
        NSMigratePersistentStoresAutomaticallyOption: true,
        NSInferMappingModelAutomaticallyOption: true,
        NSPersistentStoreDeferredLightweightMigrationOptionKey: true,
      ])
    let key = NSPersistentStoreDeferredLightweightMigrationOptionKey
    let store = try #require(fixture.coordinator.persistentStores.first)
    let plain = PlainSQL(url: fixture.url)
    #expect(store.metadata[key] != nil)
    #expect(try plain.rows("SELECT ZA, ZB, ZC, ZD FROM ZTHING") == ["1|2|3|NULL"])
    try fixture.insert("Thing", [["a": .text("4"), "d": .text("5")]])
    try fixture.coordinator.finishDeferredLightweightMigration()
    #expect(store.metadata[key] == nil)
    #expect(try plain.rows("SELECT * FROM ZTHING").count == 2)
    #expect(try plain.rows("SELECT name FROM pragma_table_info('ZTHING')").contains("ZB") == false)
    try fixture.insert("Thing", [["a": .text("6"), "d": .text("7")]])
    #expect(
      try plain.rows("SELECT ZA, ZC, ZD FROM ZTHING ORDER BY Z_PK") == [
        "1|3|NULL", "4|NULL|5", "6|NULL|7",
      ])
    try fixture.close()
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: NSSQLiteStoreType, at: fixture.url)
    #expect(metadata[key] == nil)
  }
}
