import CoreData
import Foundation
import PostgreSQLServer
import StoreTool
import Testing

@testable import PostgreSQLStore

/// What stores on servers have of their own: changes of others, damages behind the model's back, and servers that are
/// not there.
@Suite(.enabled(if: PostgreSQLServer.isAvailable)) struct ServerStoreTests {
  private func sql(_ library: Library, _ statements: String...) throws {
    let connection = try PostgreSQLConnection(ServerAddress(library.url), timeout: nil)
    for statement in statements { try connection.execute(statement) }
  }

  @Test(arguments: [true, false]) func aListOnAServerIsFollowed(hasHistory: Bool) throws {
    let library = try Library(history: hasHistory, type: LibraryKind.server.rawValue)
    let watch = try WatchProcess(library, "Author", "--sort", "name", "--columns", "name")
    #expect(try watch.lines(2).allSatisfy { $0.contains(#""change":"row""#) })
    for (command, change) in [
      (["insert", library.address, "Author", "name=Brontë"], "insert"),
      (["set", library.address, "Author", "--where", "name == 'Brontë'", "name=Zola"], "move"),
      (["set", library.address, "Author", "--where", "name == 'Zola'", "name=Zweig"], "update"),
      (["delete", library.address, "Author", "--where", "name == 'Zweig'"], "delete"),
    ] {
      let run = try library.run(command)
      #expect(run.status == 0, "\(run.errors)")
      let line = try #require(watch.lines(1).first)
      #expect(line.contains("\"change\":\"\(change)\""), "\(line)")
    }
    #expect(try watch.end(SIGTERM) == 0)
  }

  @Test(arguments: [
    (#"UPDATE "Book" SET "author" = 77 WHERE "title" = 'Emma'"#, "references: Book.author"),
    (#"UPDATE "Book" SET "title" = NULL WHERE "pages" = 635"#, "values: Novel.title"),
  ])
  func whatIsWrongWithObjectsIsFound(statement: String, finding: String) throws {
    let library = try LibraryKind.server.library()
    #expect(try library.run(["check", library.address]).status == 0)
    try sql(library, statement)
    let run = try library.run(["check", library.address])
    #expect(run.status == 1)
    #expect(run.output.contains(finding) && run.output.contains("1 finding"), "\(run.output)")
    let json = try library.run(["check", library.address, "--json"])
    #expect(json.status == 1 && json.output.contains("\"rows\" : 1"), "\(json.output)")
  }

  @Test func readingWritesNothing() throws {
    let library = try LibraryKind.server.library()
    func state() throws -> String {
      let connection = try PostgreSQLConnection(ServerAddress(library.url), timeout: nil)
      return try connection.query(
        "SELECT concat((SELECT sum(save) FROM _coredata_savers), ' ', "
          + "(SELECT last_transaction FROM _coredata_store), ' ', "
          + "(SELECT max(\"_version\") FROM \"Book\"))"
      ).text(0, column: 0)
    }
    let before = try state()
    for command in [
      ["inspect"], ["check"], ["history"], ["model", "show"], ["export"], ["migrate"],
    ] {
      var arguments = command + [library.address]
      if command == ["export"] { arguments.append(library.folder.path + "/Out.jsonl") }
      if command == ["migrate"] { arguments += ["--into", library.folder.path + "/Out.sqlite"] }
      let run = try library.run(arguments)
      #expect(run.status == 0, "\(run.errors)")
      // A store that notes its history is no reason for a complaint.
      #expect(run.errors == "")
    }
    #expect(try state() == before)
  }

  @Test func whatThereIsNotIsSaidWithAStatusAndWithoutThePassword() throws {
    let server = try PostgreSQLServer.url(schema: "nobody").absoluteString
    for (address, status, part) in [
      (server, 66, "There is no store"),
      ("postgresql://u:secret@127.0.0.1:1/db", 69, "Is the server running"),
      (server.replacing("/postgres?", with: "/nosuchdatabase?"), 66, "does not exist"),
      ("postgresql://[", 64, "cannot be read"),
    ] as [(String, Int32, String)] {
      for command in [["inspect"], ["check"], ["vacuum"], ["model", "show"], ["undo"]] {
        let run = try ToolRun(command + [address])
        #expect(run.status == status, "\(command) \(address): \(run.errors)")
        #expect(run.errors.contains(part), "\(command) \(address): \(run.errors)")
        #expect(!run.errors.contains("secret") && run.output.isEmpty)
      }
    }
  }

  @Test func aStoreIsNeverWrittenOver() throws {
    let library = try LibraryKind.server.library()
    let before = try library.titles()
    let other = try Library()
    let run = try other.run(["migrate", other.address, "--into", library.address])
    #expect(run.status == 73 && run.errors.contains("already"), "\(run.errors)")
    #expect(try library.titles() == before)
  }

  @Test func aBackupOfAServerHasEverything() throws {
    let library = try LibraryKind.server.library()
    let before = try library.titles()
    let model = library.folder.appendingPathComponent("Next.xcdatamodel")
    let show = try library.run(["model", "convert", library.address, model.path])
    #expect(show.status == 0, "\(show.errors)")
    let contents = model.appendingPathComponent("contents")
    let text = try String(contentsOf: contents, encoding: .utf8)
    try Data(
      text.replacing(
        "<attribute name=\"genre\"",
        with:
          "<attribute name=\"note\" optional=\"YES\" attributeType=\"String\"/><attribute name=\"genre\""
      )
      .utf8
    ).write(to: contents)
    let run = try library.run(["migrate", library.address, "--to", model.path])
    #expect(run.status == 0, "\(run.errors)")
    let line = try #require(run.output.split(separator: "\n").last { $0.hasPrefix("Backup: ") })
    let backup = Library(of: library, at: URL(fileURLWithPath: String(line.dropFirst(8))))
    #expect(try backup.titles() == before && library.titles() == before)
  }
}
