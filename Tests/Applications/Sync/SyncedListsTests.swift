import BrowserDriver
import Foundation
import TerminalDriver
import Testing
import TestSupport

/// NestedLists three times, with a store each, on one sync server.
@Suite(.serialized)
struct SyncedListsTests {
  private typealias Keys = TerminalProcess
  private static let order =
    "SELECT ZTITLE FROM ZITEM WHERE ZPARENT NOT NULL ORDER BY ZORDER, ZTITLE"

  @Test func whatThreeDevicesEditOfflineBecomesOneList() async throws {
    let server = try SyncServerOfLists()
    let places = try (0..<3).map { _ in try TemporaryFolder() }
    let stores = places.map { $0.file("Lists.sqlite") }
    let browser = try await Browser()
    do {
      let pages = try stores.prefix(2).map { store in
        ListsPage(
          application: try ApplicationProcess(store: store, arguments: server.arguments),
          browser: browser, store: store)
      }
      let terminal = try TerminalApplication(
        "nested-lists", store: stores[2], arguments: server.arguments
      ).process
      try await edit(pages, stores, terminal)
    } catch {
      await browser.quit()
      throw error
    }
    await browser.giveBack()
  }

  private func edit(
    _ pages: [ListsPage], _ stores: [URL], _ terminal: TerminalProcess
  ) async throws {
    let (one, other) = (pages[0], pages[1])
    try await one.open()
    try await one.add("Tea", "Rye", "Egg")
    let first = try await one.browser.currentWindow()
    let second = try await other.openSecondWindow()
    // Each store has one root, though each device has made one.
    try await other.waitForTitles("Tea", "Rye", "Egg")
    try terminal.wait("three rows") { $0.text.contains(" of 3") }
    try await other.waitForLine("Synced")
    for store in stores {
      let roots = "SELECT count(*) FROM ZITEM WHERE ZPARENT IS NULL"
      try await SQLiteShell.wait(for: ["1"], roots, store)
    }
    // Offline, each.
    try await other.turn("Go Offline")
    try await one.browser.switchTo(first)
    try await one.turn("Go Offline")
    terminal.type("f")
    try terminal.wait(for: "Offline since")
    try await one.rename("Tea", to: "Green tea")
    try await one.add("Milk")
    try await one.waitForLine("to send")
    try await other.browser.switchTo(second)
    try await other.rename("Tea", to: "Black tea")
    try await other.delete("Rye")
    try await other.waitForLine("to send")
    terminal.type("nJam\r" + Keys.escape)
    try terminal.wait(for: "to send")
    // And back.
    try await other.turn("Back Online")
    try await other.waitForLine("Synced")
    terminal.type("b")
    try terminal.wait(for: "Synced")
    try await one.browser.switchTo(first)
    try await one.turn("Back Online")
    try await one.waitForToast(
      "Title of “Black tea”: another device made it “Black tea”. You had made it “Green tea”.")
    let titles = ["Black tea", "Egg", "Jam", "Milk"]
    try await one.waitForTitles(titles)
    try await other.browser.switchTo(second)
    try await other.waitForTitles(titles)
    try await SQLiteShell.wait(for: titles, Self.order, stores[2])
    try terminal.wait("four rows") { screen in titles.allSatisfy { screen.text.contains($0) } }
    for store in stores { try await SQLiteShell.wait(for: titles, Self.order, store) }
  }

  /// Of columns beside each other the first one has the line and the switch.
  @Test func whatSyncIsDoingStaysInSightWithoutTheSidebar() async throws {
    let server = try SyncServerOfLists()
    try await withLists("Tea", arguments: server.arguments) { page in
      try await page.browser.resize(width: 1280, height: 800)
      try await page.browser.wait(until: "document.querySelector('.columns')")
      try await page.click(".chevron", of: "Tea")
      for act in ["Hide sidebar", "Show sidebar"] {
        let isHidden = act == "Hide sidebar"
        try await page.browser.click(.init("button[aria-label='\(act)']"))
        try await page.browser.wait(
          until: "document.querySelectorAll('.columns > *').length === \(isHidden ? 2 : 3)")
        try await page.browser.wait(
          until: "document.querySelector('.columns > :first-child .prompt')")
        #expect(try await page.browser.texts(".prompt").count == 1)
        #expect(try await page.browser.texts(".toolbar").count == 1)
        try await page.turn(isHidden ? "Go Offline" : "Back Online")
        try await page.waitForLine(isHidden ? "Offline since" : "Synced")
      }
      // One stack, and columns again.
      try await page.browser.click("button[aria-label='Hide sidebar']")
      try await page.browser.resize(width: 760, height: 800)
      try await page.browser.wait(
        until: "!document.querySelector('.columns') && document.querySelector('.prompt')")
      try await page.browser.resize(width: 1280, height: 800)
      try await page.browser.wait(
        until: "document.querySelector('.columns > :first-child .prompt')")
      #expect(try await page.browser.texts(".prompt").count == 1)
    }
  }

