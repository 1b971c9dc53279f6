import CoreData
import CoreDataSupport
import Foundation
import StoreTool
import Testing
import TestSupport

/// `migrate --to`: where the version of the store is found, over which versions it goes, and what it asks.
struct MigrateToTests {
  /// Versions of a model of things in one `.xcdatamodeld`, and a store of the first.
  private struct Versions {
    let folder: URL
    let url: URL
    var model: URL { folder.appendingPathComponent("Things.xcdatamodeld") }

    /// - Parameter keepsModel: whether the store has a model of itself; those of before 2015 have none.
    init(_ versions: [NSManagedObjectModel], in form: String, keepsModel: Bool) throws {
      folder = try TestFolder.make()
      let named = Dictionary(
        uniqueKeysWithValues: versions.enumerated().map { ("Things \($0 + 1)", $1) })
      try NSManagedObjectModel.write(
        named, currentVersion: "Things \(versions.count)",
        to: folder.appendingPathComponent("Things.xcdatamodeld"))
      url = folder.appendingPathComponent("Store.\(form)")
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: versions[0])
      let type =
        form == "xml" ? NSXMLStoreType : form == "binary" ? NSBinaryStoreType : NSSQLiteStoreType
      let store = try coordinator.addPersistentStore(
        ofType: type, configurationName: nil, at: url, options: nil)
      let context = coordinator.makeContext()
      try context.performAndWait {
        for name in ["a", "b"] {
          NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
            .setValue(name, forKey: "name")
        }
        try context.save()
      }
      try coordinator.remove(store)
      if type == NSSQLiteStoreType, !keepsModel {
        let inspector = try StoreInspector(url: url, isWriting: true)
        _ = try inspector.rows("DELETE FROM Z_MODELCACHE")
      }
    }

    static func model(
      _ attributes: [(String, NSAttributeType)], entity: String = "Thing", was: String? = nil
    ) -> NSManagedObjectModel {
      let thing = NSEntityDescription()
      thing.name = entity
      if let was { thing.renamingIdentifier = was }
      thing.properties = attributes.map { name, type in
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        return attribute
      }
      let model = NSManagedObjectModel()
      model.entities = [thing]
      return model
    }

