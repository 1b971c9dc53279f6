import Foundation
import TerminalDriver
import Testing

/// Books in a terminal.
@Suite(.serialized)
struct TerminalBooksTests {
  private typealias Keys = TerminalProcess

  @Test func aBookIsAddedReadAndEdited() throws {
    let folder = try TemporaryFolder()
    let store = folder.file("Books.sqlite")
    let books = try TerminalApplication("books", store: store).process
    try books.wait(for: "Agnes Thornbury ─")
    // A form on a child context; what is missing is told, and what was typed is still there.
    books.type("a")
    try books.wait(for: "New Book")
    books.type("Zebras" + Keys.controlS)
    try books.wait("what is missing") {
      $0.text.contains("Author is a required value.") && $0.text.contains("Zebras")
    }
    books.type("Aaron Aal\r19840527" + Keys.controlS)
    try books.wait("the book in the list") {
      $0.text.contains("Aaron Aal ─") && !$0.text.contains("New Book")
    }
    // Its page, edited with undo.
    books.type("g\r")
    try books.wait("its page") { $0.lines[1] == " Zebras" }
    books.type("e\r")
    try books.wait("the page of the title") { $0.lines[1] == " Title" }
    books.type("\u{15}Zebra Crossings" + Keys.controlS)
    try books.wait(for: "Undo Edit Title")
    books.type("u")
    try books.wait("the title of before") { $0.lines[1] == " Zebras" }
    books.type("U")
    try books.wait("the new title") { $0.lines[1] == " Zebra Crossings" }
    books.type(Keys.controlS)
    try books.waitForAbsence(of: "Undo Edit Title")
    books.type(Keys.escape)
    try books.wait("the list") { $0.lines[1] == " Books" && $0.text.contains("Zebra Crossings") }
    // A deletion is told, and taken back by the message's key.
    books.type("d")
    try books.wait(for: "“Zebra Crossings” deleted")
    books.type("u")
    try books.wait("the book that is back") {
      $0.text.contains("Zebra Crossings") && !$0.text.contains("deleted")
    }
    books.type("gd")
    try books.wait("the list without it") {
      !$0.text.replacing("“Zebra Crossings” deleted", with: "").contains("Zebra Crossings")
    }
    books.type("q")
    #expect(try books.waitForExit() == 0)
  }

  @Test func aBegunFormIsNotLostByEscape() throws {
    let folder = try TemporaryFolder()
    let books = try TerminalApplication("books", store: folder.file("Books.sqlite")).process
    try books.wait(for: "Agnes Thornbury ─")
    books.type("aHalf")
    try books.wait(for: "Half")
    books.type(Keys.escape)
    try books.wait("the field to be left") { !$0.isCursorShown }
    books.type(Keys.escape)
    try books.wait(for: "What you changed is not saved")
    books.type("k")
    try books.wait("the form") { $0.text.contains("Half") && !$0.text.contains("not saved") }
    books.type(Keys.escape + "d")
    try books.waitForAbsence(of: "New Book")
  }

  @Test func aBookIsAddedByLines() throws {
    let folder = try TemporaryFolder()
    let store = folder.file("Books.sqlite")
    let lines = [
      "add", "set Title By Line", "set 2 Aaron Aal", "set copyright 1999-01-02", "set nobody x",
      "save", "1",
      "edit", "2", "set 1 Aaron Abel", "save", "done", "back",
    ]
    let text = try TerminalApplication.plain("books", store: store, lines).output
    let left = try TerminalApplication.plain(
      "books", store: store, ["delete 1", "undo", "delete 1", "list"]
    ).output
    #expect(left.components(separatedBy: "“By Line” deleted").count == 3)
    #expect(try !TerminalApplication.plain("books", store: store, []).output.contains("By Line"))
    #expect(text.contains("3. Copyright: 1999-01-02"))
    #expect(text.contains("To set: Title, Author, Copyright\n"))
    #expect(text.contains("Aaron Aal:\n1. By Line – January 2, 1999"))
    #expect(text.contains("Aaron Abel:\n1. By Line"))
  }
}
