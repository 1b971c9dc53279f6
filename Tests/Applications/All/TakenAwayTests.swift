import BrowserDriver
import Foundation
import Testing

/// Another window takes away what this one has the keyboard in.
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct TakenAwayTests {
  private func withTwo(
    _ titles: String..., body: (ListsPage, _ first: String, _ second: String) async throws -> Void
  ) async throws {
    try await withLists { page in
      for title in titles { try await page.add(title) }
      let first = try await page.browser.currentWindow()
      let second = try await page.openSecondWindow()
      try await page.waitForTitles(titles)
      try await page.browser.switchTo(first)
      try await body(page, first, second)
    }
  }

  @Test func keysMeantForAFieldOfAListThatIsDeletedDeleteNothing() async throws {
    try await withTwo("Groceries", "House", "Garden") { page, first, second in
      try await page.enter("Groceries")
      try await page.browser.type("half a ti", into: "input[data-field]")
      try await page.browser.switchTo(second)
      try await page.delete("Groceries")
      try await page.waitForTitles("House", "Garden")
      try await page.browser.switchTo(first)
      try await page.waitForHeading("Lists")
      try await page.waitForTitles("House", "Garden")
      for _ in 0..<3 { try await page.browser.press(.backspace) }
      try await page.browser.press(.delete)
      try await page.browser.press(.enter)
      try await page.browser.press("z", .control)
      try await page.browser.type("tle")
      try await page.waitForToast("“Groceries” is no longer shown. You typed: half a ti")
      // Once the person has chosen where to be, keys mean something again.
      try await page.browser.type("Shed\n", into: "input[data-field]")
      try await page.waitForTitles("House", "Garden")
      try await page.browser.click("input[data-field]")
      try await page.browser.type("Shed")
      try await page.browser.press(.enter)
      try await page.waitForTitles("House", "Garden", "Shed")
      try await SQLiteShell.wait(
        for: ["Lists", "House", "Garden", "Shed"], "SELECT ZTITLE FROM ZITEM ORDER BY Z_PK",
        page.store)
    }
  }

  @Test func theTabKeyChoosesToo() async throws {
    try await withTwo("Groceries", "House") { page, first, second in
      try await page.enter("Groceries")
      try await page.browser.type("x", into: "input[data-field]")
      try await page.browser.switchTo(second)
      try await page.delete("Groceries")
      try await page.browser.switchTo(first)
      try await page.waitForHeading("Lists")
      try await page.browser.press(.backspace)
      try await page.browser.press(.tab)
      try await page.browser.wait(until: "document.activeElement.matches('input[data-field]')")
      try await page.browser.type("Shed")
      try await page.browser.press(.enter)
      try await page.waitForTitles("House", "Shed")
    }
  }

  @Test func theDeleteKeyDoesNotReachTheNeighbourOfARowThatAnotherDeletes() async throws {
    try await withTwo("a", "b", "c") { page, first, second in
      try await page.focus("b")
      try await page.browser.switchTo(second)
      try await page.delete("b")
      try await page.waitForTitles("a", "c")
      try await page.browser.switchTo(first)
      try await page.waitForTitles("a", "c")
      try await page.browser.press(.delete)
      try await page.browser.press(.enter)
      // An event after the keys: what they did would be seen by then.
      try await page.add("d")
      try await page.waitForTitles("a", "c", "d")
      // The arrows go on from there.
      try await page.focus("a")
      try await page.browser.press(.down)
      try await page.browser.press(.delete)
      try await page.waitForTitles("a", "d")
    }
  }

  @Test func aSheetThatGoesWithItsListLeavesTheKeysToNobody() async throws {
    try await withTwo("Groceries", "House") { page, first, second in
      try await page.enter("Groceries")
      try await page.add("Milk", "Bread")
      try await page.beginMoving("Milk")
      try await page.browser.switchTo(second)
      try await page.waitForCount(2, of: "Groceries")
      try await page.delete("Groceries")
      try await page.browser.switchTo(first)
      try await page.browser.wait(
        until: "document.querySelector('#app h1').textContent === 'Lists'")
      try await page.browser.press(.delete)
      try await page.browser.press(.enter)
      try await SQLiteShell.wait(for: ["2"], "SELECT count(*) FROM ZITEM", page.store)
    }
  }
}
