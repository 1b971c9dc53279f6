import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Fetch indexes that a model has got without a new version.
struct MissingIndexTests {
  private static let plain = "Thing: name String, size Integer 64"

  private func open(_ url: URL, _ text: String, readOnly: Bool = false) throws {
    let fixture = try StoreFixture(
      VersionFolder.model(text), at: url,
      options: readOnly ? [NSReadOnlyPersistentStoreOption: true] : nil)
    try fixture.close()
  }

  private func indexes(_ url: URL) throws -> [String] {
    try PlainSQL(url: url).rows(
      "SELECT name FROM sqlite_master WHERE type = 'index' AND name LIKE 'Z_Thing%' ORDER BY name")
  }

  private func store() throws -> URL {
    try VersionFolder.makeStore(
      .sqlite, VersionFolder.model(Self.plain), [["name": "a", "size": 1]])
  }

  @Test func whatIsMissingIsMadeWhenTheStoreIsOpened() throws {
    let url = try store()
    #expect(try indexes(url) == [])
    try open(url, Self.plain + ", @name")
    #expect(try indexes(url) == ["Z_Thing_byname", "Z_Thing_name"])
    let fresh = try StoreFixture(VersionFolder.model(Self.plain + ", @name"))
    #expect(try SchemaText(url).statements == SchemaText(fresh.url).statements)
    #expect(try StoreChecker.checkRows(url).status == 0)
    try open(url, Self.plain + ", @name, @size")
    #expect(
      try indexes(url) == ["Z_Thing_byname", "Z_Thing_bysize", "Z_Thing_name", "Z_Thing_size"])
  }

  @Test func whatTheModelDoesNotNameStays() throws {
    let url = try store()
    try open(url, Self.plain + ", @name")
    try open(url, Self.plain)
    #expect(try indexes(url) == ["Z_Thing_byname", "Z_Thing_name"])
  }

  @Test func aStoreThatIsOnlyReadOrLacksNothingIsNotWritten() throws {
    let url = try store()
    let before = try VersionFolder.files(url.deletingLastPathComponent())
    try open(url, Self.plain + ", @name", readOnly: true)
    #expect(try VersionFolder.files(url.deletingLastPathComponent()) == before)
    try open(url, Self.plain + ", @name")
    let version = try PlainSQL(url: url).rows("PRAGMA schema_version")
    let bytes = try Data(contentsOf: url)
    try open(url, Self.plain + ", @name")
    #expect(try PlainSQL(url: url).rows("PRAGMA schema_version") == version)
    #expect(try Data(contentsOf: url) == bytes)
  }

  @Test func anotherNameForTheSameColumnsIsEnoughAndOtherColumnsAreNot() throws {
    let url = try store()
    try PlainSQL(url: url).execute("CREATE INDEX Z_Old_name ON ZTHING (ZNAME COLLATE BINARY ASC)")
    try PlainSQL(url: url).execute("CREATE INDEX Z_Thing_bysize ON ZTHING (ZNAME, ZSIZE)")
    try open(url, Self.plain + ", @name, @size")
    #expect(try indexes(url) == ["Z_Thing_bysize", "Z_Thing_size"])
    let sql = try PlainSQL(url: url).rows(
      "SELECT sql FROM sqlite_master WHERE name = 'Z_Thing_bysize'")
    #expect(sql == ["CREATE INDEX Z_Thing_bysize ON ZTHING (ZSIZE COLLATE BINARY ASC)"])
  }

  @Test func anRTreeIsMadeAndFilled() throws {
    let url = try store()
    let model = try VersionFolder.model(Self.plain)
    let entity = try #require(model.entitiesByName["Thing"])
    let size = try #require(entity.propertiesByName["size"])
    entity.indexes = [
      NSFetchIndexDescription(
        name: "bounds",
        elements: [NSFetchIndexElementDescription(property: size, collationType: .rTree)])
    ]
    let fixture = try StoreFixture(model, at: url)
    let plain = PlainSQL(url: url)
    #expect(try plain.rows("SELECT ZSIZE_MIN FROM Z_RT_Thing_bounds") == ["1.0"])
    try fixture.insert("Thing", [["size": .integer(5)]])
    #expect(try plain.rows("SELECT count(*) FROM Z_RT_Thing_bounds") == ["2"])
    try fixture.close()
    let fresh = try StoreFixture(model)
    #expect(try Set(plain.schema) == Set(PlainSQL(url: fresh.url).schema))
  }

  @Test func whileSomebodyWritesTheIndexWaitsForTheNextTime() throws {
    let url = try store()
    let writer = try SQLiteConnection(path: url.path, access: .readWrite, timeout: 1)
    try writer.begin()
    try open(url, Self.plain + ", @name")
    writer.rollBack()
    #expect(try indexes(url) == [])
    try open(url, Self.plain + ", @name")
    #expect(try indexes(url) == ["Z_Thing_byname", "Z_Thing_name"])
  }

  @Test(.enabled(if: Corpus.isNamed, Corpus.reason), arguments: AppleStores.names)
  func storesOfApplesFrameworkLackNone(_ name: String) throws {
    let url = try AppleStores.copy(name)
    let model = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url)
    let fixture = try StoreFixture(model, at: url, options: [NSReadOnlyPersistentStoreOption: true])
    let layouts = fixture.coordinator.layouts
    let missing = try StoreFiles(url).reading { connection in
      let schema = try StoreCatalog(connection).schema(of: layouts, url: url)
      return try MissingIndexes(schema: schema).find(in: connection).map(\.name)
    }
    #expect(missing == [])
  }
}
