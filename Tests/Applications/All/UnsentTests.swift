import BrowserDriver
import Foundation
import Testing

/// What was done with a window that is gone comes back as it was, in its order, at its place.
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct UnsentTests {
  private let list = "[...document.querySelectorAll('#unsent:not([hidden]) li .texts')]"

  private func waitForUnsent(_ texts: [String], _ browser: Browser) async throws {
    try await browser.wait(
      until: """
        \(list).map((e) => e.textContent).join('|')
          === \(JavaScript.literal(texts.joined(separator: "|")))
        """)
  }

  /// Types while the application is dead, and starts it again.
  private func afterAKill(
    _ page: ListsPage, _ act: () async throws -> Void
  ) async throws -> ApplicationProcess {
    let old = try await page.browser.script("return document.body.dataset.window").string ?? ""
    page.application.kill()
    try await page.browser.wait(until: "document.body.dataset.connected === 'false'")
    try await act()
    let again = try ApplicationProcess(
      store: page.store, port: page.application.address.port ?? 0)
    try await page.browser.wait(
      until: """
        document.body.dataset.window !== '\(old)' && document.body.dataset.connected === 'true'
        """)
    return again
  }

  @Test func threeReturnsBeforeAKillComeBackAsThreeDrafts() async throws {
    try await withLists("Groceries") { page in
      try await page.enter("Groceries")
      let again = try await afterAKill(page) {
        for title in ["h1", "h2", "h3"] {
          try await page.browser.type("\(title)\n", into: "input[data-field]")
        }
        try await page.browser.type("h4", into: "input[data-field]")
      }
      try await waitForUnsent(["h1", "h2", "h3"], page.browser)
      // What was not yet finished is still in the field.
      let typed = try await page.browser.script(
        "return document.querySelector('#app input[data-field]').value")
      #expect(typed.string == "h4")
      try await page.waitForTitles([])
      // They outlive the page, and are asked about before it closes.
      let asks = try await page.browser.script(
        "return !dispatchEvent(new Event('beforeunload', { cancelable: true }))")
      #expect(asks == true)
      try await page.browser.script(
        "window.isFormer = true; setTimeout(() => location.reload(), 0)")
      try await page.browser.wait(until: "!window.isFormer")
      try await page.browser.waitForConnection()
      try await waitForUnsent(["h1", "h2", "h3"], page.browser)
      try await page.browser.click(
        Selector("#unsent button[aria-label='Discard “h2”']"))
      try await waitForUnsent(["h1", "h3"], page.browser)
      try await page.browser.click(Selector("#unsent > button", containing: "Add all"))
      try await page.waitForTitles("h1", "h3")
      try await page.browser.wait(until: "document.getElementById('unsent').hidden")
      try await page.browser.wait(until: "sessionStorage.getItem('events') === null")
      try await SQLiteShell.wait(
        for: ["h1", "h3"], "SELECT ZTITLE FROM ZITEM WHERE Z_PK > 2 ORDER BY ZORDER", page.store)
      again.kill()
    }
  }

  @Test func whatWasTypedElsewhereWaitsThere() async throws {
    try await withLists("Groceries", "House") { page in
      try await page.enter("Groceries")
      let again = try await afterAKill(page) {
        try await page.browser.type("h1\n", into: "input[data-field]")
      }
      try await waitForUnsent(["h1"], page.browser)
      try await page.back(to: "Lists")
      try await waitForUnsent([], page.browser)
      try await page.enter("House")
      try await waitForUnsent([], page.browser)
      try await page.back(to: "Lists")
      try await page.enter("Groceries")
      try await waitForUnsent(["h1"], page.browser)
      again.kill()
    }
  }

  @Test func renamesComeBackAndWhatElseWasDoneIsTold() async throws {
    try await withLists("Milk", "Bread") { page in
      let again = try await afterAKill(page) {
        try await page.edit("Milk")
        try await page.browser.type("Oat milk\n", into: ".row.editing input")
        try await page.delete("Bread")
      }
      // First what goes away by itself.
      try await page.waitForToast("Delete “Bread”")
      try await waitForUnsent(["Milk → Oat milk"], page.browser)
      try await page.waitForTitles("Milk", "Bread")
      try await page.browser.click(Selector("#unsent button", containing: "Rename"))
      try await page.browser.wait(
        until: "document.querySelector('.row.editing input').value === 'Oat milk'")
      try await page.browser.press(.enter)
      try await page.waitForTitles("Oat milk", "Bread")
      again.kill()
    }
  }

  @Test func aDragThatAKillInterruptsIsTold() async throws {
    try await withLists("Milk", "Bread") { page in
      try await page.browser.beginDrag(
        .init("\(try await page.row(of: "Bread")) .grip"),
        onto: .init(try await page.row(of: "Milk")), down: -8)
      try await page.browser.wait(until: "document.querySelector('.row.dragged') !== null")
      let again = try await afterAKill(page) {}
      try await page.waitForToast("“Bread” was not moved.")
      try await page.waitForTitles("Milk", "Bread")
      try await page.browser.wait(until: "document.querySelector('.row.dragged') === null")
      again.kill()
    }
  }
}
