import CoreData
import Foundation
import StoreTool
import Testing

struct CheckTests {
  /// What breaks a rule, and how the finding reads.
  static let breaks: [(String, Finding.Rule, String, Bool)] = [
    ("UPDATE ZBOOK SET ZAUTHOR = 99 WHERE Z_PK = 1", .references, "ZBOOK.ZAUTHOR", true),
    ("UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Book'", .keys, "Z_PRIMARYKEY", true),
    ("UPDATE Z_PRIMARYKEY SET Z_MAX = 5 WHERE Z_NAME = 'Novel'", .keys, "Z_PRIMARYKEY", true),
    ("UPDATE Z_PRIMARYKEY SET Z_SUPER = 0 WHERE Z_NAME = 'Novel'", .numbers, "Z_PRIMARYKEY", true),
    ("UPDATE ZBOOK SET Z_ENT = 77 WHERE Z_PK = 1", .entities, "ZBOOK", false),
    ("UPDATE ZBOOK SET Z_OPT = NULL WHERE Z_PK = 1", .versions, "ZBOOK", true),
    ("UPDATE ZBOOK SET ZPAGES = 'many' WHERE Z_PK = 1", .types, "ZBOOK.ZPAGES", false),
    ("UPDATE ZBOOK SET ZPAGES = 3000000000 WHERE Z_PK = 1", .values, "ZBOOK.ZPAGES", false),
    ("UPDATE ZBOOK SET ZISREAD = 7 WHERE Z_PK = 1", .values, "ZBOOK.ZISREAD", false),
    ("UPDATE ZBOOK SET ZCODE = x'0102' WHERE Z_PK = 2", .values, "ZBOOK.ZCODE", false),
    ("UPDATE ZBOOK SET ZGENRE = 'x' WHERE Z_PK = 1", .values, "ZBOOK.ZGENRE", false),
    ("UPDATE ZBOOK SET ZTITLE = NULL WHERE Z_PK = 1", .values, "ZBOOK.ZTITLE", false),
    ("UPDATE ZAUTHOR SET ZNAME = NULL WHERE Z_PK = 1", .values, "ZAUTHOR.ZNAME", false),
    ("DELETE FROM ZTAG WHERE Z_PK = 1", .joins, "Z_2TAGS", true),
    ("UPDATE Z_2TAGS SET Z_FOK_4TAGS = NULL", .order, "Z_2TAGS.Z_FOK_4TAGS", true),
    ("UPDATE Z_METADATA SET Z_UUID = 'x'", .metadata, "Z_METADATA", false),
    ("PRAGMA user_version = 3", .file, "database", true),
    ("DELETE FROM ATRANSACTION WHERE Z_PK = 1", .history, "ACHANGE", true),
  ]

  @Test func aGoodStoreHasNoFindings() throws {
    #expect(try StoreCheck.findings(in: Library().open()).map(\.text) == [])
  }

  @Test(arguments: breaks.indices) func whatIsBrokenIsFoundAndRepairedInACopy(_ index: Int) throws {
    let (sql, rule, place, isRepaired) = Self.breaks[index]
    let library = try Library()
    try library.sql(sql)
    let findings = try StoreCheck.findings(in: library.open())
    #expect(
      findings.contains { $0.rule == rule && $0.place.hasPrefix(place) }, "\(findings.map(\.text))")
    let before = try Data(contentsOf: library.url)
    let copy = library.folder.appendingPathComponent("Copy.sqlite")
    let outcome = try Repair.run(findings, of: StoreRequest(store: library.url), to: copy)
    #expect(outcome.left.isEmpty == isRepaired, "\(outcome.text())")
    #expect(try Data(contentsOf: library.url) == before)
  }

  @Test func theStatusSaysWhetherSomethingWasFound() throws {
    let library = try Library()
    #expect(try ToolRun("check", library.url.path).status == 0)
    try library.sql("UPDATE ZBOOK SET ZAUTHOR = 99 WHERE Z_PK = 1")
    let run = try ToolRun("check", library.url.path, "--json")
    #expect(run.status == 1)
    #expect(run.output.contains("\"references\""))
  }

  @Test(.enabled(if: StoreCorpus.root != nil, StoreCorpus.reason), arguments: StoreCorpus.stores)
  func storesOfApplesFrameworkKeepEveryRule(_ name: String) throws {
    let store = try OpenedStore(StoreRequest(store: StoreCorpus.url(name + ".sqlite")))
    #expect(try StoreCheck.findings(in: store).map(\.text) == [])
  }
}

/// Clauses of tables are told from names that have the same words.
struct TableClauseTests {
  @Test(arguments: [
    ("ZISDEFAULT INTEGER, ZX VARCHAR", []), ("ZDEFAULT INTEGER , ZDEFAULTVALUE VARCHAR", []),
    ("\"ZNOT NULL\" INTEGER", []), ("ZCHECK INTEGER, ZFOREIGNKEY VARCHAR", []),
    ("ZX INTEGER DEFAULT 0", ["DEFAULT"]), ("ZISDEFAULT INTEGER NOT NULL", ["NOT NULL"]),
    ("ZX INTEGER, FOREIGN KEY (ZX) REFERENCES ZY(Z_PK)", ["FOREIGN KEY"]),
    ("ZX VARCHAR default ' NOT NULL '", ["DEFAULT"]), ("ZX INTEGER CHECK (ZX > 0)", ["CHECK"]),
  ])
  func aClauseIsNoName(_ columns: String, _ expected: [String]) throws {
    let library = try Library()
    try library.sql("CREATE TABLE ZEXTRA ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, \(columns) )")
    let found = try StoreCheck.findings(in: library.open()).map(\.text).filter {
      $0.contains("ZEXTRA")
    }
    #expect(found.count == expected.count, "\(found)")
    for clause in expected { #expect(found.contains { $0.contains("has \(clause),") }, "\(found)") }
  }
}
