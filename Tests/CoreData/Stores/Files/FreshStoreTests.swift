import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

@Suite struct FreshStoreTests {
  @Test func nestedListsHaveExactlyThisSchema() throws {
    let fixture = try StoreFixture(TestModels.nestedLists())
    #expect(
      try PlainSQL(url: fixture.url).schema == [
        "CREATE TABLE ZITEM ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
          + "ZORDER INTEGER, ZPARENT INTEGER, ZTITLE VARCHAR )",
        "CREATE INDEX ZITEM_ZPARENT_INDEX ON ZITEM (ZPARENT)",
        "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, "
          + "Z_MAX INTEGER)",
        "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), "
          + "Z_PLIST BLOB)",
        "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
      ])
  }

  @Test func rowsThatWereInsertedAreFetchedAndFoundByKey() throws {
    let fixture = try StoreFixture(TestModels.nestedLists())
    let root = try fixture.insert("Item", [["title": .text("Root"), "order": .integer(0)]])
    let children = try fixture.insert(
      "Item",
      (0..<3).map {
        ["title": .text("Child \($0)"), "order": .integer($0), "parent": .identity(root[0])]
      })
    let rows = try fixture.store.rows(fixture.plan("Item"))
    #expect(rows.map(\.identity) == root + children)
    #expect(rows.allSatisfy { $0.isSealed && $0.version == 1 })
    let row = try #require(try fixture.store.row(of: children[1]))
    #expect(try fixture.value(row, "title") == .text("Child 1"))
    #expect(try fixture.value(row, "parent") == .identity(root[0]))
    #expect(try fixture.value(rows[0], "parent") == .null)
    #expect(row === rows[2])
    let relationship = try fixture.layout("Item").relationship(toMany: 0)
    #expect(try fixture.store.members(of: relationship, owner: root[0]) == children)
    #expect(try fixture.store.count(fixture.plan("Item")) == 4)
  }
}
