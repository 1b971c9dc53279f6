import Foundation
import StoreTool
import Testing

/// A Boolean is true or false wherever the command prints one.
struct BooleanTextTests {
  private func run(_ library: Library, _ words: String...) throws -> ToolRun {
    try ToolRun([words[0], library.url.path] + words.dropFirst())
  }

  @Test func everyCommandPrintsItAlike() throws {
    let library = try Library()
    let query = try run(library, "query", "Book", "--columns", "isRead", "--format", "csv")
    #expect(query.output.contains("true"))
    #expect(try run(library, "get", "Book/p1").output.contains("  isRead     true\n"))
    let json = try run(library, "get", "Book/p1", "--json").output
    #expect(json.contains("\"isRead\" : true"), "\(json)")
    let inserted = try run(library, "insert", "Book", "title=New", "isRead=1").output
    #expect(inserted.contains("isRead: true"), "\(inserted)")
    let set = try run(library, "set", "Book/p1", "isRead=no", "--dry-run").output
    #expect(set.contains("isRead: true → false"), "\(set)")
    let watched = try run(
      library, "watch", "Book", "--columns", "title,isRead", "--for", "0"
    ).output
    #expect(watched.contains("isRead=true") && watched.contains("isRead=false"), "\(watched)")
  }

  @Test func soDoesTheDefaultOfAModel() throws {
    let library = try Library()
    let model = library.modelURL.path
    for (word, text) in [("YES", "true"), ("NO", "false")] {
      let run = try ToolRun(
        "model", "add", model, "attribute", "Book.is\(word)", "Boolean", "default=\(word)")
      #expect(run.status == 0, "\(run.errors)")
      let shown = try ToolRun("model", "show", model).output
      let line = shown.split(separator: "\n").first { $0.contains("is\(word)") }
      #expect(line?.hasSuffix("boolean, default \(text)") == true, "\(shown)")
    }
  }
}
