import BrowserDriver
import Testing

/// The twin of NestedLists on SwiftData, with the same page.
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct SwiftDataListsTests {
  @Test func listsAreEditedUndoneAndThereAfterAKill() async throws {
    let folder = try TemporaryFolder()
    let store = folder.file("Lists.store")
    let application = try ApplicationProcess("swiftdata-lists", store: store)
    try await withBrowser(on: application, store: store) { page in
      try await page.waitForHeading("Lists")
      try await page.add("Tea", "Rye", "Egg")
      try await page.waitForTitles("Tea", "Rye", "Egg")
      try await page.enter("Rye")
      try await page.waitForTitles([])
      try await page.add("Flour")
      try await page.waitForTitles("Flour")
      try await page.back(to: "Lists")
      try await page.waitForCount(1, of: "Rye")
      try await page.rename("Tea", to: "Green tea")
      try await page.waitForTitles("Green tea", "Rye", "Egg")
      try await page.waitForButton(".undo", saying: "Undo Rename “Green tea”")
      try await page.browser.click(".undo")
      try await page.waitForTitles("Tea", "Rye", "Egg")
      // The context saves by itself, when it has a moment.
      let titles = "SELECT group_concat(ZTITLE) FROM (SELECT ZTITLE FROM ZITEM ORDER BY ZTITLE)"
      try await SQLiteShell.wait(for: ["Egg,Flour,Lists,Rye,Tea"], titles, store)
    }
    // That has killed it.
    let again = try ApplicationProcess("swiftdata-lists", store: store)
    try await withBrowser(on: again, store: store) { page in
      try await page.waitForTitles("Tea", "Rye", "Egg")
      try await page.enter("Rye")
      try await page.waitForTitles("Flour")
    }
  }
}
