import CoreData
import Foundation
import StoreTool
import TestSupport
import Testing

/// Every command that changes something × every reason not to: not a byte of the store, nor of anything beside it, is
/// another one. And every command × an output that takes nothing.
struct HarmlessTests {
  /// A store as a program leaves it that ended in the midst of its work: with a log.
  private struct Abandoned {
    let folder: URL
    let url: URL

    init() throws {
      let library = try Library()
      folder = try TestFolder.make()
      url = folder.appendingPathComponent("Library.sqlite")
      let writer = try library.open(isWriting: true)
      try writer.withContext { context in
        let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
        author.setValue("New", forKey: "name")
        try context.save()
        for suffix in ["", "-wal"] {
          try FileManager.default.copyItem(
            atPath: library.url.path + suffix, toPath: url.path + suffix)
        }
      }
      try FileManager.default.copyItem(
        at: library.url, to: folder.appendingPathComponent("Other.sqlite"))
      try FileManager.default.copyItem(
        at: library.modelURL, to: folder.appendingPathComponent("Library.xcdatamodeld"))
      writer.close()
      for (name, text) in Self.files {
        try Data(text.utf8).write(to: folder.appendingPathComponent(name))
      }
    }

    private static let files = [
      "In.jsonl": #"{"$entity":"Author","name":"Third"}"#,
      "Twice.jsonl": #"{"$entity":"Author","name":"Austen"}"#,
      "Wrong.jsonl": #"{"$entity":"Author","shoe":"1"}"#,
      "Broken.jsonl": "{", "Nothing.csv": "",
    ]
  }

  private static let folder = "FOLDER"

  /// What follows the store, and the status that is expected.
  private static let harmless: [(command: String, arguments: [String], status: Int32)] = [
    ("set", ["Book/p1", "pages=7", "--dry-run"], 0),
    ("set", ["Book/p1", "shoe=7"], 64), ("set", ["Book/p1", "pages=many"], 64),
    ("set", ["Book/p999", "pages=7"], 65), ("set", ["Shoe", "--all", "pages=7"], 64),
    ("set", ["Book", "--where", "pages ==", "pages=7"], 64),
    ("set", ["Book", "--where", "shoe == 1", "pages=7"], 64),
    ("set", ["Author", "--where", "name == 'New'", "name=Austen"], 65),
    ("set", ["Author", "--where", "name == 'New'", "--clear", "name"], 65),
    ("set", ["Author", "--where", "name == 'Nobody'", "name=x"], 0),
    ("set", ["Book/p1", "author=Tag/p1"], 64),
    ("insert", ["Author", "name=Third", "--dry-run"], 0), ("insert", ["Author"], 65),
    ("insert", ["Author", "name=Austen"], 65), ("insert", ["Shoe"], 64),
    ("delete", ["Tag", "--all", "--dry-run"], 0), ("delete", ["Tag/p999"], 65),
    ("delete", ["Tag", "--where", "word == 'none'"], 0), ("delete", ["Shoe", "--all"], 64),
    ("undo", [], 66), ("undo", ["--dry-run"], 66),
    ("import", ["\(folder)/In.jsonl", "--dry-run"], 0),
    ("import", ["\(folder)/Twice.jsonl"], 65), ("import", ["\(folder)/Wrong.jsonl"], 64),
    ("import", ["\(folder)/Broken.jsonl"], 65), ("import", ["\(folder)/None.jsonl"], 66),
    ("import", ["\(folder)/In.jsonl", "--merge", "--dry-run"], 0),
    ("import", ["\(folder)/Wrong.jsonl", "--merge"], 64),
    ("merge", ["\(folder)/Other.sqlite", "--dry-run"], 0), ("merge", ["\(folder)/None.sqlite"], 66),
    ("migrate", ["--to", "\(folder)/Library.xcdatamodeld", "--dry-run"], 0),
    ("migrate", ["--to", "\(folder)/None.xcdatamodeld"], 66),
    ("migrate", ["--to", "\(folder)/Library.xcdatamodeld"], 0),
    ("export", ["\(folder)/In.jsonl"], 73), ("check", ["--repair", "\(folder)/In.jsonl"], 73),
    ("anonymize", ["\(folder)/In.jsonl"], 73),
    ("vacuum", ["--shoe"], 64), ("query", ["Book", "--where", "pages =="], 64),
  ]

  @Test(arguments: harmless.indices) func noByteIsAnotherOne(_ number: Int) throws {
    let (command, arguments, status) = Self.harmless[number]
    let store = try Abandoned()
    let before = try contents(of: store.folder)
    let run = try ToolRun(
      [command, store.url.path]
        + arguments.map { $0.replacing(Self.folder, with: store.folder.path) })
    #expect(run.status == status, "\(command) \(arguments): \(run.output)\(run.errors)")
    let after = try contents(of: store.folder)
    #expect(after.keys.sorted() == before.keys.sorted(), "\(command) \(arguments)")
    for (name, data) in before { #expect(after[name] == data, "\(command) \(arguments): \(name)") }
  }

  private static let printing: [[String]] = [
    ["inspect", "STORE"], ["inspect", "STORE", "--json"], ["query", "STORE", "Book"],
    ["query", "STORE", "Book", "--explain"], ["query", "STORE", "Book", "--format", "csv"],
    ["check", "STORE"], ["history", "STORE"], ["get", "STORE", "Book/p1"],
    ["set", "STORE", "Book/p1", "pages=7", "--dry-run"], ["export", "STORE", "-"],
    ["export", "STORE", "/dev/stdout", "--format", "sql"], ["diff", "STORE", "OTHER"],
    ["model", "show", "STORE"], ["model", "hash", "STORE"], ["model", "graph", "STORE"],
    ["migrate", "STORE", "--to", "MODEL", "--dry-run"], ["watch", "STORE", "Author", "--for", "0"],
    ["--help"], ["--version"], ["query", "--help"],
  ]

  @Test(arguments: printing) func anOutputThatTakesNothingIsAnError(_ arguments: [String]) throws {
    let store = try Abandoned()
    let process = Process()
    process.executableURL = try BuiltProgram.url("coredata")
    process.arguments = arguments.map {
      switch $0 {
      case "STORE": store.url.path
      case "OTHER": store.folder.appendingPathComponent("Other.sqlite").path
      case "MODEL": store.folder.appendingPathComponent("Library.xcdatamodeld").path
      default: $0
      }
    }
    let errors = store.folder.appendingPathComponent("errors")
    try Data().write(to: errors)
    process.standardOutput = FileHandle(forWritingAtPath: "/dev/full")
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    process.waitUntilExit()
    let text = String(decoding: try Data(contentsOf: errors), as: UTF8.self)
    #expect(process.terminationStatus == 74, "\(arguments): \(text)")
    #expect(text.contains("No space left on device"), "\(text)")
  }

  /// What is saved is said where it can be said; that it cannot is no reason to say 0.
  @Test func aSaveWhoseReportCannotBeWrittenSaysSo() throws {
    let library = try Library()
    let process = Process()
    process.executableURL = try BuiltProgram.url("coredata")
    process.arguments = ["set", library.url.path, "Book/p1", "pages=7"]
    process.standardOutput = FileHandle(forWritingAtPath: "/dev/full")
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 74)
    #expect(try library.lines("Book") { $0.condition = "pages == 7" }.count == 1)
  }
}
