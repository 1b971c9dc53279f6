import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Dry runs: what would happen to a store, without a byte of it changed.
struct MigrationPlanTests {
  private static let kinds: [NSPersistentStore.StoreType] = [.sqlite, .xml, .binary]

  private func dryRun(
    _ url: URL, _ kind: NSPersistentStore.StoreType, _ model: NSManagedObjectModel,
    _ options: [AnyHashable: Any], rehearsing: Bool = false
  ) throws -> StoreMigrationPlan {
    let folder = url.deletingLastPathComponent()
    let before = try VersionFolder.files(folder)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let plan = try NSPersistentStoreCoordinator(managedObjectModel: model)
      .migrationPlan(forStoreAt: url, type: kind, options: options, rehearsing: rehearsing)
    #expect(try VersionFolder.files(folder) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == names)
    let encoded = try JSONEncoder().encode(plan)
    #expect(try JSONDecoder().decode(StoreMigrationPlan.self, from: encoded) == plan)
    return plan
  }

  @Test(arguments: kinds) func aStoreOfTheModelNeedsNothing(
    _ kind: NSPersistentStore.StoreType
  ) throws {
    let versions = try VersionFolder(["Thing: name String"])
    let url = try versions.makeStore(kind, [["name": "a"]])
    let plan = try dryRun(url, kind, versions.model(1), versions.migrating)
    #expect(!plan.isNeeded && plan.isPossible && plan.steps.isEmpty)
  }

