import CoreDataSupport
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// A migration that fails leaves every file of the store as it was, to the byte.
struct FailedMigrationTests {
  private func model(_ attributes: [NSAttributeDescription], unique: [String] = [])
    -> NSManagedObjectModel
  {
    let entity = ModelPart.entity("Thing", attributes)
    if !unique.isEmpty { entity.uniquenessConstraints = [unique] }
    return ModelPart.model([entity])
  }

  /// A store with some things, two of one name and one without; with its log, if one is wanted, as a process leaves
  /// it that was killed.
  private func makeStore(withLog: Bool) throws -> URL {
    let fixture = try StoreFixture(
      model([ModelPart.attribute("name"), ModelPart.attribute("text")]))
    let names = (0..<200).map { $0 < 2 ? "same" : "name \($0)" }
    try fixture.insert(
      "Thing",
      [["text": .text("x")]]
        + names.map { ["name": .text($0), "text": .text(String(repeating: $0, count: 50))] })
    guard withLog else {
      try fixture.close()
      // Without a log at all.
      try PlainSQL(url: fixture.url).execute("PRAGMA journal_mode = DELETE")
      return fixture.url
    }
    let folder = try StoreFixture.makeFolder()
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: fixture.url.path + suffix, toPath: folder.path + "/Store.sqlite" + suffix)
    }
    try fixture.close()
    return folder.appendingPathComponent("Store.sqlite")
  }

  private func files(of url: URL) throws -> [String: Data] {
    let folder = url.deletingLastPathComponent()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      !$0.hasSuffix("-shm")
    }
    return try Dictionary(
      uniqueKeysWithValues: names.map {
        ($0, try Data(contentsOf: folder.appendingPathComponent($0)))
      })
  }

  private func expectFailure(
    _ code: Int, _ model: NSManagedObjectModel,
    options: [AnyHashable: Any] = VersionFolder.migrating,
    withLog: Bool, prepare: (URL) throws -> Void = { _ in }
  ) throws {
    let url = try makeStore(withLog: withLog)
    try prepare(url)
    let before = try files(of: url)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let error = #expect(throws: NSError.self) {
      try coordinator.addPersistentStore(type: .sqlite, at: url, options: options)
    }
    #expect(error?.code == code, "\(String(describing: error))")
    let after = try files(of: url)
    #expect(after.keys.sorted() == before.keys.sorted())
    for (name, data) in before { #expect(after[name] == data, "\(name) has changed") }
  }

  @Test(arguments: [false, true]) func withoutOptionsItIsRefused(_ withLog: Bool) throws {
    try expectFailure(
      NSPersistentStoreIncompatibleVersionHashError, model([ModelPart.attribute("name")]),
      options: [:],
      withLog: withLog)
  }

  @Test(arguments: [false, true]) func aMandatoryValueThatIsMissingIsNamed(_ withLog: Bool) throws {
    try expectFailure(
      NSMigrationError,
      model([
        ModelPart.attribute("name", isOptional: false), ModelPart.attribute("text"),
        ModelPart.attribute("more"),
      ]),
      withLog: withLog)
    try expectFailure(
      NSMigrationError,
      model([
        ModelPart.attribute("name"), ModelPart.attribute("text"),
        ModelPart.attribute("new", isOptional: false),
      ]),
      withLog: withLog)
  }

  @Test(arguments: [false, true]) func aConstraintThatRowsViolateIsAnErrorOfItsOwn(
    _ withLog: Bool
  ) throws {
    try expectFailure(
      NSMigrationConstraintViolationError,
      model([ModelPart.attribute("name"), ModelPart.attribute("text")], unique: ["name"]),
      withLog: withLog)
  }

  @Test(arguments: [false, true]) func aChangeOfTypeCannotBeInferred(_ withLog: Bool) throws {
    try expectFailure(
      NSMigrationMissingMappingModelError,
      model([ModelPart.attribute("name", .integer64AttributeType), ModelPart.attribute("text")]),
      withLog: withLog)
  }

  @Test func withoutItsModelAStoreIsNotMigrated() throws {
    try expectFailure(
      NSMigrationMissingSourceModelError, model([ModelPart.attribute("name")]), withLog: false
    ) { url in
      try PlainSQL(url: url).execute("DELETE FROM Z_MODELCACHE")
    }
  }

  @Test func aStoreThatIsOnlyReadIsNotMigrated() throws {
    var options = VersionFolder.migrating
    options[NSReadOnlyPersistentStoreOption] = true
    try expectFailure(
      NSPersistentStoreIncompatibleVersionHashError, model([ModelPart.attribute("name")]),
      options: options,
      withLog: false)
  }

  @Test func inferenceNamesEntityPropertyAndReason() throws {
    let error = #expect(throws: NSError.self) {
      try NSMappingModel.inferredMappingModel(
        forSourceModel: model([ModelPart.attribute("name")]),
        destinationModel: model([ModelPart.attribute("name", .dateAttributeType)]))
    }
    #expect(error?.code == NSInferredMappingModelError)
    #expect(error?.userInfo["entity"] as? String == "Thing")
    #expect(error?.userInfo["property"] as? String == "name")
    #expect((error?.userInfo["reason"] as? String)?.contains("type") == true)
  }
}
