import BrowserDriver
import Foundation
import TerminalDriver
import Testing
import TestSupport

/// `coredata browse` on a store of nested lists, in a real browser.
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct StoreBrowserTests {
  private static let search = Selector("input[type=search]")

  @Test func entitiesLeadToObjectsAndRelationshipsToOthers() async throws {
    try await withBrowsedStore { page, store in
      try await page.waitForText("41", in: ".row .count")
      try await page.choose("Item")
      try await page.waitForTotal(41)
      try await page.choose("Groceries")
      try await page.waitForText("Attributes", in: "h2")
      // To many, and back by the relationship to one.
      try await page.choose("children")
      try await page.waitForTotal(try children(of: "Groceries", store))
      let child = try #require(try await page.browser.texts(".row .title").first)
      try await page.choose(child)
      try await page.choose("parent")
      try await page.waitForText("Groceries", in: "h1")
      // The way is an address.
      try await page.browser.reload()
      try await page.waitForText("Groceries", in: "h1")
      #expect(try await page.browser.path().contains("/children/Item.p"))
      #expect(try await page.browser.consoleMessages() == [])
    }
  }

  private func children(of title: String, _ store: URL) throws -> Int {
    let sql = """
      SELECT COUNT(*) FROM ZITEM c JOIN ZITEM p ON p.Z_PK = c.ZPARENT WHERE p.ZTITLE = '\(title)'
      """
    return Int(try SQLiteShell.query(sql, store).first ?? "") ?? -1
  }

  @Test func aSearchTakesAPredicateAndSaysWhatIsWrongWithIt() async throws {
    try await withBrowsedStore { page, _ in
      try await page.choose("Item")
      try await page.waitForTotal(41)
      try await page.browser.type("title BEGINSWITH", into: Self.search)
      try await page.waitForText("expected", in: ".prompt")
      // The list stays while the predicate is being typed: as the words before it, if they were looked for, left it.
      try await page.browser.wait(until: "document.querySelectorAll('.row').length > 0")
      try await page.browser.type(" 'Gro'", into: Self.search)
      try await page.waitForTotal(1)
      try await page.browser.wait(until: "!document.querySelector('.prompt')")
      try await page.browser.script("document.querySelector('input[type=search]').select()")
      try await page.browser.type("nothing == 1", into: Self.search)
      try await page.waitForText("nothing", in: ".prompt")
    }
  }

  /// A number, or the size of data, is no title; and a section without rows takes no room.
  @Test func objectsWithoutATextHaveTheirNameForATitle() async throws {
    let folder = try TemporaryFolder()
    let (model, store) = (folder.file("Readings.xcdatamodeld"), folder.file("Readings.sqlite"))
    for arguments in [
      ["model", "new", model.path], ["model", "add", model.path, "entity", "Reading"],
      ["model", "add", model.path, "attribute", "Reading.amount", "Integer 64"],
      ["model", "add", model.path, "attribute", "Reading.picture", "Binary"],
      ["new", model.path, store.path],
      ["insert", store.path, "Reading", "amount=7", "picture=AAEC"],
    ] {
      try Self.run(arguments, home: folder)
    }
    let tool = try ApplicationProcess("coredata", subcommand: "browse", store: store)
    try await withSections(at: tool.address) { page in
      try await page.choose("Reading")
      try await page.waitForText("Reading/p1", in: ".row .title")
      try await page.waitForText("amount 7", in: ".row")
      try await page.choose("Reading/p1")
      try await page.waitForText("Attributes", in: "h2")
      let rest = "[...document.querySelectorAll('.space')].every((e) => e.offsetHeight === 0)"
      try await page.browser.wait(until: rest)
      #expect(try await page.browser.consoleMessages() == [])
    }
    #expect(tool.terminate() == 0)
  }

  private static func run(_ arguments: [String], home: TemporaryFolder) throws {
    let process = Process()
    process.executableURL = try BuiltProgram.url("coredata")
    process.arguments = arguments
    process.environment = ApplicationProcess.environment(home: home.url)
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(arguments)")
  }

  /// A telephone number is no predicate and no word of letters.
  @Test func aSearchForPlainWordsMayHaveSigns() async throws {
    try await withBrowsedStore { page, _ in
      try await page.choose("Item")
      try await page.waitForTotal(41)
      try await page.browser.type("+44 20", into: Self.search)
      try await page.waitForText("None is found by “+44 20”", in: ".empty")
    }
  }

  @Test func withoutEditNothingCanBeChanged() async throws {
    try await withBrowsedStore { page, store in
      let before = try Data(contentsOf: store)
      let files = try names(beside: store)
      try await page.choose("Item")
      try await page.choose("Groceries")
      try await page.waitForText("Attributes", in: "h2")
      try await page.browser.script(
        "[...document.querySelectorAll('.row .title')].find((e) => e.textContent === 'title').click()"
      )
      // An answer to a later event comes after all that the click did.
      try await page.choose("children")
      try await page.waitForText("children of Groceries", in: "h1")
      try await page.waitForNoAlert()
      #expect(try Data(contentsOf: store) == before)
      #expect(try names(beside: store) == files)
    }
  }

  @Test func aValueIsChangedAfterABackupAndTakenBack() async throws {
    try await withBrowsedStore(["--edit"]) { page, store in
      let sql = "SELECT ZTITLE FROM ZITEM WHERE ZTITLE IN ('Groceries', 'Bakery')"
      let backups = URL(fileURLWithPath: store.path + ".backups")
      #expect(!FileManager.default.fileExists(atPath: backups.path))
      try await page.choose("Item")
      try await page.choose("Groceries")
      try await page.choose("order")
      try await page.answer([("order", "many")], "Save")
      // What is no value is told, and can be mended.
      try await page.waitForText("expected a whole number", in: "dialog[open]")
      try await page.browser.click(Selector("dialog[open] menu button", containing: "Cancel"))
      try await page.waitForNoAlert()
      try await page.choose("title")
      try await page.answer([("title", "Bakery")], "Save")
      try await SQLiteShell.wait(for: ["Bakery"], sql, store)
      try await page.waitForText("Bakery", in: "h1")
      let names = try FileManager.default.contentsOfDirectory(atPath: backups.path)
      let backup = try #require(names.first { $0.hasSuffix(".sqlite") })
      try await SQLiteShell.wait(for: ["Groceries"], sql, backups.appendingPathComponent(backup))
      try await page.browser.click(".bar .undo")
      try await SQLiteShell.wait(for: ["Groceries"], sql, store)
      try await page.waitForText("Groceries", in: "h1")
      // One backup for the sitting.
      let later = try FileManager.default.contentsOfDirectory(atPath: backups.path)
      #expect(later.filter { $0.hasSuffix(".sqlite") } == [backup])
    }
  }

  @Test func theTerminalShowsTheSame() throws {
    let folder = try TemporaryFolder()
    let store = try Self.makeStore(folder)
    let process = Process()
    let (input, output) = (Pipe(), Pipe())
    process.executableURL = try BuiltProgram.url("coredata")
    process.arguments = ["browse", store.path, "--terminal", "plain"]
    process.environment = ApplicationProcess.environment(home: folder.url)
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data("1\n1\nq\n".utf8))
    try input.fileHandleForWriting.close()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(text.contains("Item") && text.contains("Attributes"), "\(text)")
  }

  // MARK: - Deleted while it is being edited

  /// Another program deletes the object whose value is being typed.
  private static func delete(_ title: String, _ store: URL) throws {
    let process = Process()
    process.executableURL = try BuiltProgram.url("coredata")
    process.arguments = [
      "delete", store.path, "Item", "--where", "title == '\(title)'", "--no-backup",
    ]
    process.environment = ApplicationProcess.environment(home: store.deletingLastPathComponent())
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  @Test func whatWasTypedForAnObjectThatIsDeletedIsNamedOnThePage() async throws {
    try await withBrowsedStore(["--edit"]) { page, store in
      try await page.choose("Item")
      try await page.choose("Groceries")
      try await page.choose("title")
      try await page.browser.type("Half a ti", into: "dialog[open] input")
      try Self.delete("Groceries", store)
      try await page.waitForNoAlert()
      try await page.waitForText("You typed: Half a ti", in: ".toast")
    }
  }

  /// In the field, and where the keyboard has left it.
  @Test(arguments: [false, true])
  func whatWasTypedForAnObjectThatIsDeletedIsNamedInTheTerminal(leavesField: Bool) throws {
    let folder = try TemporaryFolder()
    let store = try Self.makeStore(folder)
    let terminal = try TerminalProcess(
      BuiltProgram.url("coredata"),
      ["browse", store.path, "--edit", "--terminal"],
      environment: ApplicationProcess.environment(home: folder.url), columns: 100, rows: 30)
    try terminal.wait(for: "Item")
    terminal.type("\r")
    try terminal.wait(for: "1 of 41")
    terminal.type("/title == 'Groceries'\r")
    try terminal.wait(for: "Groceries  ")
    try terminal.waitForAbsence(of: "1 of 41")
    terminal.type("\r")
    try terminal.wait(for: "Attributes")
    terminal.type("j\r")
    try terminal.wait(for: "Set to nil")
    terminal.type("\u{15}Half a ti")
    try terminal.wait(for: "Half a ti")
    if leavesField { terminal.type("\t") }
    try Self.delete("Groceries", store)
    try terminal.wait(for: "You typed: Half a ti")
  }

  // MARK: - Stores

  private func names(beside store: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: store.deletingLastPathComponent().path)
      .filter { $0.hasPrefix(store.lastPathComponent) }.sorted()
  }

  /// Forty lists and their root.
  private static func makeStore(_ folder: TemporaryFolder) throws -> URL {
    let store = folder.file("Lists.sqlite")
    let lists = try ApplicationProcess(store: store, arguments: ["--seed", "40"])
    #expect(lists.terminate() == 0)
    return store
  }

  private func withBrowsedStore(
    _ arguments: [String] = [], _ body: (SectionsPage, URL) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    let store = try Self.makeStore(folder)
    let tool = try ApplicationProcess(
      "coredata", subcommand: "browse", store: store, arguments: arguments)
    try await withSections(at: tool.address) { try await body($0, store) }
    #expect(tool.terminate() == 0)
  }
}
