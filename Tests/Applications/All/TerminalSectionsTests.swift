import Foundation
import TerminalDriver
import Testing

/// Goods, Heroes and Employees in a terminal.
@Suite(.serialized)
struct TerminalSectionsTests {
  private typealias Keys = TerminalProcess

  @Test func goodsAreCountedAddedMovedAndImported() throws {
    let folder = try TemporaryFolder()
    let goods = try TerminalApplication(
      "goods", store: folder.file("Goods.sqlite"), arguments: ["--seed", "16"]
    ).process
    try goods.wait("the first section") {
      $0.text.contains("Bakery ─") && $0.text.contains("Baguette")
    }
    let count = Int(goods.currentLine.split(separator: " ").last ?? "") ?? 0
    goods.type("\r")
    try goods.wait("one more") {
      $0.lines.contains { $0.contains("▌") && $0.hasSuffix(" \(count + 1)") }
    }
    // What makes no sense is told, and what was typed is still there.
    goods.type("aNails\rmany\rTools\r")
    try goods.wait(for: "“many” is no whole number.")
    try goods.wait(for: "Nails")
    goods.type("\u{15}7\r\r")
    try goods.wait("the new section") { $0.text.contains("Tools ─") && $0.text.contains("Nails") }
    // The row moves to another category, whose section comes; the old one goes.
    goods.type("c\u{15}Attic\rg")
    try goods.wait("the moved row") { $0.text.contains("Attic ─") }
    try goods.wait("its undo") { $0.text.contains("Undo Move “Nails”") }
    goods.type("u")
    try goods.waitForAbsence(of: "Attic ─")
    // Rows of a background context come in place, and the current row stays.
    goods.type("g")
    try goods.wait("the start") {
      $0.lines.contains { $0.contains("▌") && $0.contains("Baguette") }
    }
    goods.type("i\u{15}300\r")
    try goods.wait(for: "300 rows imported")
    try goods.wait("all rows, with the current one of before") {
      $0.text.contains(" of 317") && $0.currentHas("Baguette")
    }
  }

  @Test func heroesAreInTwoOrdersFoundAndDeleted() throws {
    let folder = try TemporaryFolder()
    let store = folder.file("Heroes.sqlite")
    let heroes = try TerminalApplication("heroes", store: store, arguments: ["--seed", "600"])
      .process
    try heroes.wait("the heroes by name") {
      $0.text.contains("A ─") && $0.text.contains("1 of 600")
    }
    heroes.type("2")
    try heroes.wait("the heroes by identity") {
      $0.text.contains("Ada Abbot") && $0.currentHas("Ada")
    }
    // The index leads to a letter.
    heroes.type("'w\r")
    try heroes.wait("W") { $0.currentHas("Wanda") }
    heroes.type("/rosa w")
    try heroes.wait("what is found") { $0.text.contains("Rosa W") && !$0.text.contains("Wanda") }
    heroes.type("\rd")
    try heroes.wait(for: "Undo Delete")
    heroes.type("u" + Keys.escape)
    try heroes.wait(for: "of 600")
    heroes.type("e")
    try heroes.wait(for: "⊖")
    heroes.type("oaNew Hero\r\r")
    try heroes.wait(for: "[None]")
    heroes.type(Keys.right + "\r")
    try heroes.wait(for: "[Female]")
    heroes.type(" ")
    try heroes.wait(for: "[ Remove ]")
    heroes.type("20001345\r")
    try heroes.wait(for: "“2000-13-45” is no date")
    heroes.type(Keys.escape + "d")
    try heroes.waitForAbsence(of: "New Hero")
    heroes.type("q")
    #expect(try heroes.waitForExit() == 0)
    // The chosen tab is remembered.
    let again = try TerminalApplication("heroes", store: store).process
    try again.wait("the heroes by identity") {
      $0.currentHas("Ada") || $0.text.contains("Ada Abbot")
    }
  }

  /// Saving would leave the day before.
  @Test func aDayThatIsNoneKeepsTheFormOpen() throws {
    let folder = try TemporaryFolder()
    let store = folder.file("Employees.sqlite")
    let employees = try TerminalApplication("employees", store: store, arguments: ["--seed", "1"])
      .process
    try employees.wait(for: "Ada Abbot")
    let stored = "SELECT ZBIRTHDAY FROM ZEMPLOYEE"
    let before = try SQLiteShell.query(stored, store)
    employees.type("\r")
    try employees.wait(for: "Department")
    employees.type("\t\t19900231")
    try employees.wait(for: "1990-02-31")
    employees.type(Keys.controlS)
    try employees.wait(for: "“1990-02-31” is no date")
    #expect(employees.screen.text.contains("Department"))
    #expect(try SQLiteShell.query(stored, store) == before)
  }

  @Test func employeesAreWatchedAtWork() throws {
    let folder = try TemporaryFolder()
    let employees = try TerminalApplication(
      "employees", store: folder.file("Employees.sqlite"), arguments: ["--seed", "30"]
    ).process
    try employees.wait(for: "No changes yet")
    try employees.wait(for: "1960s ─")
    employees.type("d")
    try employees.wait(for: "1 change: delete 0.0")
    employees.type("u")
    try employees.wait(for: "1 change: insert → 0.0")
    employees.type("a")
    try employees.wait("a page of rows") {
      $0.text.contains("20 changes: … ·") && $0.text.contains("of 50")
    }
    employees.type("g\r")
    try employees.wait(for: "Index path 0.0")
    employees.type("\u{15}Zoe Zimmer\r\r\r\r")
    try employees.wait("the moved row") {
      $0.text.contains("1 change: move 0.0 → 0.") && $0.currentHas("Zoe")
    }
  }

  @Test func aMillionRowsOpenAtOnce() throws {
    let folder = try TemporaryFolder()
    let heroes = try TerminalApplication(
      "heroes", store: folder.file("Heroes.sqlite"), arguments: ["--seed", "20000"]
    ).process
    try heroes.wait(for: "1 of 20,000")
    heroes.type("G")
    try heroes.wait(for: "20,000 of 20,000")
  }
}

extension TerminalScreen {
  /// Whether the row that the keys mean has this text.
  fileprivate func currentHas(_ text: String) -> Bool {
    lines.contains { $0.contains("▌") && $0.contains(text) }
  }
}
