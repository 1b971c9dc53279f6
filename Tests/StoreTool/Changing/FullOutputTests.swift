import Foundation
import StoreTool
import TestSupport
import Testing

/// Every subcommand, as the command itself lists them, × an output that takes nothing: it ends with 74 and the reason.
/// Those that say nothing end with 0.
struct FullOutputTests {
  /// A store, another one, a model, and what a sync server has.
  private struct Place {
    let library: Library

    init() throws {
      library = try Library()
      for name in ["Other.sqlite", "Edited.sqlite"] {
        try FileManager.default.copyItem(at: library.url, to: file(name))
      }
      let files = [
        "In.jsonl": #"{"$entity":"Author","name":"Third"}"#,
        "Keys": "9c1f0a52e6d84b7795d1e2ab03f4c6d8 anna home=write\n",
      ]
      for (name, text) in files { try Data(text.utf8).write(to: file(name)) }
      for path in ["Other", "Edited"].map({ file("\($0).sqlite").path }) {
        #expect(try ToolRun("set", path, "Book/p1", "pages=9").status == 0)
      }
    }

    func file(_ name: String) -> URL { library.folder.appendingPathComponent(name) }

    /// A capital word stands for a file, and PORT for a port.
    func arguments(_ words: [String]) throws -> [String] {
      try words.map { word in
        switch word {
        case "STORE": library.url.path
        case "MODEL": library.modelURL.path
        case "PORT": "\(try LentPorts.lend())"
        case "LISTEN": "127.0.0.1:\(try LentPorts.lend())"
        case _ where word.hasPrefix("@"): file(String(word.dropFirst())).path
        default: word
        }
      }
    }

    /// Runs the command with `/dev/full` for its output.
    func run(_ words: [String]) throws -> (status: Int32, errors: String) {
      let process = Process()
      process.executableURL = try BuiltProgram.url("coredata")
      process.arguments = try arguments(words)
      let errors = file("errors")
      try Data().write(to: errors)
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = FileHandle(forWritingAtPath: "/dev/full")
      process.standardError = try FileHandle(forWritingTo: errors)
      try process.run()
      process.waitUntilExit()
      let isExit = process.terminationReason == .exit
      return (
        isExit ? process.terminationStatus : -process.terminationStatus,
        String(decoding: try Data(contentsOf: errors), as: UTF8.self)
      )
    }
  }

  /// By the subcommand: ways to call it, each of which does what it is for. `@` stands before files.
  private static let calls: [String: [[String]]] = [
    "inspect": [["STORE"], ["STORE", "--json"], ["STORE", "--sizes"]],
    "query": [["STORE", "Book"], ["STORE", "Book", "--explain"]]
      + ["csv", "json", "ndjson", "markdown"].map { ["STORE", "Book", "--format", $0] },
    "browse": [["STORE", "--terminal", "plain"], ["STORE", "--port", "PORT"]],
    "check": [["STORE"], ["STORE", "--repair", "@Repaired.sqlite"]],
    "history": [["STORE"], ["STORE", "--json"]],
    "watch": [["STORE", "Author", "--for", "0"]],
    "get": [["STORE", "Book/p1"], ["STORE", "Book/p1", "--json"]],
    "set": [["STORE", "Book/p1", "pages=7"], ["STORE", "Book/p1", "pages=8", "--dry-run"]],
    "insert": [["STORE", "Tag", "word=new"]], "delete": [["STORE", "Tag", "--all", "--dry-run"]],
    "undo": [["@Edited.sqlite", "--dry-run"], ["@Edited.sqlite"]],
    "export": [
      ["STORE", "-"], ["STORE", "@Out.jsonl"], ["STORE", "/dev/stdout", "--format", "sql"],
    ],
    "import": [["STORE", "@In.jsonl", "--dry-run"], ["STORE", "@In.jsonl"]],
    "diff": [["STORE", "@Other.sqlite"]], "merge": [["STORE", "@Other.sqlite"]],
    "model show": [["MODEL"], ["STORE"], ["MODEL", "--json"]], "model new": [["@New.xcdatamodeld"]],
    "model add": [["@New.xcdatamodeld", "entity", "Shelf"]],
    "model set": [["@New.xcdatamodeld", "Shelf", "abstract=YES"]],
    "model remove": [["@New.xcdatamodeld", "Shelf"]],
    "model convert": [["MODEL", "@Converted.momd"]],
    "model compile": [["MODEL", "@Compiled.momd"]],
    "model diff": [["MODEL", "@New.xcdatamodeld"]], "model hash": [["MODEL"]],
    "model graph": [["MODEL"]], "codegen": [["MODEL", "--output", "@Classes"]],
    "new": [["MODEL", "@Empty.sqlite"]],
    "migrate": [
      ["STORE", "--to", "MODEL", "--dry-run"], ["STORE", "--to", "MODEL"],
      ["STORE", "--into", "@Moved.xml"],
    ],
    "vacuum": [["STORE"]], "anonymize": [["STORE", "@Anonymous.sqlite"]],
    "sync-server serve": [["--store", "@Sync.sqlite", "--keys", "@Keys", "--listen", "LISTEN"]],
    "sync-server inspect": [["--store", "@Sync.sqlite"]],
    "sync-server restored": [["--store", "@Sync.sqlite"]],
    "sync-server compact": [["--store", "@Sync.sqlite"]],
    "sync-server revoke": [["anna", "--keys", "@Keys"]],
    "help": [[], ["query"]],
  ]

  /// What says nothing when it has done its work.
  private static let silent: Set = ["new", "model convert", "model compile"]

  /// The subcommands that have none themselves, from the command's own description.
  private func subcommands() throws -> [String] {
    struct Help: Decodable {
      struct Command: Decodable {
        let commandName: String
        let subcommands: [Command]?

        func leaves(_ path: [String]) -> [String] {
          guard let subcommands, !subcommands.isEmpty else { return [path.joined(separator: " ")] }
          return subcommands.flatMap { $0.leaves(path + [$0.commandName]) }
        }
      }
      let command: Command
    }
    let text = try ToolRun("--experimental-dump-help").output
    return try JSONDecoder().decode(Help.self, from: Data(text.utf8)).command.leaves([])
  }

  @Test func everySubcommandSaysThatItsOutputCannotBeWritten() throws {
    let place = try Place()
    let subcommands = try subcommands()
    #expect(Set(subcommands) == Set(Self.calls.keys), "A new subcommand belongs in the table.")
    for subcommand in subcommands {
      for call in Self.calls[subcommand] ?? [] {
        let words = subcommand.split(separator: " ").map(String.init) + call
        let (status, errors) = try place.run(words)
        if Self.silent.contains(subcommand) {
          #expect(status == 0, "\(words): \(errors)")
        } else {
          #expect(status == 74, "\(words): \(errors)")
          #expect(errors.contains("No space left on device"), "\(words): \(errors)")
        }
      }
    }
  }

  @Test(arguments: [["--help"], ["--version"], ["model", "--help"], ["query", "--help"], []])
  func soDoesHelp(_ arguments: [String]) throws {
    let (status, errors) = try Place().run(arguments)
    #expect(status == 74, "\(arguments): \(errors)")
  }
}