    func names(_ entity: String = "Thing") throws -> [String] {
      let run = try ToolRun(
        "query", url.path, entity, "--columns", "name", "--sort", "name", "--format", "csv",
        "--model", model.path)
      return run.output.split(whereSeparator: \.isNewline).dropFirst().map(String.init)
    }
  }

  private static let first = Versions.model([("name", .stringAttributeType)])
  private static let second = Versions.model([
    ("name", .stringAttributeType), ("size", .integer16AttributeType),
  ])
  private static let third = Versions.model([
    ("name", .stringAttributeType), ("size", .stringAttributeType),
  ])

  /// A policy is a class of the application; what to do is said to somebody at a command line.
  @Test func aPolicyThatTheCommandHasNotIsNamed() throws {
    let versions = try Versions([Self.first, Self.second], in: "sqlite", keepsModel: true)
    let mapping = try NSMappingModel.inferredMappingModel(
      forSourceModel: Self.first, destinationModel: Self.second)
    for entity in mapping.entityMappings ?? [] {
      entity.mappingType = .customEntityMappingType
      entity.entityMigrationPolicyClassName = "ThingPolicy"
    }
    let file = versions.folder.appendingPathComponent("Things.cdm")
    try mapping.write(to: file)
    let before = try Data(contentsOf: versions.url)
    let run = try ToolRun(
      "migrate", versions.url.path, "--to", versions.model.path, "--mapping", file.path)
    #expect(run.status == 65)
    #expect(run.errors.contains("“ThingPolicy”"), "\(run.errors)")
    #expect(run.errors.contains("leave out --mapping"), "\(run.errors)")
    #expect(!run.errors.contains("register(as:"), "\(run.errors)")
    #expect(try Data(contentsOf: versions.url) == before)
    let inferred = try ToolRun("migrate", versions.url.path, "--to", versions.model.path)
    #expect(inferred.status == 0, "\(inferred.errors)")
  }

  /// A mapping model that is older than its models names what is gone.
  @Test func aMappingOfWhatIsGoneSaysWhatToDo() throws {
    let versions = try Versions([Self.first, Self.second], in: "sqlite", keepsModel: true)
    let mapping = try NSMappingModel.inferredMappingModel(
      forSourceModel: Self.first, destinationModel: Self.second)
    for entity in mapping.entityMappings ?? [] {
      entity.name = "ThingToThing"
      entity.mappingType = .copyEntityMappingType
      entity.userInfo = nil
    }
    let file = versions.folder.appendingPathComponent("Things.xcmappingmodel")
    let models = ["Things 1", "Things 2"].map {
      versions.model.appendingPathComponent("\($0).xcdatamodel")
    }
    try mapping.write(to: file, sourceModelAt: models[0], destinationModelAt: models[1])
    let text = file.appendingPathComponent("xcmapping.xml")
    let written = try String(contentsOf: text, encoding: .utf8)
    try Data(written.replacing(">Thing<", with: ">Gone<").utf8).write(to: text)
    let before = try Data(contentsOf: versions.url)
    let run = try ToolRun(
      "migrate", versions.url.path, "--to", versions.model.path, "--mapping", file.path)
    #expect(
      run.status == 65 && !run.errors.contains("expected an .xcmappingmodel"), "\(run.errors)")
    #expect(run.errors.contains("Gone") && run.errors.contains("no such entity"), "\(run.errors)")
    #expect(run.errors.contains("leave out --mapping"), "\(run.errors)")
    #expect(run.errors.components(separatedBy: "no such entity").count == 2, "\(run.errors)")
    #expect(try Data(contentsOf: versions.url) == before)
  }

  @Test func whatHasBeenDoneIsNoPlanAnyMore() throws {
    let versions = try Versions([Self.first, Self.second], in: "sqlite", keepsModel: true)
    let migrate = ["migrate", versions.url.path, "--to", versions.model.path]
    #expect(try ToolRun(migrate + ["--dry-run"]).output.contains(" migrates in 1 step."))
    let run = try ToolRun(migrate)
    #expect(run.output.contains(" has migrated in 1 step."), "\(run.output)\(run.errors)")
    #expect(run.output.contains("+ attribute size: Integer 16"), "\(run.output)")
  }

  @Test func aModelWithoutVersionsIsSaid() throws {
    let versions = try Versions([Self.first], in: "sqlite", keepsModel: true)
    let empty = versions.folder.appendingPathComponent("Empty.xcdatamodeld")
    try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: true)
    for arguments in [
      ["migrate", versions.url.path, "--to", empty.path],
      ["new", empty.path, versions.folder.appendingPathComponent("New.sqlite").path],
    ] {
      let run = try ToolRun(arguments)
      #expect(run.status == 65 && run.errors.contains("has no version: expected"), "\(run.errors)")
    }
  }

  /// Indexes are no part of a version: a store of the same version may lack some.
  @Test func indexesThatAreToBeMadeAreMade() throws {
    let versions = try Versions([Self.first], in: "sqlite", keepsModel: true)
    let index = ["model", "add", versions.model.path, "index", "Thing.byName", "name"]
    #expect(try ToolRun(index).status == 0)
    let migrate = ["migrate", versions.url.path, "--to", versions.model.path]
    let before = try Data(contentsOf: versions.url)
    let dry = try ToolRun(migrate + ["--dry-run"])
    #expect(dry.output.contains("Z_Thing_byName"), "\(dry.output)\(dry.errors)")
    #expect(try Data(contentsOf: versions.url) == before)
    let run = try ToolRun(migrate)
    #expect(run.status == 0 && run.output.contains("Backup:"), "\(run.output)\(run.errors)")
    #expect(
      dry.output.contains("Indexes to be made: Z_Thing_name, Z_Thing_byName"), "\(dry.output)")
    #expect(run.output.contains("Indexes made: Z_Thing_name, Z_Thing_byName"), "\(run.output)")
    let made = try StoreInspector(url: versions.url).rows(
      "SELECT name FROM sqlite_master WHERE name = 'Z_Thing_byName'")
    #expect(made.count == 1)
    let again = try ToolRun(migrate)
    #expect(
      !again.output.contains("Indexes") && !again.output.contains("Backup:"), "\(again.output)")
    #expect(try ToolRun("check", versions.url.path).status == 0)
  }

  @Test(arguments: ["sqlite", "xml", "binary"], [true, false])
  func theVersionOfTheStoreIsFoundInTheModelThatIsNamed(_ form: String, _ keepsModel: Bool) throws {
    let versions = try Versions([Self.first, Self.second], in: form, keepsModel: keepsModel)
    let run = try ToolRun("migrate", versions.url.path, "--to", versions.model.path)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(try versions.names() == ["a", "b"])
  }

  @Test func theVersionOfTheStoreMayBeInAnotherModel() throws {
    let versions = try Versions([Self.first], in: "sqlite", keepsModel: false)
    let next = versions.folder.appendingPathComponent("Next.xcdatamodel")
    try Self.second.write(to: next)
    #expect(try ToolRun("migrate", versions.url.path, "--to", next.path).status == 65)
    let run = try ToolRun(
      "migrate", versions.url.path, "--to", next.path, "--model", versions.model.path)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
  }

  @Test func aVersionThatWasRevertedIsGoneBackTo() throws {
    let versions = try Versions([Self.first, Self.second], in: "sqlite", keepsModel: true)
    let old = versions.folder.appendingPathComponent("Old.xcdatamodel")
    try Self.first.write(to: old)
    #expect(try ToolRun("migrate", versions.url.path, "--to", versions.model.path).status == 0)
    let run = try ToolRun("migrate", versions.url.path, "--to", old.path)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(try versions.names() == ["a", "b"])
  }

  @Test func objectsOfEntitiesThatAreGoneAreDroppedWhenThatIsSaid() throws {
    let versions = try Versions([Self.first], in: "sqlite", keepsModel: true)
    let other = versions.folder.appendingPathComponent("Other.xcdatamodel")
    try Versions.model([("title", .stringAttributeType)], entity: "Film").write(to: other)
    let before = try contents(of: versions.folder)
    let refused = try ToolRun("migrate", versions.url.path, "--to", other.path)
    #expect(refused.status == 64, "\(refused.output)")
    #expect(
      refused.errors.contains("Thing (2)") && refused.errors.contains("2 of 2 objects")
        && refused.errors.contains("--drop"), "\(refused.errors)")
    #expect(try contents(of: versions.folder) == before)
    let run = try ToolRun("migrate", versions.url.path, "--to", other.path, "--drop")
    #expect(run.status == 0, "\(run.output)\(run.errors)")
  }

  @Test func anEntityThatIsRenamedAsksNothing() throws {
    let versions = try Versions(
      [Self.first, Versions.model([("name", .stringAttributeType)], entity: "Item", was: "Thing")],
      in: "sqlite", keepsModel: true)
    let run = try ToolRun("migrate", versions.url.path, "--to", versions.model.path)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(try versions.names("Item") == ["a", "b"])
  }

  @Test func whatIsNoMappingModelIsAnError() throws {
    let versions = try Versions([Self.second, Self.third], in: "sqlite", keepsModel: true)
    let none = try ToolRun(
      "migrate", versions.url.path, "--to", versions.model.path, "--mapping", "/nowhere.cdm")
    #expect(none.status == 66, "\(none.errors)")
    let wrong = try ToolRun(
      "migrate", versions.url.path, "--to", versions.model.path, "--mapping", versions.url.path)
    #expect(wrong.status == 65, "\(wrong.errors)")
  }

  /// A change of type that nothing is inferred for, and a mapping model that leaves the attribute out.
  @Test func aMappingModelGoesBeforeWhatIsInferred() throws {
    let versions = try Versions([Self.second, Self.third], in: "sqlite", keepsModel: true)
    let refused = try ToolRun("migrate", versions.url.path, "--to", versions.model.path)
    #expect(refused.status == 65)
    let mapping = NSEntityMapping()
    mapping.mappingType = .transformEntityMappingType
    mapping.sourceEntityName = "Thing"
    mapping.destinationEntityName = "Thing"
    mapping.sourceEntityVersionHash = Self.second.entityVersionHashesByName["Thing"]
    mapping.destinationEntityVersionHash = Self.third.entityVersionHashesByName["Thing"]
    let name = NSPropertyMapping()
    name.name = "name"
    name.valueExpression = NSExpression(format: "$source.name")
    mapping.attributeMappings = [name]
    let model = NSMappingModel()
    model.entityMappings = [mapping]
    let file = versions.folder.appendingPathComponent("Two.cdm")
    try model.compiledData(file: file.path).write(to: file)
    let run = try ToolRun(
      "migrate", versions.url.path, "--to", versions.model.path, "--mapping", file.path)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(try versions.names() == ["a", "b"])
  }
}
