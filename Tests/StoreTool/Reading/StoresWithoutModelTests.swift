import CoreData
import Foundation
import StoreTool
import TestSupport
import Testing

/// Stores that keep no model of themselves, and what the command does without `--model`.
struct StoresWithoutModelTests {
  /// What a file names is there to see: entities, also those without objects, attributes with their
  /// types, and where relationships lead.
  @Test func anXMLStoreIsLookedIntoWithoutItsModel() throws {
    let library = try Library(type: NSXMLStoreType)
    let inspected = try library.run(["inspect", library.url.path, "--json"])
    #expect(inspected.status == 0, "\(inspected.errors)")
    let known = try library.run(
      ["inspect", library.url.path, "--json", "--model", library.modelURL.path])
    #expect(try counts(inspected.output) == counts(known.output))
    let titles = ["query", library.url.path, "Book", "--columns", "title,author.name"]
    let rows = try library.run(titles + ["--sort", "title"])
    #expect(rows.status == 0, "\(rows.errors)")
    let book = try library.run(["query", library.url.path, "Book", "--format", "ndjson"])
    #expect(book.output.contains(#""author":"Author/p"#), "\(book.output)")
    #expect(book.output.contains(#""tags":"#) == false, "to-many relationships are no columns")
    let lines = try library.run(["export", library.url.path, "-"]).output
    #expect(lines.split(separator: "\n").count == (try counts(known.output).values.reduce(0, +)))
  }

  /// A store without a model is compared as if the other one's had been named.
  @Test(arguments: ["xml", "binary", "sqlite"])
  func theModelOfTheOtherStoreIsTaken(ending: String) throws {
    let library = try Library()
    let other = library.folder.appendingPathComponent("Other.\(ending)").path
    #expect(try library.run(["migrate", library.url.path, "--into", other]).status == 0)
    if ending == "sqlite" {
      _ = try StoreInspector(url: URL(fileURLWithPath: other), isWriting: true)
        .rows("DROP TABLE Z_MODELCACHE")
    }
    for pair in [[library.url.path, other], [other, library.url.path]] {
      let run = try library.run(["diff"] + pair)
      let named = try library.run(["diff"] + pair + ["--model", library.modelURL.path])
      #expect(run.output == named.output, "\(run.errors)")
      #expect(run.status == named.status)
      #expect(!run.errors.contains("guessed"), "\(run.errors)")
    }
    let empty = library.folder.appendingPathComponent("Empty.sqlite").path
    #expect(try library.run(["new", library.modelURL.path, empty]).status == 0)
    let merged = try library.run(["merge", empty, other, "--no-backup"])
    #expect(merged.status == 0, "\(merged.errors)")
    let count = try counts(library.run(["inspect", library.url.path, "--json"]).output)
    #expect(try counts(library.run(["inspect", empty, "--json"]).output) == count)
  }

  /// The model of a store that was made by another one says nothing of this one.
  @Test func theModelOfAStoreOfAnotherModelIsNotTaken() throws {
    let library = try Library()
    let other = library.folder.appendingPathComponent("Other.xml").path
    #expect(try library.run(["migrate", library.url.path, "--into", other]).status == 0)
    let model = library.folder.appendingPathComponent("Small.xcdatamodeld").path
    let small = library.folder.appendingPathComponent("Small.sqlite").path
    #expect(try library.run(["model", "new", model]).status == 0)
    #expect(try library.run(["model", "add", model, "entity", "Author"]).status == 0)
    #expect(try library.run(["new", model, small]).status == 0)
    let run = try library.run(["diff", small, other])
    #expect(run.errors.contains("guessed"), "\(run.errors)")
    #expect(run.status == 1)
  }

  private func counts(_ json: String) throws -> [String: Int] {
    struct Report: Decodable {
      struct Entity: Decodable {
        let name: String
        let objects: Int
      }
      let entities: [Entity]
    }
    let entities = try JSONDecoder().decode(Report.self, from: Data(json.utf8)).entities
    return Dictionary(entities.map { ($0.name, $0.objects) }) { $1 }
  }
}
