import CoreData
import Foundation
import StoreTool
import Testing

struct ExchangeTests {
  /// A library without objects, and with the same model.
  private func emptied() throws -> Library {
    let library = try Library()
    for entity in ["Author", "Tag", "Book"] {
      var edit = Edit(.delete, entity: entity)
      edit.makesBackup = false
      let store = try library.open(isWriting: true)
      _ = try edit.run(in: store)
      store.close()
    }
    return library
  }

  private func contents(_ library: Library) throws -> [[String]] {
    try ["Book", "Author", "Tag"].map { entity in
      try library.lines(entity) {
        $0.columns =
          entity == "Book"
          ? "title,pages,price,published,isRead,cover,code,author.name,tags.@count as n"
          : entity == "Tag" ? "word,books.@count as n" : "name,books.@count as n"
        $0.sort = entity == "Book" ? "title" : entity == "Tag" ? "word" : "name"
      }
    }
  }

  @Test(arguments: [ExchangeFormat.csv, .jsonl], [true, false])
  func whatIsExportedIsTheSameWhenItIsImported(_ format: ExchangeFormat, _ isDryRun: Bool) throws {
    let (source, target) = (try Library(), try emptied())
    let file = source.folder.appendingPathComponent("Export")
    let opened = try source.open()
    #expect(try Export.run(opened, as: format, to: file) == 6)
    #expect(throws: ToolError.self) { try Export.run(opened, as: format, to: file) }
    let store = try target.open(isWriting: true)
    let report = try Import.run(file, into: store, isDryRun: isDryRun)
    store.close()
    #expect(report.changes.count == 6)
    #expect(try contents(target) == (isDryRun ? [[], [], []] : contents(source)))
    #expect(try StoreCheck.findings(in: target.open()).map(\.text) == [])
    let order = try #require(try ObjectReport.of("Novel/p2", in: source.open()).values["tags"])
    #expect(order == "Tag/p1,Tag/p2" || order == "Tag/p2,Tag/p1")
  }

  @Test func theDumpIsSQLThatSQLiteReads() throws {
    let library = try Library()
    let file = library.folder.appendingPathComponent("Export.sql")
    try Export.run(library.open(), as: .sql, to: file)
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text.contains("CREATE TABLE Book (") || text.contains("CREATE TABLE \"Book\" ("))
    let copy = try Library()
    let inspector = try StoreInspector(url: copy.url, isWriting: true)
    for line in text.replacingOccurrences(of: ");\n", with: ");\u{1}").split(separator: "\u{1}") {
      _ = try inspector.rows(
        String(line).replacingOccurrences(of: "BEGIN;\n", with: "").replacingOccurrences(
          of: "COMMIT;\n", with: "SELECT 1"))
    }
    #expect(try inspector.integer("SELECT COUNT(*) FROM \"Book.tags\"") == 1)
    #expect(try inspector.rows("SELECT title FROM Book").first?.first as? String == "Emma")
  }

  @Test func aMergeChangesWhatHasTheSameUniqueValues() throws {
    let (target, source) = (try Library(), try Library())
    let store = try target.open(isWriting: true)
    _ = try Import.merge(source.open(), into: store)
    store.close()
    #expect(try target.lines("Author").count == 2)
    #expect(try StoreCheck.findings(in: target.open()).map(\.text) == [])
  }

  @Test func storesAreCompared() throws {
    let library = try Library()
    let copy = library.folder.appendingPathComponent("Copy.sqlite")
    try StoreCopying.copy(library.url, format: .sqlite, to: copy)
    #expect(try ToolRun("diff", library.url.path, copy.path).status == 0)
    try library.sql(
      "UPDATE ZBOOK SET ZPAGES = 1 WHERE Z_PK = 1", "DELETE FROM ZTAG WHERE Z_PK = 1",
      "DELETE FROM Z_2TAGS WHERE Z_4TAGS = 1")
    let run = try ToolRun("diff", library.url.path, copy.path)
    #expect(run.status == 1)
    #expect(
      run.output.contains("pages: 1 → 474") && run.output.contains("+ Tag/p1"),
      "\(run.output)\(run.errors)")
  }

  @Test(arguments: [
    ("[1]", "expected a JSON object"), (#"{"entity":"Nothing"}"#, "has no entity"),
    (#"{"entity":"Book","id":"a","pages":"many","title":"x"}"#, "a whole number"),
    (#"{"entity":"Book","id":"a","title":"x","author":["b"]}"#, "which is not among the objects"),
    (#"{"entity":"Book","id":"a","title":"x","cover":"@/etc/hostname"}"#, "base 64"),
  ])
  func aWrongFileIsAnErrorAndChangesNothing(_ line: String, _ part: String) throws {
    let library = try Library()
    let before = try contents(library)
    let file = library.folder.appendingPathComponent("wrong.jsonl")
    try Data(line.utf8).write(to: file)
    let store = try library.open(isWriting: true)
    let error = #expect(throws: ToolError.self) { try Import.run(file, into: store) }
    store.close()
    #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
    #expect(try contents(library) == before)
  }

  /// Objects of another program may have no identity, and numbers for some.
  @Test func objectsWithoutAnIDKeepTheirRelationships() throws {
    let target = try emptied()
    let file = target.folder.appendingPathComponent("In.jsonl")
    let lines = [
      #"{"$entity":"Author","name":"Austen"}"#,
      #"{"$entity":"Author","$id":"1","name":"Melville"}"#,
      #"{"$entity":"Book","title":"Moby-Dick","author":"1"}"#,
      #"{"$entity":"Book","title":"Typee","author":"1"}"#,
    ]
    try Data(lines.joined(separator: "\n").utf8).write(to: file)
    let store = try target.open(isWriting: true)
    defer { store.close() }
    #expect(try Import.run(file, into: store, makesBackup: false).changes.count == 4)
    let rows = try target.lines("Book", .csv) {
      $0.columns = "title,author.name"
      $0.sort = "title"
    }
    #expect(Array(rows.dropFirst()) == ["Moby-Dick,Melville", "Typee,Melville"])
  }

  @Test(arguments: [
    ("2024-02-29", true), ("2023-02-29", false), ("2026-02-31", false), ("2026-04-31", false),
    ("2026-12-31", true), ("2026-13-01", false), ("1900-02-29", false), ("2000-02-29", true),
    ("2023-06-15T10:00:00+99:00", false), ("2023-06-15T10:00:00+05:45", true),
    ("2023-06-15T10:00:00+02:75", false), ("2023-06-15T10:00:00-12:00", true),
  ]) func aDayThatDoesNotExistIsNoDate(_ text: String, isDate: Bool) {
    #expect((ISODate.date(text) != nil) == isDate)
  }
}
