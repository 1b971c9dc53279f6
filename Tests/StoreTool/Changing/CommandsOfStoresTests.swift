import CoreData
import Foundation
import StoreTool
import TestSupport
import Testing

/// Every command with every form of store: it does what it is for, or says why not and what to do instead.
struct CommandsOfStoresTests {
  /// What a command is expected to do with a form.
  enum Outcome {
    case prints(String)
    /// The status, and a part of what is said.
    case refuses(Int32, String)
  }

  struct Command: CustomTestStringConvertible, Sendable {
    let name: String
    /// What follows the store.
    var arguments: [String] = []
    /// What comes before it.
    var part: String?
    var wantsModel = true
    let outcome: @Sendable (LibraryKind) -> Outcome

    var testDescription: String {
      ([name, part] + arguments).compactMap { $0 }.joined(separator: " ")
    }
  }

  /// In arguments: a place in the library's folder.
  private static let folder = "FOLDER"

  private static func always(_ text: String) -> @Sendable (LibraryKind) -> Outcome {
    { _ in .prints(text) }
  }

  private static func ofDatabases(
    _ text: String, _ status: Int32, _ refusal: String
  ) -> @Sendable (LibraryKind) -> Outcome {
    { $0.isDatabase ? .prints(text) : .refuses(status, refusal) }
  }

  private static func ofFiles(
    _ text: String, _ refusal: String
  ) -> @Sendable (LibraryKind) -> Outcome {
    { $0 == .sqlite ? .prints(text) : .refuses(64, refusal) }
  }

  static let commands: [Command] =
    [
      Command(name: "inspect", arguments: ["--sizes"], outcome: always("Novel")),
      Command(name: "inspect", arguments: ["--json"], outcome: always("\"objects\" : 2")),
      Command(
        name: "query",
        arguments: ["Book", "--group", "author.name", "--columns", "author.name,@count"],
        outcome: always("Austen")),
      Command(
        name: "query", arguments: ["Book", "--where", "title CONTAINS[c] 'emma'", "--explain"],
        outcome: ofDatabases("SELECT", 64, "has no SQL")),
      Command(name: "browse", arguments: ["--terminal", "plain"], outcome: always("Author")),
      Command(name: "check", outcome: always("ok")),
      Command(
        name: "check", arguments: ["--repair", "\(folder)/Repaired.sqlite"],
        outcome: ofFiles("Repaired", "Only a copy of a SQLite store")),
      Command(name: "history", outcome: ofDatabases("by test", 65, "tracks no history")),
      Command(
        name: "watch", arguments: ["Author", "--sort", "name", "--for", "0"],
        outcome: ofDatabases("Austen", 64, "can be watched")),
      Command(name: "get", arguments: ["TAG"], outcome: always("sea")),
      Command(
        name: "set", arguments: ["Book", "--where", "title == 'Emma'", "pages=7"],
        outcome: always("474 → 7")),
      Command(name: "insert", arguments: ["Author", "name=Brontë"], outcome: always("Saved 1")),
      Command(name: "delete", arguments: ["Tag", "--all"], outcome: always("Saved")),
      Command(
        name: "undo", outcome: { _ in .refuses(66, "nothing to undo") }),
      Command(
        name: "export", arguments: ["\(folder)/Out", "--format", "csv"],
        outcome: always("Exported 6 objects")),
      Command(
        name: "export", arguments: ["\(folder)/Out.jsonl"], outcome: always("Exported 6 objects")),
      Command(
        name: "export", arguments: ["\(folder)/Out.sql", "--format", "sql"],
        outcome: always("Exported 6 objects")),
      Command(
        name: "import", arguments: ["\(folder)/In.jsonl"], outcome: always("Saved 1")),
      // Keys of other forms are counted otherwise.
      Command(
        name: "diff", arguments: ["\(folder)/Same.sqlite"],
        outcome: ofDatabases("", 1, "")),
      Command(name: "merge", arguments: ["\(folder)/Same.sqlite"], outcome: always("Saved")),
      Command(
        name: "model", part: "show", wantsModel: false,
        outcome: ofDatabases("Novel", 65, "keeps no model")),
      Command(
        name: "model", arguments: ["\(folder)/Model.xcdatamodeld"], part: "convert",
        wantsModel: false, outcome: ofDatabases("", 65, "keeps no model")),
      Command(
        name: "model", arguments: ["\(folder)/Model.momd"], part: "compile",
        wantsModel: false, outcome: ofDatabases("", 65, "keeps no model")),
      Command(
        name: "model", arguments: ["\(folder)/Library.xcdatamodeld"], part: "diff",
        wantsModel: false, outcome: ofDatabases("", 65, "keeps no model")),
      Command(
        name: "model", part: "hash", wantsModel: false,
        outcome: ofDatabases("Novel", 65, "keeps no model")),
      Command(
        name: "model", part: "graph", wantsModel: false,
        outcome: ofDatabases("<svg", 65, "keeps no model")),
      Command(
        name: "codegen", arguments: ["--output", "\(folder)/Classes"], wantsModel: false,
        outcome: { _ in .refuses(64, "model convert") }),
      Command(
        name: "migrate", arguments: ["--to", "\(folder)/Next.xcdatamodel"], wantsModel: false,
        // The model that the others were made with is nowhere.
        outcome: ofDatabases("Backup:", 65, "Can't find model for source store")),
      Command(
        name: "new", arguments: ["\(folder)/New.sqlite"], wantsModel: false,
        outcome: ofDatabases("", 65, "keeps no model")),
      Command(
        name: "vacuum",
        outcome: {
          switch $0 {
          case .sqlite: .prints("→")
          case .server: .refuses(64, "autovacuum")
          case .xml, .binary: .refuses(64, "written whole")
          }
        }),
      Command(
        name: "anonymize", arguments: ["\(folder)/Copy.sqlite"],
        outcome: ofDatabases("Replaced", 64, "migrate STORE --into")),
    ]
    + RowFormat.allCases.map { format in
      Command(
        name: "query", arguments: ["Book", "--sort", "title", "--format", format.rawValue],
        outcome: always("Emma"))
    }
    + LibraryKind.all.map { kind in
      Command(
        name: "migrate", arguments: ["--into", "INTO-\(kind.rawValue)"],
        outcome: always("Moved 6 objects"))
    }

