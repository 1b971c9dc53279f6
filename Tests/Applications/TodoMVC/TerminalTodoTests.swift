import Foundation
import TerminalDriver
import Testing
import TestSupport

/// TodoMVC in a terminal.
@Suite(.serialized)
struct TerminalTodoTests {
  private typealias Keys = TerminalProcess

  @Test func todosAreAddedCompletedEditedFilteredAndCleared() throws {
    let folder = try TemporaryFolder()
    let store = folder.file("TodoMVC.sqlite")
    let todos = try TerminalApplication("todomvc", store: store).process
    // The field has the keyboard from the start; the list and its footer come with the first todo.
    try todos.wait(for: "What needs to be done?")
    #expect(!todos.screen.text.contains("left"))
    todos.type("Tea\r   \rRye\rEgg\r")
    try todos.wait(for: "3 items left")
    todos.type(Keys.escape)
    try todos.wait("the list to have the keyboard") { _ in todos.currentLine.contains("[ ]") }
    todos.type("g ")
    try todos.wait("a completed todo") { $0.text.contains("[x] Tea") }
    try todos.wait(for: "2 items left")
    todos.type(Keys.down + "r\u{15}Bread\r")
    try todos.wait("the new title") { $0.text.contains("[ ] Bread") && !$0.text.contains("Rye") }
    // The filters are chosen by number; the one that is shown stands in brackets.
    todos.type("2")
    try todos.wait("the active todos") {
      $0.text.contains("[Active]") && $0.text.contains("Egg") && !$0.text.contains("Tea")
    }
    todos.type("3")
    try todos.wait("the completed todos") {
      $0.text.contains("[Completed]") && $0.text.contains("[x] Tea") && !$0.text.contains("Egg")
    }
    todos.type("1")
    try todos.wait("all todos") { $0.text.contains("[All]") && $0.text.contains("Egg") }
    todos.type(Keys.end + "d")
    try todos.waitForAbsence(of: "] Egg")
    try todos.wait(for: "1 item left")
    todos.type("c")
    try todos.waitForAbsence(of: "] Tea")
    todos.type("u")
    try todos.wait("what was cleared") { $0.text.contains("[x] Tea") }
    todos.type("m")
    try todos.wait(for: "0 items left")
    todos.type("q")
    #expect(try todos.waitForExit() == 0)
    let rows = try TerminalApplication.plain("todomvc", store: store, []).output
    #expect(rows.contains("1. Tea, checked\n2. Bread, checked\n"))
  }

  /// Where there is nothing but the field, Escape leaves it all the same, and keys are keys.
  @Test func theOnlyFieldIsLeftAndEnteredAgain() throws {
    let folder = try TemporaryFolder()
    let todos = try TerminalApplication("todomvc", store: folder.file("TodoMVC.sqlite")).process
    try todos.wait(for: "What needs to be done?")
    todos.type("ab" + Keys.escape)
    try todos.wait("the field to be left") { !$0.isCursorShown }
    todos.type("\r")
    try todos.wait("the field to be entered") { $0.isCursorShown }
    todos.type("\rc\r")
    try todos.wait(for: "2 items left")
    todos.type(Keys.escape)
    try todos.wait("the list to have the keyboard") { _ in todos.currentLine.contains("[ ]") }
    // The list is gone with its last todo; its message offers a key.
    todos.type("d")
    try todos.wait(for: "1 item left")
    todos.type("d")
    try todos.waitForAbsence(of: "item left")
    todos.type("u")
    try todos.wait(for: "1 item left")
    todos.type("q")
    #expect(try todos.waitForExit() == 0)
  }

  @Test func todosAreKeptByLines() throws {
    let folder = try TemporaryFolder()
    let result = try TerminalApplication.plain(
      "todomvc", store: folder.file("TodoMVC.sqlite"),
      [
        "new Tea", "new Rye", "new Egg", "check 1", "rename 2 Bread", "delete 3", "active",
        "completed", "all", "clear completed", "list",
      ])
    #expect(result.status == 0)
    #expect(result.output.contains("1. Tea, checked\n"))
    #expect(result.output.contains("1. Bread, not checked\n1 item left\n"))
    #expect(
      result.output.contains("Which todos are shown: All, Active, Completed (this one)\n"))
    #expect(result.output.hasSuffix("Which todos are shown: All (this one), Active, Completed\n"))
  }

  @Test(arguments: ["nested-lists", "goods", "books", "heroes", "employees", "todomvc"])
  func everyApplicationsHelpListsTheTerminal(_ name: String) throws {
    let process = Process()
    let output = Pipe()
    process.executableURL = try BuiltProgram.url(name)
    process.arguments = ["--help"]
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(text.contains("--terminal") && text.contains("--store"))
  }
}
