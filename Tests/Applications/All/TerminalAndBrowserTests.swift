import BrowserDriver
import Foundation
import TerminalDriver
import Testing

/// One program in a terminal and in a browser at once: what is done in the one is seen in the other.
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct TerminalAndBrowserTests {
  @Test func eachSeesWhatTheOtherDoes() async throws {
    let folder = try TemporaryFolder()
    let store = folder.file("Goods.sqlite")
    let goods = try TerminalApplication(
      "goods", store: store, arguments: ["--web", "--port", "0", "--seed", "16"], columns: 200
    ).process
    try goods.wait(for: "is at http")
    let text = goods.screen.lines.first { $0.contains("is at http") } ?? ""
    let address = try #require(text.firstMatch(of: /is at (http\S+)/)?.1)
    let url = try #require(URL(string: String(address)))
    try await withSections(at: url) { page in
      // From the browser to the terminal: a change, a new section, a deletion.
      try await page.choose("Baguette")
      try goods.wait("one more") {
        $0.lines.contains { $0.contains("Baguette") && $0.hasSuffix(" 4") }
      }
      try await page.press("Add…")
      try await page.answer([("Name", "Nails"), ("Number", "9"), ("Category", "Attic")], "Add")
      try goods.wait(for: "Attic ─")
      try await page.act("Delete", on: "Nails")
      try goods.waitForAbsence(of: "Attic ─")
      // From the terminal to the browser, whose grid follows as its list does.
      try await page.look("Tiles")
      try await page.browser.wait(until: "document.querySelector('.grid .row')")
      goods.type("g\r")
      try await page.browser.wait(
        until: "document.querySelector('.grid .row .count').textContent === '5'")
    }
    let sql = "SELECT ZNUMBER FROM ZGOODS WHERE ZNAME = 'Baguette'"
    try await SQLiteShell.wait(for: ["5"], sql, store)
  }
}