  @Test(arguments: Sample.of(LibraryKind.all, commands))
  func commandAndForm(_ kind: LibraryKind, _ command: Command) throws {
    let library = try kind.library()
    try Self.prepare(library)
    let before = try library.titles()
    let arguments = try command.arguments.map { argument in
      if argument.hasPrefix("INTO-"),
        let kind = LibraryKind(rawValue: String(argument.dropFirst(5)))
      {
        return try kind.place(in: library.folder)
      }
      if argument == "TAG" { return try Self.tag(library) }
      return argument.replacing(Self.folder, with: library.folder.path)
    }
    let run = try library.run(
      [command.name] + (command.part.map { [$0] } ?? []) + [library.address] + arguments
        + (command.wantsModel ? library.modelArguments : []))
    switch command.outcome(kind) {
    case .prints(let text):
      #expect(run.status == 0, "\(run.errors)")
      #expect(text.isEmpty || run.output.contains(text), "\(run.output)\(run.errors)")
    case .refuses(let status, let text):
      #expect(run.status == status, "\(run.output)\(run.errors)")
      #expect(text.isEmpty || run.errors.contains(text), "\(run.errors)")
      #expect(try library.titles() == before)
    }
    if let place = arguments.last, command.arguments.first == "--into" {
      try Self.expect(before, at: place, library)
    }
  }

  /// Everything that was moved is there.
  private static func expect(_ titles: [String], at place: String, _ library: Library) throws {
    let url = try URL(store: place)
    let moved = Library(of: library, at: url)
    #expect(try moved.titles() == titles)
    let run = try moved.run(["check", place] + moved.modelArguments)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
  }

  /// The name of an object, by what it says.
  private static func tag(_ library: Library) throws -> String {
    let run = try library.run(
      ["query", library.address, "Tag", "--where", "word == 'sea'", "--columns", "objectID"]
        + ["--format", "csv"] + library.modelArguments)
    return try #require(run.output.split(whereSeparator: \.isNewline).last.map(String.init))
  }

