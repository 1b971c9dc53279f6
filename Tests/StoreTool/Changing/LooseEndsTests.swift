import CoreData
import Foundation
import StoreTool
import TestSupport
import Testing

/// References that no delete rule reaches: one-to-one relationships stored at one end alone, as Apple's Notes has
/// them, and relationships without an inverse.
struct LooseEndsTests {
  private let folder: URL
  private let store: String

  /// Notes with a state each; the file has the note's end alone. Bookmarks lead to notes and have no inverse.
  init() throws {
    folder = try TestFolder.make()
    store = folder.appendingPathComponent("Notes.sqlite").path
    let model = folder.appendingPathComponent("Notes.xcdatamodeld").path
    for words in [
      ["new"], ["add", "entity", "Note"], ["add", "entity", "Memo", "parent=Note"],
      ["add", "entity", "State"], ["add", "entity", "Bookmark"],
      ["add", "attribute", "Note.title", "String"], ["add", "attribute", "State.number", "Int16"],
      ["add", "relationship", "Note.state", "State.note"],
      ["add", "relationship", "Bookmark.note", "Note"],
    ] {
      let run = try ToolRun(["model", words[0], model] + words.dropFirst())
      #expect(run.status == 0, "\(run.errors)")
    }
    #expect(try ToolRun("new", model, store).status == 0)
    for words in [
      ["State", "number=7"], ["State", "number=8"], ["Note", "title=a", "state=State/p1"],
      ["Memo", "title=b", "state=State/p2"], ["Bookmark", "note=Note/p1"],
      ["Bookmark", "note=Memo/p2"],
    ] {
      let run = try ToolRun(["insert", store] + words + ["--no-backup"])
      #expect(run.status == 0, "\(words): \(run.errors)")
    }
    let file = try StoreInspector(url: URL(fileURLWithPath: store), isWriting: true)
    _ = try file.rows("UPDATE ZSTATE SET ZNOTE = NULL")
  }

  private func rows(_ sql: String) throws -> [String] {
    try StoreInspector(url: URL(fileURLWithPath: store)).rows(sql).map { "\($0)" }
  }

  private let dangling =
    "SELECT Z_PK FROM ZNOTE WHERE ZSTATE > 0 AND ZSTATE NOT IN (SELECT Z_PK FROM ZSTATE) "
    + "UNION ALL SELECT Z_PK FROM ZBOOKMARK WHERE ZNOTE > 0 AND ZNOTE NOT IN (SELECT Z_PK FROM ZNOTE)"

  private func state(of title: String) throws -> String {
    try ToolRun(
      "query", store, "Note", "--where", "title == '\(title)'", "--columns", "state.number",
      "--format", "csv"
    )
    .output
  }

  @Test(arguments: [
    ["State/p1"], ["State/p2"], ["State", "--all"], ["Note/p1"], ["Memo/p2"], ["Note", "--all"],
    ["Bookmark/p1"],
  ])
  func nothingLeadsToADeletedObjectAndUndoBringsItBack(what: [String]) throws {
    let titles = ["a", "b"]
    let before = try titles.map(state)
    let marks = try ToolRun(
      "query", store, "Bookmark", "--columns", "note.title", "--format", "csv"
    ).output
    let run = try ToolRun(["delete", store] + what)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try rows(dangling).isEmpty)
    let undo = try ToolRun("undo", store)
    #expect(undo.status == 0, "\(undo.errors)")
    #expect(try titles.map(state) == before)
    let after = try ToolRun(
      "query", store, "Bookmark", "--columns", "note.title", "--format", "csv"
    ).output
    #expect(after.split(separator: "\r\n").sorted() == marks.split(separator: "\r\n").sorted())
  }

  @Test func aDryRunSaysIt() throws {
    let run = try ToolRun("delete", store, "State/p1", "--dry-run")
    #expect(run.output.contains("~ Note/p1") && run.output.contains("state: State/p1 → nil"))
  }
}
