import Foundation
import Testing

@testable import CoreData

/// Stores that Apple's framework made, migrated to the next versions of their models.
@Suite(.enabled(if: Corpus.isNamed, Corpus.reason))
struct MigratedCorpusTests {
  static func package(_ path: String) throws -> ModelPackage {
    ModelPackage(url: try Corpus.url("models/" + path))
  }

  /// A version of a model, without the classes that it names.
  static func model(_ package: ModelPackage, _ version: String) throws -> NSManagedObjectModel {
    let model = try package.model(version: version)
    for entity in model.entities { entity.managedObjectClassName = "NSManagedObject" }
    return model
  }

  /// Opens the store at a URL with a version of a model, migrating it by inference.
  static func open(_ url: URL, _ model: NSManagedObjectModel) throws -> StoreFixture {
    try StoreFixture(
      model, in: url.deletingLastPathComponent(),
      options: [
        NSMigratePersistentStoresAutomaticallyOption: true,
        OpenCoreDataRemovesEntitiesOption: true,
        NSInferMappingModelAutomaticallyOption: true,
      ])
  }

  @Test func sampleModelGetsTheSchemaThatApplesMigrationLeft() throws {
    let url = try AppleStoreTests.copy("CoreDataPlus/SampleModel_V1")
    let rows =
      "SELECT Z_PK, Z_ENT, Z_OPT, ZOWNER, ZMAKER, ZMODEL, ZNUMBERPLATE FROM ZCAR ORDER BY Z_PK"
    let before = try PlainSQL(url: url).rows(rows)
    let package = try Self.package("CoreDataPlus/SampleModel.xcdatamodeld")
    let fixture = try Self.open(url, Self.model(package, "SampleModel2"))
    try fixture.close()
    let apples = try AppleStoreTests.copy("CoreDataPlus/SampleModel_V2")
    #expect(try Set(PlainSQL(url: url).schema) == Set(PlainSQL(url: apples).schema))
    #expect(try PlainSQL(url: url).rows(rows) == before)
    #expect(before.count == 125)
    let cars = "SELECT * FROM ZCAR ORDER BY Z_PK"
    #expect(try PlainSQL(url: url).rows(cars).count == PlainSQL(url: apples).rows(cars).count)
    let uuid = "SELECT Z_UUID FROM Z_METADATA"
    let original = try AppleStoreTests.copy("CoreDataPlus/SampleModel_V1")
    #expect(try PlainSQL(url: url).rows(uuid) == PlainSQL(url: original).rows(uuid))
  }

  static let bookmarkVersions = ["", " 2", " 3", " 4", " 5", " 6"].map { "BookmarksModel\($0)" }

  @Test(arguments: 1...5, 2...6)
  func bookmarksComeFromEveryVersionToEveryLaterOne(_ from: Int, _ to: Int) throws {
    guard from < to else { return }
    let url = try AppleStoreTests.copy("BrowserServicesKit/Bookmarks_V\(from)")
    let plain = PlainSQL(url: url)
    let rows =
      "SELECT Z_PK, ZISFOLDER, ZPARENT, Z_FOK_PARENT, ZTITLE, ZURL, ZUUID FROM ZBOOKMARKENTITY ORDER BY Z_PK"
    let before = try plain.rows(rows)
    let package = try Self.package("BrowserServicesKit/BookmarksModel.xcdatamodeld")
    let model = try Self.model(package, Self.bookmarkVersions[to - 1])
    let fixture = try Self.open(url, model)
    #expect(try plain.rows(rows) == before)
    #expect(!before.isEmpty)
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = fixture.coordinator
    try context.performAndWait {
      let all = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "BookmarkEntity"))
      #expect(all.count == before.count)
      for object in all { try context.existingObject(with: object.objectID).validateForUpdate() }
    }
    try fixture.close()
    let fresh = try StoreFixture(model)
    #expect(try SchemaText(url).statements == SchemaText(fresh.url).statements)
  }
}

/// The statements of a store's schema without what is free: the order of the columns of a table, quotes.
struct SchemaText {
  let statements: Set<String>

  init(_ url: URL) throws {
    statements = Set(
      try PlainSQL(url: url).schema.filter { !$0.contains("sqlite_") }.map { statement in
        let plain = statement.replacingOccurrences(of: "\"", with: "")
        guard plain.hasPrefix("CREATE TABLE Z"), let open = plain.firstIndex(of: "(") else {
          return plain
        }
        let columns = plain[open...].dropFirst().dropLast().split(separator: ",")
          .map { $0.trimmingCharacters(in: .whitespaces) }
        return plain[..<open] + columns.sorted().joined(separator: ", ")
      })
  }
}