  /// What a program puts beside the root is not taken for it.
  @Test func rowsOfNoListComeToTheRootOnEachDevice() async throws {
    let server = try SyncServerOfLists()
    let place = try TemporaryFolder()
    let store = place.file("Lists.sqlite")
    let other = try TerminalApplication("nested-lists", store: store, arguments: server.arguments)
      .process
    try other.wait(for: "Synced")
    try await withLists("Tea", arguments: server.arguments) { page in
      try await page.waitForLine("Synced")
      try other.wait("a row") { $0.text.contains("Tea") }
      for title in ["Tickets", "Tent"] {
        let run = Process()
        run.executableURL = try BuiltProgram.url("coredata")
        run.arguments = ["insert", page.store.path, "Item", "title=\(title)"]
        run.standardOutput = FileHandle.nullDevice
        try run.run()
        run.waitUntilExit()
        #expect(run.terminationStatus == 0)
      }
      for store in [page.store, store] {
        try await SQLiteShell.wait(
          for: ["Lists>Tea", "Lists>Tent", "Lists>Tickets"],
          """
          SELECT parent.ZTITLE || '>' || item.ZTITLE FROM ZITEM item
          JOIN ZITEM parent ON item.ZPARENT = parent.Z_PK ORDER BY item.ZTITLE
          """, store)
        try await SQLiteShell.wait(
          for: ["Lists"], "SELECT ZTITLE FROM ZITEM WHERE ZPARENT IS NULL", store)
      }
    }
  }

  /// An open connection that nothing comes by takes no time.
  @Test func aDeviceThatWaitsTakesNoProcessorTime() async throws {
    let server = try SyncServerOfLists()
    let place = try TemporaryFolder()
    let device = try TerminalApplication(
      "nested-lists", store: place.file("Lists.sqlite"), arguments: server.arguments
    ).process
    try device.wait(for: "Synced")
    let seconds = 4.0
    // It still draws, and looks for the last time whether there is more.
    try Patience.wait(for: "a device at rest") {
      let before = device.processorTime
      Thread.sleep(forTimeInterval: seconds)
      return device.processorTime - before < seconds / 20
    }
  }

  /// Sync's own store is made anew while the application runs, and knows again which row is which.
  @Test func aDeviceWhoseSyncStoreIsTakenAwayGoesOn() async throws {
    let server = try SyncServerOfLists()
    let place = try TemporaryFolder()
    let other = try TerminalApplication(
      "nested-lists", store: place.file("Lists.sqlite"), arguments: server.arguments
    ).process
    try await withLists("Tea", arguments: server.arguments) { page in
      try await page.waitForLine("Synced")
      try other.wait("a row") { $0.text.contains("Tea") }
      for end in ["-sync", "-sync-wal", "-sync-shm"] {
        try? FileManager.default.removeItem(atPath: page.store.path + end)
      }
      try await page.add("Milk")
      try other.wait("the new row") { $0.text.contains("Milk") }
      try await page.waitForLine("Synced")
      try await page.waitForTitles("Tea", "Milk")
    }
  }

  @Test func whatCannotBeSyncedIsSaid() async throws {
    let server = try SyncServerOfLists()
    let folder = try TemporaryFolder()
    func complaint(_ arguments: String...) throws -> String {
      let store = ["--terminal", "--store", folder.file("Lists.sqlite").path]
      let end = try ApplicationProcess.runToEnd(home: folder.url, store + arguments)
      #expect(end.status != 0)
      return end.errors
    }
    let address = server.url.absoluteString
    #expect(try complaint("--sync", "nonsense", "--zone", "z", "--key", "k").contains("address"))
    #expect(try complaint("--sync", address, "--key", "k").contains("--zone NAME"))
    #expect(try complaint("--sync", address, "--zone", "z").contains("needs a key"))
    #expect(
      try complaint("--sync", address, "--zone", "z", "--key-file", "/none").contains("/none"))
    #expect(try complaint("--zone", "z").contains("belong to --sync"))
    // What the server refuses is said while the lists are there.
    let strange = try TerminalApplication(
      "nested-lists", store: folder.file("Lists.sqlite"),
      arguments: ["--sync", address, "--zone", "z", "--key", "nobodys-key-at-all"]
    ).process
    try strange.wait(for: "Not synced: The key is missing, unknown or revoked")
    strange.type("nTea\r")
    try strange.wait(for: "Undo Add “Tea”")
  }
}

/// `coredata sync-server` with one key.
final class SyncServerOfLists {
  private let process = Process()
  private let folder: TemporaryFolder
  private(set) var url = URL(fileURLWithPath: "/")
  private static let key = "anna-anna-anna-anna"

  init() throws {
    folder = try TemporaryFolder()
    let keys = folder.file("keys.txt")
    try Data("\(Self.key) anna *=write\n".utf8).write(to: keys)
    process.executableURL = try BuiltProgram.url("coredata")
    process.arguments = [
      "sync-server", "--store", folder.file("Sync.sqlite").path, "--keys", keys.path, "--listen",
      "127.0.0.1:0",
    ]
    process.standardInput = FileHandle.nullDevice
    let lines = PrintedLines(of: process)
    try process.run()
    let address = try lines.first(/Sync is at (\S+)/)
    guard let url = URL(string: address) else {
      throw ApplicationError("The sync server says that it is at \(address)")
    }
    self.url = url
  }

  deinit {
    process.terminate()
    process.waitUntilExit()
  }

  /// What a device is started with.
  var arguments: [String] {
    ["--sync", url.absoluteString, "--zone", "home", "--key", Self.key]
  }
}

extension ListsPage {
  /// The switch below the list.
  fileprivate func turn(_ title: String) async throws {
    try await browser.click(.init(".toolbar button", containing: title))
    let now = title == "Go Offline" ? "Back Online" : "Go Offline"
    try await browser.wait(
      until: "document.querySelector('.toolbar').textContent.includes(\(JavaScript.literal(now)))")
  }

  /// What sync is doing, above the title.
  fileprivate func waitForLine(_ text: String) async throws {
    try await browser.wait(
      until: "document.querySelector('.prompt')?.textContent.includes(\(JavaScript.literal(text)))")
  }
}
