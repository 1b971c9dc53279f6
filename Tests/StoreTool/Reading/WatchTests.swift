import CoreData
import Foundation
import StoreTool
import Testing
import TestSupport

/// `watch` as a process of its own, while this one saves.
struct WatchTests {
  @Test(arguments: [true, false]) func everyKindOfChangeIsTold(hasHistory: Bool) throws {
    let library = try Library(history: hasHistory)
    let watch = try WatchProcess(
      library, "Author", "--where", "name != 'Nobody'", "--sort", "name", "--columns",
      "name,books.@count")
    #expect(
      try watch.lines(2) == [
        #"{"change":"row","object":"Author/p1","index":0,"values":{"name":"Austen","books.@count":"1"}}"#,
        #"{"change":"row","object":"Author/p2","index":1,"values":{"name":"Melville","books.@count":"1"}}"#,
      ])
    let store = try library.open(isWriting: true)
    defer { store.close() }
    try store.withContext { context in
      let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
      author.setValue("Brontë", forKey: "name")
      try context.save()
      #expect(
        try watch.lines(1) == [
          #"{"change":"insert","object":"Author/p3","index":1,"values":{"name":"Brontë","books.@count":"0"}}"#
        ])
      author.setValue("Zola", forKey: "name")
      try context.save()
      #expect(
        try watch.lines(1) == [
          #"{"change":"move","object":"Author/p3","index":2,"from":1,"values":{"name":"Zola","books.@count":"0"}}"#
        ])
      author.setValue("Zweig", forKey: "name")
      try context.save()
      #expect(
        try watch.lines(1) == [
          #"{"change":"update","object":"Author/p3","index":2,"values":{"name":"Zweig","books.@count":"0"}}"#
        ])
      // Out of the list by the predicate, which is a deletion to whoever sees the list.
      author.setValue("Nobody", forKey: "name")
      try context.save()
      #expect(
        try watch.lines(1) == [#"{"change":"delete","object":"Author/p3","index":2}"#])
    }
    #expect(try watch.end(SIGTERM) == 0)
  }

  @Test(arguments: [SIGINT, SIGTERM]) func anInterruptionIsAGoodEnd(signal: Int32) throws {
    let watch = try WatchProcess(Library(), "Tag")
    _ = try watch.lines(2)
    #expect(try watch.end(signal) == 0)
  }

  @Test func itEndsAfterATimeAndAfterANumberOfChanges() throws {
    let library = try Library()
    let timed = try ToolRun("watch", library.url.path, "Tag", "--for", "0", "--sort=-word")
    #expect(timed.status == 0)
    #expect(timed.output == "  0  Tag/p1  word=sea\n  1  Tag/p2  word=love\n")
    let watch = try WatchProcess(library, "Tag", "--limit", "1")
    _ = try watch.lines(2)
    let store = try library.open(isWriting: true)
    defer { store.close() }
    try store.withContext { context in
      for word in ["one", "two"] {
        NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
          .setValue(word, forKey: "word")
      }
      try context.save()
    }
    #expect(try watch.lines(1).first?.contains("insert") == true)
    #expect(try watch.end(nil) == 0)
  }

  @Test(arguments: [
    (["Nothing"], "has no entity"), (["Tag", "--where", "word =="], "expected"),
    (["Tag", "--where", "nothing == 1"], "nothing"), (["Tag", "--sort", "nothing"], "nothing"),
    (["Tag", "--columns", "sum(word)"], "computed of rows"), (["Tag", "--limit", "0"], "--limit"),
  ])
  func aWrongQuestionIsTold(arguments: [String], part: String) throws {
    let run = try ToolRun(["watch", Library().url.path] + arguments + ["--for", "0"])
    #expect(run.status == 64, "\(run.errors)")
    #expect(run.errors.contains(part), "\(run.errors)")
  }

  @Test func watchingChangesNoFile() throws {
    let library = try Library()
    let before = try contents(of: library.folder)
    #expect(try ToolRun("watch", library.url.path, "Book", "--for", "0.3").status == 0)
    #expect(try contents(of: library.folder) == before)
  }
}

/// A watch that goes on, and its lines as they come.
final class WatchProcess {
  private let process = Process()
  private let output: PrintedLines

  init(_ library: Library, _ arguments: String...) throws {
    process.executableURL = try BuiltProgram.url("coredata")
    process.arguments = ["watch", library.address] + arguments + ["--json"]
    process.standardInput = FileHandle.nullDevice
    output = PrintedLines(of: process)
    try process.run()
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  /// Waits for so many lines.
  func lines(_ count: Int) throws -> [String] {
    try (0..<count).map { number in
      try #require(output.next(), "It ended after \(number) lines")
    }
  }

  /// The status at the end, after a signal if one is given. Nothing may have been printed meanwhile.
  func end(_ signal: Int32?) throws -> Int32 {
    if let signal { kill(process.processIdentifier, signal) }
    #expect(output.rest() == "")
    process.waitUntilExit()
    return process.terminationReason == .exit
      ? process.terminationStatus : -process.terminationStatus
  }
}
