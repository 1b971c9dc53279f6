import CoreData
import Foundation
import StoreTool
import TestSupport
import Testing

/// Undos after each other, where the first brings an object back under another key.
struct UndoChainTests {
  private static let edits: [[String]] = [
    ["set", "Author/p1", "name=Changed"], ["set", "Book/p1", "pages=1", "author=Author/p1"],
    ["insert", "Book", "title=New", "author=Author/p1"],
    ["set", "Book/p1", "tags=Tag/p1"], ["delete", "Tag/p1"],
  ]

  private func contents(_ library: Library) throws -> [[String]] {
    try ["Book", "Author", "Tag"].map { entity in
      try library.lines(entity, .csv) {
        $0.columns =
          entity == "Book"
          ? "title,pages,author.name,tags.@count as n"
          : entity == "Tag" ? "word,books.@count as n" : "name,books.@count as n"
      }.sorted()
    }
  }

  /// Every edit, then the deletion of what it was about, and both undone, for each order of two edits.
  @Test(arguments: Sample.of(edits, edits)) func eachIsTakenBack(_ one: [String], _ other: [String])
    throws
  {
    let library = try Library(history: false)
    var states = [try contents(library)]
    for edit in [one, other, ["delete", "Author/p1"]] {
      let run = try ToolRun([edit[0], library.url.path] + edit.dropFirst())
      // An edit of what the edit before has deleted.
      guard run.status == 0 else { continue }
      guard run.output.contains("Saved") else { continue }
      states.append(try contents(library))
    }
    for state in states.dropLast().reversed() {
      let run = try ToolRun("undo", library.url.path)
      #expect(run.status == 0, "\(one) \(other): \(run.errors)")
      #expect(try contents(library) == state, "\(one) \(other)")
    }
    #expect(try ToolRun("undo", library.url.path).status == 66)
    #expect(try StoreCheck.findings(in: library.open()).map(\.text) == [])
  }

  /// What another store has beside this one, and what it has otherwise.
  @Test(arguments: [["merge"], ["import", "--merge"]])
  func whatWasMergedIsTakenBack(_ command: [String]) throws {
    let (library, other) = (try Library(history: false), try Library(history: false))
    let before = try contents(library)
    for edit in [
      ["set", "Book/p1", "pages=1"], ["insert", "Author", "name=Brontë"],
      ["insert", "Book", "title=New", "author=Author/p2"], ["insert", "Tag", "word=moor"],
    ] {
      #expect(try ToolRun([edit[0], other.url.path] + edit.dropFirst()).status == 0)
    }
    var source = other.url
    if command[0] == "import" {
      source = library.folder.appendingPathComponent("Other.jsonl")
      #expect(try ToolRun("export", other.url.path, source.path).status == 0)
    }
    let merge = try ToolRun(
      [command[0], library.url.path, source.path] + command.dropFirst())
    #expect(merge.status == 0, "\(merge.errors)")
    #expect(try contents(library) != before)
    let undo = try ToolRun("undo", library.url.path)
    #expect(undo.status == 0, "\(undo.errors)")
    #expect(try contents(library) == before)
    #expect(try StoreCheck.findings(in: library.open()).map(\.text) == [])
  }
}
