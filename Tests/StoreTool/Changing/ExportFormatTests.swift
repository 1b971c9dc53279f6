import Foundation
import Testing

/// The name of an export says its form, unless `--format` does.
struct ExportFormatTests {
  @Test(arguments: [
    ("Out.sql", "CREATE TABLE"), ("OUT.SQL", "CREATE TABLE"), ("Out.jsonl", "{\"$entity\""),
    ("Out.json", "{\"$entity\""), ("Out", "{\"$entity\""), ("a.sql.txt", "{\"$entity\""),
  ])
  func aFileHasTheFormOfItsName(_ name: String, _ expected: String) throws {
    let library = try Library()
    let file = library.folder.appendingPathComponent(name)
    let run = try ToolRun("export", library.url.path, file.path)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try String(contentsOf: file, encoding: .utf8).contains(expected))
  }

  @Test func aFolderHasTheFormOfItsName() throws {
    let library = try Library()
    let folder = library.folder.appendingPathComponent("Out.csv")
    #expect(try ToolRun("export", library.url.path, folder.path).status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.contains("Author.csv"))
  }

  @Test func anOptionComesFirst() throws {
    let library = try Library()
    let file = library.folder.appendingPathComponent("Out.sql")
    #expect(try ToolRun("export", library.url.path, file.path, "--format", "jsonl").status == 0)
    #expect(try String(contentsOf: file, encoding: .utf8).hasPrefix("{\"$entity\""))
  }

  @Test func oneObjectIsOne() throws {
    let library = try Library()
    for entity in ["Author", "Book", "Tag"] {
      _ = try ToolRun("delete", library.url.path, entity, "--all", "--no-backup")
    }
    _ = try ToolRun("insert", library.url.path, "Tag", "word=one", "--no-backup")
    let file = library.folder.appendingPathComponent("One.jsonl")
    let run = try ToolRun("export", library.url.path, file.path)
    #expect(run.output.hasPrefix("Exported 1 object to "), "\(run.output)")
  }
}
