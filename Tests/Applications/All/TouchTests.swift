import BrowserDriver
import Testing

/// Fingers.
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct TouchTests {
  @Test func aFullSwipeDoesTheFirstActionInLists() async throws {
    try await withLists("Milk", "Bread") { page in
      try await page.browser.swipe(".row:nth-child(1) .texts", across: 0.95)
      try await page.waitForTitles("Bread")
      try await page.waitForToast("“Milk” deleted")
      #expect(try await page.browser.texts(".modal, dialog") == [])
    }
  }

  @Test func aFullSwipeDoesTheFirstActionInGoods() async throws {
    try await withSections("goods", ["--seed", "2"]) { page, _, _ in
      try await page.browser.swipe(".row", across: 0.85)
      try await page.waitForSections(["Dairy: Butter 10"])
      #expect(try await page.browser.texts("dialog") == [])
    }
  }

  @Test func aShortSwipeShowsTheActionsWithTheFirstAtTheEdge() async throws {
    try await withSections("goods", ["--seed", "2"]) { page, _, _ in
      try await page.browser.swipe(".row", across: 0.3)
      try await page.browser.wait(until: "document.querySelector('.row.swiped')")
      let shown = try await page.browser.script(
        """
        return [...document.querySelectorAll('.row.swiped .action')]
          .sort((a, b) => b.getBoundingClientRect().left - a.getBoundingClientRect().left)
          .map((e) => e.textContent)
        """)
      #expect(shown.strings == ["Delete", "Category…"])
    }
  }

  @Test func aLongPressRenames() async throws {
    try await withLists("Milk") { page in
      try await page.browser.pressLong(
        ".row .title", until: "document.activeElement.matches('.row.editing input')")
      try await page.browser.type("Oat milk\n", into: ".row.editing input")
      try await page.waitForHeading("Lists")
    }
  }
}