  /// What the arguments name.
  private static func prepare(_ library: Library) throws {
    let line = #"{"entity":"Author","id":"Author/p9","name":"Imported"}"#
    try Data(line.utf8).write(to: library.folder.appendingPathComponent("In.jsonl"))
    try FileManager.default.copyItem(
      at: try Library().url, to: library.folder.appendingPathComponent("Same.sqlite"))
    let text = try String(
      contentsOf: library.modelURL.appendingPathComponent("Library.xcdatamodel/contents"),
      encoding: .utf8)
    let next = library.folder.appendingPathComponent("Next.xcdatamodel")
    try FileManager.default.createDirectory(at: next, withIntermediateDirectories: true)
    let changed = text.replacingOccurrences(
      of: "<attribute name=\"word\"",
      with:
        "<attribute name=\"weight\" optional=\"YES\" attributeType=\"Double\"/><attribute name=\"word\""
    )
    try #require(changed != text)
    try Data(changed.utf8).write(to: next.appendingPathComponent("contents"))
  }

  /// The table above leaves no command out, but for the one whose stores are its own.
  @Test func everyCommandIsThere() throws {
    let help = try ToolRun("--help").output
    let list = try #require(help.range(of: "SUBCOMMANDS:")).upperBound
    let names = help[list...].split(separator: "\n").compactMap { line -> String? in
      // Deeper lines go on with a description.
      guard line.hasPrefix("  "), !line.hasPrefix("   ") else { return nil }
      return line.split(separator: " ").first.map(String.init)
    }
    #expect(Set(names).subtracting(["See", "sync-server"]) == Set(Self.commands.map(\.name)))
  }

  // MARK: - Changes and undo

  @Test(
    arguments: LibraryKind.all,
    [
      [
        "set", "Book", "--all", "pages=1", "price=2.5", "published=2020-02-29", "isRead=true",
        "author=", "tags=", "code=99112233-4455-6677-8899-AABBCCDDEEFF", "cover=AA==",
      ],
      ["delete", "Author", "--where", "name == 'Austen'"], ["delete", "Tag", "--all"],
      ["insert", "Novel", "title=New", "genre=none"],
    ])
  func undoTakesBack(_ kind: LibraryKind, _ change: [String]) throws {
    let library = try kind.library()
    let before = try library.titles()
    var change = change
    // A relationship to one is cleared by name.
    if change[0] == "set" {
      change.removeAll { $0 == "author=" || $0 == "tags=" }
      change += ["--clear", "author"]
    }
    let command = [change[0], library.address] + change.dropFirst() + library.modelArguments
    let run = try library.run(command)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try library.titles() != before)
    if kind == .server {
      let states = library.folder.appendingPathComponent("coredata")
      let name = try #require(FileManager.default.contentsOfDirectory(atPath: states.path).first)
      let attributes = try FileManager.default.attributesOfItem(
        atPath: states.appendingPathComponent(name).path)
      #expect(attributes[.posixPermissions] as? Int == 0o700)
    }
    let undone = try library.run(["undo", library.address] + library.modelArguments)
    #expect(undone.status == 0, "\(undone.errors)")
    #expect(try library.titles() == before)
    let again = try library.run(["undo", library.address] + library.modelArguments)
    #expect(again.status == 66, "\(again.output)\(again.errors)")
  }

  @Test(arguments: LibraryKind.all) func anExportIsImportedByEveryForm(_ kind: LibraryKind) throws {
    let source = try Library()
    let before = try source.titles()
    for format in ["jsonl", "csv"] {
      let library = try kind.library()
      #expect(
        try library.run(["delete", library.address, "Author", "--all"] + library.modelArguments)
          .status == 0)
      #expect(
        try library.run(["delete", library.address, "Tag", "--all"] + library.modelArguments).status
          == 0)
      #expect(try library.titles() == [])
      let file = library.folder.appendingPathComponent("Export").path
      let export = try source.run(["export", source.address, file, "--format", format])
      #expect(export.status == 0, "\(export.errors)")
      let run = try library.run(["import", library.address, file] + library.modelArguments)
      #expect(run.status == 0, "\(run.errors)")
      #expect(try library.titles() == before)
    }
  }
}
