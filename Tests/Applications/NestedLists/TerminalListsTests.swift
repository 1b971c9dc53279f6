import Foundation
import TerminalDriver
import TestSupport
import Testing

/// NestedLists in a terminal.
@Suite(.serialized)
struct TerminalListsTests {
  private typealias Keys = TerminalProcess

  @Test func itemsAreAddedOpenedRenamedMovedAndDeleted() throws {
    let folder = try TemporaryFolder()
    let store = folder.file("Lists.sqlite")
    let lists = try TerminalApplication("nested-lists", store: store).process
    try lists.wait(for: "Nothing in this list yet")
    lists.type("nTea\rRye\rEgg\r" + Keys.escape)
    try lists.wait(for: "↺ Undo Add “Egg”")
    try lists.wait("three rows") { $0.text.contains("3 of 3") }
    // The list of an item's children, titled with it.
    lists.type("g\r")
    try lists.wait("the list of Tea") { $0.lines[1] == " Tea" }
    lists.type("nGreen\rBlack\r" + Keys.escape + Keys.escape)
    try lists.wait("the number of children") { screen in
      screen.lines.contains { $0.contains("Tea") && $0.hasSuffix("2 ›") }
    }
    lists.type("r\u{15}Teas\r")
    try lists.wait(for: "Undo Rename “Teas”")
    lists.type(Keys.shiftDown)
    try lists.wait(for: "Undo Move “Teas”")
    // A whole subtree goes and comes back in one step.
    lists.type("d")
    try lists.wait(for: "“Teas” deleted")
    lists.type("u")
    try lists.wait(for: "Redo Delete “Teas”")
    try lists.wait("Teas with its children") { $0.text.contains("Teas") && $0.text.contains("2 ›") }
    lists.type("U")
    try lists.wait(for: " of 2")
    lists.type("\u{1A}")
    try lists.wait(for: " of 3")
    lists.type("q")
    #expect(try lists.waitForExit() == 0)
    #expect(lists.terminal.isCooked)
    // Everything was saved.
    let again = try TerminalApplication("nested-lists", store: store).process
    try again.wait("Teas between the two others") {
      let titles = $0.lines.filter { $0.contains("⠿") }
      return titles.count == 3 && titles[0].contains("Rye") && titles[1].contains("Teas")
    }
  }

  @Test func eachPastedRowIsAStepToUndo() throws {
    let folder = try TemporaryFolder()
    let lists = try TerminalApplication("nested-lists", store: folder.file("Lists.sqlite")).process
    try lists.wait(for: "Nothing in this list yet")
    lists.type("n\u{1B}[200~Tea\nRye\nEgg\u{1B}[201~" + Keys.escape)
    try lists.wait(for: "3 of 3")
    for title in ["Egg", "Rye", "Tea"] {
      try lists.wait(for: "Undo Add “\(title)”")
      lists.type("u")
      try lists.wait(for: "Redo Add “\(title)”")
    }
    try lists.wait(for: "Nothing in this list yet")
    lists.type("q")
    #expect(try lists.waitForExit() == 0)
  }

  @Test func anItemMovesToAnotherList() throws {
    let folder = try TemporaryFolder()
    let lists = try TerminalApplication("nested-lists", store: folder.file("Lists.sqlite")).process
    try lists.wait(for: "New item")
    lists.type("nHouse\rLamp\r" + Keys.escape + "m")
    // A page of all lists, which is searched.
    try lists.wait("the lists") { $0.text.contains("Move “Lamp”") && $0.text.contains("in Lists") }
    lists.type("/hou\r")
    try lists.wait("what is found") { $0.text.contains("in Lists") && $0.text.contains("1 of 1") }
    lists.type("\r")
    try lists.wait(for: "“Lamp” moved to “House”")
    try lists.wait("one row with one child") { $0.text.contains("1 ›") }
  }

  @Test func anotherWindowsChangesAppearAndTypedTextStays() throws {
    let folder = try TemporaryFolder()
    let store = folder.file("Lists.sqlite")
    let lists = try TerminalApplication("nested-lists", store: store, arguments: ["--seed", "40"])
      .process
    try lists.wait(for: "Groceries")
    lists.type("nhalf a wo")
    try lists.wait(for: "half a wo")
    lists.resize(columns: 40, rows: 10)
    try lists.wait(for: "half a wo")
    lists.type("rd\r" + Keys.escape)
    try lists.wait(for: "half a word")
  }

  @Test func aSignalSavesAndBringsTheTerminalBack() throws {
    for number in [SIGTERM, SIGINT, SIGHUP] {
      let folder = try TemporaryFolder()
      let store = folder.file("Lists.sqlite")
      let lists = try TerminalApplication("nested-lists", store: store).process
      try lists.wait(for: "New item")
      lists.type("nMilk\r")
      try lists.wait(for: "Undo Add “Milk”")
      lists.signal(number)
      #expect(try lists.waitForExit() == 0)
      #expect(lists.terminal.isCooked && lists.screen.modes.isSubset(of: ["?25", "?7"]))
      let rows = try TerminalApplication.plain("nested-lists", store: store, [])
      #expect(rows.output.contains("1. Milk"))
    }
  }

  @Test func aCrashBringsTheTerminalBack() throws {
    let folder = try TemporaryFolder()
    let lists = try TerminalApplication("nested-lists", store: folder.file("Lists.sqlite")).process
    try lists.wait(for: "New item")
    #expect(!lists.terminal.isCooked)
    lists.signal(SIGSEGV)
    #expect(try lists.waitForExit() == -SIGSEGV)
    #expect(lists.terminal.isCooked && lists.screen.isCursorShown)
    #expect(lists.screen.modes.isSubset(of: ["?25", "?7"]))
  }

  @Test func itIsSuspendedAndGoesOn() throws {
    let folder = try TemporaryFolder()
    let lists = try TerminalApplication("nested-lists", store: folder.file("Lists.sqlite")).process
    try lists.wait(for: "New item")
    for key in [nil, "Z"] {
      if let key { lists.type(key) } else { lists.signal(SIGTSTP) }
      try lists.wait("the shell's screen") { !$0.modes.contains("?1049") }
      try lists.wait("the shell's keys") { _ in lists.terminal.isCooked }
      try Patience.wait(for: "its suspension") { lists.isSuspended }
      lists.resize(columns: 50, rows: 15)
      lists.signal(SIGCONT)
      try lists.wait("its screen") { $0.modes.contains("?1049") && $0.text.contains("New item") }
      #expect(!lists.terminal.isCooked)
    }
    lists.type("q")
    #expect(try lists.waitForExit() == 0)
  }

  @Test func plainModeReadsCommandsAndSavesAtTheEnd() throws {
    let folder = try TemporaryFolder()
    let store = folder.file("Lists.sqlite")
    let first = try TerminalApplication.plain(
      "nested-lists", store: store,
      ["new Tea", "new Rye", "1", "new Green", "back", "delete 2", "undo"])
    #expect(first.status == 0)
    #expect(first.output.contains("1. Tea (1)") && first.output.contains("Undo Delete “Rye”"))
    #expect(!first.output.contains("\u{1B}"))
    let second = try TerminalApplication.plain("nested-lists", store: store, [])
    #expect(second.output.contains("1. Tea (1)\n2. Rye\n"))
  }
}
