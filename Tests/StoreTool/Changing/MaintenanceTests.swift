import CoreData
import Foundation
import StoreTool
import Testing

struct MaintenanceTests {
  @Test func anAnonymizedCopyKeepsItsShapeAndNoText() throws {
    let library = try Library()
    let copy = library.folder.appendingPathComponent("Copy.sqlite")
    #expect(try Anonymizing.run(StoreRequest(store: library.url), to: copy) > 5)
    let store = try OpenedStore(StoreRequest(store: copy))
    #expect(try StoreCheck.findings(in: store).map(\.text) == [])
    let bytes = ByteWriter(descriptor: nil)
    var query = Query(entity: "Book")
    query.columns = "title,pages,author.name"
    query.sort = "pages"
    try query.run(in: store, format: .csv, to: bytes)
    store.close()
    #expect(bytes.collected.contains("474") && !bytes.collected.contains("Emma"))
    let file = try Data(contentsOf: copy)
    for word in ["Emma", "Austen", "Melville", "adventure", "Moby"] {
      #expect(file.range(of: Data(word.utf8)) == nil, "\(word) is still in the file")
    }
  }

  @Test func vacuumGivesSpaceBack() throws {
    let library = try Library()
    try library.sql(
      "CREATE TABLE ZBIG (A)",
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) INSERT INTO ZBIG SELECT zeroblob(4000) FROM n",
      "DROP TABLE ZBIG")
    let before = try library.lines("Book")
    let result = try Vacuum(StoreRequest(store: library.url))
    #expect(result.bytesAfter < result.bytesBefore - 1_000_000)
    #expect(try library.lines("Book") == before)
  }

  @Test func aStoreMigratesToAnotherVersionAfterABackup() throws {
    let library = try Library()
    let text = try String(
      contentsOf: library.modelURL.appendingPathComponent("Library.xcdatamodel/contents"),
      encoding: .utf8)
    let other = library.folder.appendingPathComponent("Next.xcdatamodel")
    try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
    let changed = text.replacingOccurrences(
      of: "<attribute name=\"word\"",
      with:
        "<attribute name=\"weight\" optional=\"YES\" attributeType=\"Double\"/><attribute name=\"word\""
    )
    #expect(changed != text)
    try Data(changed.utf8).write(to: other.appendingPathComponent("contents"))
    let dry = try ToolRun("migrate", library.url.path, "--to", other.path, "--dry-run")
    #expect(
      dry.status == 0 && dry.output.contains("+ attribute weight"), "\(dry.output)\(dry.errors)")
    #expect(try library.lines("Tag").first?.contains("weight") == false)
    let run = try ToolRun("migrate", library.url.path, "--to", other.path)
    #expect(run.status == 0 && run.output.contains("Backup:"), "\(run.output)\(run.errors)")
    #expect(try library.lines("Tag").first?.contains("\"weight\":null") == true)
  }
}

/// An empty store of a model, in every form of file.
struct NewStoreTests {
  @Test(arguments: ["sqlite", "xml", "binary"]) func itTakesObjects(_ form: String) throws {
    let library = try Library()
    let url = library.folder.appendingPathComponent("New.\(form)")
    let made = try ToolRun("new", library.modelURL.path, url.path)
    #expect(made.status == 0, "\(made.errors)")
    let insert = try ToolRun(
      "insert", url.path, "Author", "name=Woolf", "--model", library.modelURL.path)
    #expect(insert.status == 0, "\(insert.errors)")
    #expect(try ToolRun("new", library.modelURL.path, url.path).status == 73)
    let missing = library.folder.appendingPathComponent("None.xcdatamodeld").path
    #expect(try ToolRun("new", missing, url.path + "2").status == 66)
  }

  @Test(.enabled(if: LibraryKind.all.contains(.server))) func aServersStoreStays() throws {
    let library = try LibraryKind.server.library()
    let before = try library.titles()
    let made = try library.run(["new", library.modelURL.path, library.address])
    #expect(made.status == 73, "\(made.output)\(made.errors)")
    #expect(try library.titles() == before)
  }
}
