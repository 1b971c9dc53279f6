import CoreData
import Foundation
import StoreTool
import Testing

/// Commands that read make and change no file, also where the store has a log or is in use.
struct UntouchedTests {
  private static let commands = [
    ["inspect", "--sizes"], ["check"], ["query"], ["history"], ["get"], ["model", "show"],
  ]

  private func arguments(_ command: [String], _ store: String) -> [String] {
    switch command[0] {
    case "query": ["query", store, "Book", "--where", "pages > 1"]
    case "get": ["get", store, "Book/p1"]
    case "inspect": ["inspect", store, "--sizes"]
    default: command + [store]
    }
  }

  @Test(arguments: commands) func readingChangesNoFile(_ command: [String]) throws {
    let library = try Library()
    let before = try contents(of: library.folder)
    let run = try ToolRun(arguments(command, library.url.path))
    #expect(run.status == 0, "\(run.errors)")
    #expect(try contents(of: library.folder) == before)
  }

  @Test(arguments: commands) func aStoreInUseIsReadAsItIs(_ command: [String]) throws {
    let library = try Library()
    let writer = try library.open(isWriting: true)
    try writer.withContext { context in
      let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
      author.setValue("New", forKey: "name")
      try context.save()
      let run = try ToolRun(arguments(command, library.url.path))
      #expect(run.status == 0, "\(run.errors)")
      author.setValue("Newer", forKey: "name")
      try context.save()
    }
    let found = try ToolRun(
      "query", library.url.path, "Author", "--where", "name == 'Newer'", "--format", "ndjson")
    #expect(found.output.contains("Newer"))
  }

  @Test(.enabled(if: StoreCorpus.root != nil, StoreCorpus.reason), arguments: StoreCorpus.stores)
  func storesWithLogsStayAsTheyAre(_ name: String) throws {
    let store = try StoreCorpus.copy(name)
    // Harms nobody.
    defer { try? FileManager.default.removeItem(at: store.deletingLastPathComponent()) }
    let before = try contents(of: store.deletingLastPathComponent())
    for command in [
      ["inspect", store.path, "--json"], ["check", store.path], ["model", "show", store.path],
    ] {
      _ = try ToolRun(command)
    }
    #expect(try contents(of: store.deletingLastPathComponent()) == before)
  }
}
