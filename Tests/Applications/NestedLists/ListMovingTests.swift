import BrowserDriver
import Testing

/// Rows that change places within a list and between lists.
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct ListMovingTests {
  private let inOrder = "SELECT ZTITLE FROM ZITEM WHERE ZPARENT NOT NULL ORDER BY ZORDER"

  @Test func draggingTheGripReorders() async throws {
    try await withLists("a", "b", "c") { page in
      try await page.drag("a", onto: "c", down: 18)
      try await page.waitForTitles("b", "c", "a")
      try await page.waitForButton(".undo", saying: "Undo Move “a”")
      try await SQLiteShell.wait(for: ["b", "c", "a"], inOrder, page.store)
      try await page.drag("c", onto: "b", down: -18)
      try await page.waitForTitles("c", "b", "a")
      try await SQLiteShell.wait(for: ["c", "b", "a"], inOrder, page.store)
      try await page.reload()
      try await page.waitForTitles("c", "b", "a")
    }
  }

  @Test func theOthersMakeRoomForARowThatIsCarried() async throws {
    try await withLists("a", "b", "c") { page in
      let browser = page.browser
      func shown() async throws -> [String] {
        try await browser.script(
          """
          return [...document.querySelectorAll('ul > li')].filter((e) => !e.matches('.origin'))
            .map((e) => e.matches('.gap') ? `gap of ${e.offsetHeight}` : e.querySelector('.title').textContent)
          """
        ).strings
      }
      let grip = Selector("\(try await page.row(of: "a")) .grip")
      try await browser.beginDrag(grip, onto: .init(try await page.row(of: "b")), down: 18)
      #expect(try await shown() == ["b", "gap of 48", "c"])
      #expect(try await browser.texts(".row.dragged .title") == ["a"])
      try await browser.press(.escape)
      try await browser.wait(until: "!document.querySelector('.gap, .row.dragged, .row.origin')")
      #expect(try await shown() == ["a", "b", "c"])
    }
  }

  @Test func altAndArrowsReorder() async throws {
    try await withLists("a", "b", "c") { page in
      try await page.focus("a")
      try await page.browser.press(.down, .alternate)
      try await page.waitForTitles("b", "a", "c")
      try await page.browser.press(.down, .alternate)
      try await page.waitForTitles("b", "c", "a")
      try await page.browser.press(.up, .alternate)
      try await page.waitForTitles("b", "a", "c")
      // The keyboard has gone along with the row.
      try await page.browser.wait(until: "document.activeElement.innerText.startsWith('⠿\\na')")
      try await SQLiteShell.wait(for: ["b", "a", "c"], inOrder, page.store)
    }
  }

  @Test func aRowDroppedOntoAnotherGoesIntoItsList() async throws {
    try await withLists("Groceries", "Milk", "Bread") { page in
      try await page.drag("Milk", onto: "Groceries")
      try await page.waitForTitles("Groceries", "Bread")
      try await page.waitForCount(1, of: "Groceries")
      try await page.waitForToast("“Milk” moved to “Groceries”")
      try await page.waitForButton(".undo", saying: "Undo Move “Milk”")
      try await page.drag("Bread", onto: "Groceries")
      try await page.waitForTitles("Groceries")
      try await page.waitForCount(2, of: "Groceries")
      try await page.enter("Groceries")
      try await page.waitForTitles("Milk", "Bread")
    }
  }

  @Test func thePageOfListsMovesIntoOneAndUpAgain() async throws {
    try await withLists("Groceries", "Milk") { page in
      try await page.move("Milk", into: "Groceries")
      try await page.waitForTitles("Groceries")
      try await page.enter("Groceries")
      try await page.waitForTitles("Milk")
      try await page.move("Milk", into: "Lists")
      try await page.waitForTitles([])
      try await page.back(to: "Lists")
      try await page.waitForTitles("Groceries", "Milk")
      try await page.waitForCount(nil, of: "Groceries")
    }
  }

  @Test func escapeClosesThePageOfListsAndMovesNothing() async throws {
    try await withLists("Groceries", "Milk") { page in
      try await page.beginMoving("Milk")
      try await page.browser.press(.escape)
      try await page.browser.wait(until: "!document.querySelector('.modal')")
      try await page.waitForTitles("Groceries", "Milk")
    }
  }
}