  @Test(arguments: kinds) func everyChangeIsNamedWithItsObjects(
    _ kind: NSPersistentStore.StoreType
  ) throws {
    let versions = try VersionFolder([
      "Thing: name String, size Integer 64, gone String; Old: x String",
      "Thing: name String! = none, size Integer 64, more Double; New: y Date",
    ])
    let url = try versions.makeStore(kind, [["name": "a"], ["name": "b"]])
    let plan = try dryRun(url, kind, versions.model(2), versions.migrating)
    #expect(plan.isNeeded && plan.isPossible)
    let step = try #require(plan.steps.first)
    #expect(plan.steps.count == 1)
    #expect(step.way == (kind == .sqlite ? .inPlace : .byObjects))
    #expect(step.mappingModel == nil)
    let thing = try #require(step.entities.first { $0.name == "Thing" })
    #expect(thing.change == .transformed && thing.objects == 2)
    #expect(
      thing.properties.map { "\($0.change) \($0.name) \($0.details)" } == [
        "added more [\"Double\"]", "changed name [\"mandatory now\"]", "removed gone []",
      ])
    #expect(
      step.entities.map { "\($0.change) \($0.name) \($0.objects ?? -1)" } == [
        "added New -1", "transformed Thing 2", "removed Old 0",
      ])
    let tables = step.entities.map { $0.table?.rawValue ?? "-" }
    #expect(tables == (kind == .sqlite ? ["made", "rebuilt", "removed"] : ["-", "-", "-"]))
    // What is said comes true.
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try versions.model(2))
    try coordinator.addPersistentStore(type: kind, at: url, options: versions.migrating)
  }

  @Test func anAddedAttributeAddsAColumn() throws {
    let versions = try VersionFolder(["Thing: name String", "Thing: name String, more Double"])
    let url = try versions.makeStore(.sqlite, [["name": "a"]])
    let plan = try dryRun(url, .sqlite, versions.model(2), versions.migrating)
    #expect(plan.steps.first?.entities.first?.table == .columnsAdded)
    #expect(
      plan.description == """
        Store.sqlite (SQLite) migrates in 1 step.
        1. From \(plan.steps[0].source) to \(plan.steps[0].destination): in place, by an inferred mapping
           ~ Thing, 1 object, columns are added to its table
              + attribute more: Double
        """)
  }

  @Test func mandatoryValuesAreCountedWhereTheyAreMissing() throws {
    let versions = try VersionFolder([
      "Thing: name String, size Integer 64", "Thing: name String!, size Integer 64!, new String!",
    ])
    let url = try versions.makeStore(.sqlite, [["name": "a", "size": 1], ["size": 2], [:]])
    let plan = try dryRun(url, .sqlite, versions.model(2), versions.migrating)
    #expect(!plan.isPossible)
    let found = plan.problems.map {
      "\($0.code) \($0.entity ?? "").\($0.property ?? ""): \($0.objects ?? 0)"
    }
    #expect(found == ["134110 Thing.name: 2", "134110 Thing.new: 3", "134110 Thing.size: 1"])
    #expect(plan.description.contains("Thing.name: missing attribute values"))
    #expect(plan.description.contains("(2 objects) [134110]"))
  }

  @Test func valuesThatAConstraintForbidsAreCounted() throws {
    let versions = try VersionFolder([
      "Thing: name String", "Thing: name String, more String, #name",
    ])
    let url = try versions.makeStore(
      .sqlite,
      [
        ["name": "a"], ["name": "a"], ["name": "b"], ["name": "a"], [:], [:],
      ])
    let plan = try dryRun(url, .sqlite, versions.model(2), versions.migrating)
    #expect(
      plan.problems.map { "\($0.code) \($0.entity ?? "").\($0.property ?? ""): \($0.objects ?? 0)" }
        == ["134111 Thing.name: 3"])
  }

  @Test(arguments: kinds) func whatCannotBeInferredIsNamed(
    _ kind: NSPersistentStore.StoreType
  ) throws {
    let versions = try VersionFolder(["Thing: name String", "Thing: name Integer 64"])
    let url = try versions.makeStore(kind, [["name": "a"]])
    let plan = try dryRun(url, kind, versions.model(2), versions.migrating)
    #expect(plan.steps.isEmpty)
    let problem = try #require(plan.problems.first)
    #expect(problem.code == NSMigrationMissingMappingModelError)
    #expect(problem.entity == "Thing" && problem.property == "name")
  }

  @Test func withoutTheOptionItIsSaid() throws {
    let versions = try VersionFolder(["Thing: name String", "Thing: name String, more String"])
    let url = try versions.makeStore(.sqlite, [["name": "a"]])
    let plan = try dryRun(
      url, .sqlite, versions.model(2), [OpenCoreDataMigrationModelsOption: [versions.url]])
    #expect(plan.problems.first?.code == NSPersistentStoreIncompatibleVersionHashError)
    #expect(!plan.isPossible)
  }

  @Test func stepsOverOtherVersionsAreTold() throws {
    let versions = try VersionFolder([
      "Thing: name String, size String", "Thing: name String",
      "Thing: name String, size Integer 64",
    ])
    let url = try versions.makeStore(.sqlite, [["name": "a"]])
    let plan = try dryRun(url, .sqlite, versions.model(3), versions.migrating)
    #expect(plan.steps.count == 2)
    #expect(plan.steps[0].destination == plan.steps[1].source)
    #expect(plan.steps.map(\.way) == [.inPlace, .inPlace])
  }

  @Test func stagesAreToldByTheirLabels() throws {
    let versions = try VersionFolder([
      "Thing: name String", "Thing: name String, more String", "Thing: name String, last String",
    ])
    let url = try versions.makeStore(.sqlite, [["name": "a"]])
    let models = try (1...3).map { try versions.model($0) }
    func reference(_ model: NSManagedObjectModel) -> NSManagedObjectModelReference {
      NSManagedObjectModelReference(model: model, versionChecksum: model.versionChecksum)
    }
    let stage = NSCustomMigrationStage(
      migratingFrom: reference(models[0]), to: reference(models[1]))
    stage.label = "More"
    struct Refusal: Error {}
    var options = versions.migrating
    options[NSPersistentStoreStagedMigrationManagerOptionKey] = NSStagedMigrationManager([
      stage, NSLightweightMigrationStage([models[2].versionChecksum]),
    ])
    let plan = try dryRun(url, .sqlite, models[2], options)
    #expect(plan.steps.map { $0.stage ?? "-" } == ["More", "-"])
    #expect(plan.isPossible)
  }

  @Test func aRehearsalFindsWhatOnlyTheObjectsTell() throws {
    let versions = try VersionFolder(["Thing: name String", "Thing: name String!"])
    let url = try versions.makeStore(.xml, [["name": "a"], [:]])
    #expect(try dryRun(url, .xml, versions.model(2), versions.migrating).isPossible)
    let plan = try dryRun(url, .xml, versions.model(2), versions.migrating, rehearsing: true)
    #expect(plan.problems.first?.code == NSMigrationError)
    let good = try VersionFolder(["Thing: name String", "Thing: name String, more String"])
    let other = try good.makeStore(.xml, [["name": "a"]])
    #expect(
      try dryRun(other, .xml, good.model(2), good.migrating, rehearsing: true).isPossible)
  }

  @Test func missingIndexesAreNamed() throws {
    let versions = try VersionFolder(["Thing: name String"])
    let url = try versions.makeStore(.sqlite, [["name": "a"]])
    let model = try VersionFolder.model("Thing: name String, @name")
    let plan = try dryRun(url, .sqlite, model, versions.migrating)
    // Apple's framework makes one for the attribute, too.
    #expect(plan.missingIndexes == ["Z_Thing_name", "Z_Thing_byname"])
    #expect(plan.description.hasSuffix("Indexes to be made: Z_Thing_name, Z_Thing_byname"))
  }

  @Test func aContainerTellsOfTheStoresThatAreThere() throws {
    let versions = try VersionFolder(["Thing: name String", "Thing: name String, more String"])
    let url = try versions.makeStore(.sqlite, [["name": "a"]])
    let container = NSPersistentContainer(
      name: "Things", managedObjectModel: try versions.model(2))
    let missing = url.deletingLastPathComponent().appendingPathComponent("Other.sqlite")
    container.persistentStoreDescriptions = [
      NSPersistentStoreDescription(url: url), NSPersistentStoreDescription(url: missing),
    ]
    let plans = try container.migrationPlans()
    #expect(plans.count == 1)
    #expect(plans.first?.isPossible == true)
  }

  /// A log that no process has put into the file is read with it, and stays.
  @Test(.enabled(if: Corpus.isNamed, Corpus.reason), arguments: 1...5)
  func storesWithALogStayAsTheyAre(_ version: Int) throws {
    let url = try AppleStores.copy("BrowserServicesKit/Bookmarks_V\(version)")
    let package = try CorpusModels.package("BrowserServicesKit/BookmarksModel.xcdatamodeld")
    let model = try CorpusModels.model(package, "BookmarksModel 6")
    let plan = try dryRun(url, .sqlite, model, VersionFolder.migrating)
    #expect(plan.isPossible, "\(plan)")
    let bookmarks = try #require(plan.steps.first?.entities.first { $0.name == "BookmarkEntity" })
    let rows = try PlainSQL(url: url).rows("SELECT count(*) FROM ZBOOKMARKENTITY")
    #expect(rows == ["\(bookmarks.objects ?? -1)"])
  }
}
