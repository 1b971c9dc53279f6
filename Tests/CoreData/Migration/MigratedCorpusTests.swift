import CoreDataSupport
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Stores that Apple's framework made, migrated to the next versions of their models.
@Suite(.enabled(if: Corpus.isNamed, Corpus.reason))
struct MigratedCorpusTests {
  @Test func sampleModelGetsTheSchemaThatApplesMigrationLeft() throws {
    let url = try AppleStores.copy("CoreDataPlus/SampleModel_V1")
    let rows =
      "SELECT Z_PK, Z_ENT, Z_OPT, ZOWNER, ZMAKER, ZMODEL, ZNUMBERPLATE FROM ZCAR ORDER BY Z_PK"
    let before = try PlainSQL(url: url).rows(rows)
    let package = try CorpusModels.package("CoreDataPlus/SampleModel.xcdatamodeld")
    let fixture = try CorpusModels.open(url, CorpusModels.model(package, "SampleModel2"))
    try fixture.close()
    let apples = try AppleStores.copy("CoreDataPlus/SampleModel_V2")
    #expect(try Set(PlainSQL(url: url).schema) == Set(PlainSQL(url: apples).schema))
    #expect(try PlainSQL(url: url).rows(rows) == before)
    #expect(before.count == 125)
    let cars = "SELECT * FROM ZCAR ORDER BY Z_PK"
    #expect(try PlainSQL(url: url).rows(cars).count == PlainSQL(url: apples).rows(cars).count)
    let uuid = "SELECT Z_UUID FROM Z_METADATA"
    let original = try AppleStores.copy("CoreDataPlus/SampleModel_V1")
    #expect(try PlainSQL(url: url).rows(uuid) == PlainSQL(url: original).rows(uuid))
  }

  @Test(arguments: 1...5, 2...6)
  func bookmarksComeFromEveryVersionToEveryLaterOne(_ from: Int, _ to: Int) throws {
    guard from < to else { return }
    let url = try AppleStores.copy("BrowserServicesKit/Bookmarks_V\(from)")
    let plain = PlainSQL(url: url)
    let rows =
      "SELECT Z_PK, ZISFOLDER, ZPARENT, Z_FOK_PARENT, ZTITLE, ZURL, ZUUID FROM ZBOOKMARKENTITY ORDER BY Z_PK"
    let before = try plain.rows(rows)
    let package = try CorpusModels.package("BrowserServicesKit/BookmarksModel.xcdatamodeld")
    let model = try CorpusModels.model(package, CorpusModels.bookmarkVersions[to - 1])
    let fixture = try CorpusModels.open(url, model)
    #expect(try plain.rows(rows) == before)
    #expect(!before.isEmpty)
    let context = fixture.coordinator.makeContext()
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
