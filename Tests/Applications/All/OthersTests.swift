import BrowserDriver
import Testing

/// Who else is here: the windows on one list, and the rows that they edit.
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct OthersTests {
  private func waitForOthers(_ text: String?, _ page: ListsPage) async throws {
    let label = "document.querySelector('.others')?.ariaLabel"
    try await page.browser.wait(
      until: text.map { "\(label) === \(JavaScript.literal($0))" } ?? "!\(label)")
  }

  private func waitForEdited(_ title: String?, _ page: ListsPage) async throws {
    let edited = "document.querySelector('.row.edited')"
    try await page.browser.wait(
      until: title.map {
        """
        \(edited)?.ariaLabel === \(JavaScript.literal($0))
          && \(edited).getAttribute("aria-description").endsWith("edited in another window")
        """
      } ?? "!\(edited)")
  }

  @Test func theBarShowsTheWindowsOnTheSameList() async throws {
    try await withLists("a", "b") { page in
      try await waitForOthers(nil, page)
      let first = try await page.browser.currentWindow()
      let second = try await page.openSecondWindow()
      try await waitForOthers("1 other window is here", page)
      try await page.enter("a")
      try await waitForOthers(nil, page)
      try await page.browser.switchTo(first)
      try await waitForOthers(nil, page)
      try await page.enter("a")
      try await waitForOthers("1 other window is here", page)
      try await page.reload()
      try await waitForOthers("1 other window is here", page)
      _ = try await page.openSecondWindow()
      try await page.enter("a")
      try await waitForOthers("2 other windows are here", page)
      try await page.browser.closeWindow()
      try await page.browser.switchTo(second)
      try await waitForOthers("1 other window is here", page)
      try await page.add("x")
      try await waitForOthers("1 other window is here", page)
    }
  }

  @Test func theRowThatAnotherWindowEditsIsMarked() async throws {
    try await withLists("a", "b") { page in
      // Begun while nobody else was here.
      try await page.edit("b")
      let first = try await page.browser.currentWindow()
      let second = try await page.openSecondWindow()
      try await waitForEdited("b", page)
      try await page.edit("a")
      // The rows may be drawn anew meanwhile.
      try await page.browser.switchTo(first)
      try await page.browser.type("B")
      try await page.browser.press(.enter)
      try await page.waitForTitles("a", "B")
      try await waitForEdited("a", page)
      try await page.browser.switchTo(second)
      try await waitForEdited(nil, page)
      try await page.browser.press(.escape)
      try await page.browser.switchTo(first)
      try await waitForEdited(nil, page)
    }
  }

  @Test func theRowThatAnotherWindowAsksAboutIsMarked() async throws {
    try await withLists("a", "b") { page in
      let first = try await page.browser.currentWindow()
      let second = try await page.openSecondWindow()
      try await page.beginMoving("b")
      try await page.browser.switchTo(first)
      try await waitForEdited("b", page)
      try await page.browser.switchTo(second)
      try await page.browser.press(.escape)
      try await page.browser.wait(until: "!document.querySelector('.modal')")
      try await page.browser.switchTo(first)
      try await waitForEdited(nil, page)
    }
  }

  @Test func whoDoesNotWantToSeeOthersHidesThem() async throws {
    try await withLists("a") { page in
      _ = try await page.openSecondWindow()
      try await waitForOthers("1 other window is here", page)
      for (act, isShown) in [("Hide who else", false), ("Show who else", true)] {
        try await page.browser.press("k", .control)
        try await page.browser.wait(until: "document.activeElement.matches('.palette input')")
        try await page.browser.type(act)
        try await page.browser.press(.enter)
        try await waitForOthers(isShown ? "1 other window is here" : nil, page)
      }
    }
  }

  @Test func aServerThatHidesOthersTellsNothing() async throws {
    try await withLists("a", arguments: ["--hide-others"]) { page in
      let first = try await page.browser.currentWindow()
      _ = try await page.openSecondWindow()
      try await page.edit("a")
      try await page.browser.type("c")
      try await page.browser.press(.enter)
      try await page.browser.switchTo(first)
      try await page.waitForTitles("c")
      try await waitForOthers(nil, page)
      try await waitForEdited(nil, page)
    }
  }
}
