import BrowserDriver
import Testing

/// What one user does with items, in a real browser.
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct ListEditingTests {
  @Test func returnInTheFieldAddsAnItemAndKeepsTheKeyboardThere() async throws {
    try await withLists { page in
      try await page.browser.type("Milk\n", into: "input[data-field]")
      try await page.waitForTitles("Milk")
      try await page.browser.type("Bread")
      try await page.browser.press(.enter)
      try await page.waitForTitles("Milk", "Bread")
      try await page.waitForButton(".undo", saying: "Undo Add “Bread”")
    }
  }

  @Test func spacesAloneAddNothing() async throws {
    try await withLists("Milk") { page in
      try await page.browser.type("   \n", into: "input[data-field]")
      try await page.browser.wait(until: "document.querySelector('input[data-field]').value === ''")
      try await page.add("Bread")
      try await page.waitForTitles("Milk", "Bread")
    }
  }

  @Test func thePencilRenamesInPlace() async throws {
    try await withLists("Milk", "Bread") { page in
      try await page.rename("Milk", to: "Oat milk")
      try await page.waitForTitles("Oat milk", "Bread")
      try await page.waitForButton(".undo", saying: "Undo Rename “Oat milk”")
      try await page.waitForHeading("Lists")
    }
  }

  @Test(arguments: ["", "Oat"])
  func tabEndsARenameOnItsRow(_ text: String) async throws {
    try await withLists("Milk", "Bread") { page in
      try await page.edit("Milk")
      if !text.isEmpty { try await page.browser.type(text, into: ".row.editing input") }
      try await page.browser.press(.tab)
      try await page.waitForTitles(text.isEmpty ? "Milk" : "Oat", "Bread")
      try await page.browser.wait(until: "document.activeElement.matches('.row:not(.editing)')")
    }
  }

  @Test func downLeadsFromAHeadingIntoItsList() async throws {
    try await withLists("Groceries") { page in
      try await page.enter("Groceries")
      try await page.add("Milk")
      try await page.waitForTitles("Milk")
      try await page.browser.script("document.querySelector('#app > :last-child h1').focus()")
      try await page.browser.press(.down)
      try await page.browser.wait(until: "document.activeElement.matches('.row')")
    }
  }

  /// Chrome's own undo would go on with the field of new items, and then with the list.
  @Test func undoInARenameEndsWithTheRename() async throws {
    try await withLists("Milk") { page in
      try await page.add("Bread")
      try await page.edit("Milk")
      try await page.browser.type("Oat", into: ".row.editing input")
      for _ in 0..<4 { try await page.browser.press("z", .control) }
      let input = "document.querySelector('.row.editing input')"
      #expect(try await page.browser.script("return document.activeElement === \(input)") == true)
      #expect(try await page.browser.script("return \(input).value") == "Milk")
      try await page.browser.press(.escape)
      try await page.waitForTitles("Milk", "Bread")
    }
  }

  @Test func escapeDiscardsARename() async throws {
    try await withLists("Milk") { page in
      try await page.edit("Milk")
      try await page.browser.type("Something else", into: ".row.editing input")
      try await page.browser.press(.escape)
      try await page.browser.wait(until: "!document.querySelector('.editing')")
      try await page.waitForTitles("Milk")
      try await page.waitForButton(".undo", saying: "Undo Add “Milk”")
    }
  }

  @Test func anEmptiedTitleComesBack() async throws {
    try await withLists("Milk") { page in
      try await page.edit("Milk")
      try await page.browser.wait(until: "document.querySelector('.row.editing input')")
      try await page.browser.press(.delete)
      try await page.browser.press(.enter)
      try await page.browser.wait(until: "!document.querySelector('.editing')")
      try await page.waitForTitles("Milk")
    }
  }

  @Test func aClickOpensASubListAndBackReturns() async throws {
    try await withLists("Groceries", "House") { page in
      try await page.enter("Groceries")
      try await page.waitForTitles([])
      try await page.waitForText("‹ Lists", in: ".bar .back")
      try await page.add("Milk", "Bread")
      try await page.enter("Milk")
      try await page.add("Oats")
      try await page.back(to: "Groceries")
      try await page.waitForTitles("Milk", "Bread")
      try await page.waitForCount(1, of: "Milk")
      try await page.back(to: "Lists")
      try await page.waitForTitles("Groceries", "House")
      try await page.waitForCount(2, of: "Groceries")
      try await page.waitForCount(nil, of: "House")
    }
  }

  @Test func deletingAnItemDeletesAllBelowIt() async throws {
    try await withLists("Groceries", "House") { page in
      try await page.enter("Groceries")
      try await page.add("Milk")
      try await page.enter("Milk")
      try await page.add("Oats")
      try await page.back(to: "Groceries")
      try await page.back(to: "Lists")
      try await SQLiteShell.wait(for: ["5"], "SELECT count(*) FROM ZITEM", page.store)
      try await page.delete("Groceries")
      try await page.waitForTitles("House")
      try await page.waitForToast("“Groceries” deleted")
      let rest = "SELECT ZTITLE || ZORDER FROM ZITEM WHERE ZPARENT NOT NULL"
      try await SQLiteShell.wait(for: ["House0"], rest, page.store)
    }
  }

  @Test func theButtonOfTheMessageTakesADeletionBack() async throws {
    try await withLists("Milk", "Bread") { page in
      try await page.delete("Milk")
      try await page.waitForTitles("Bread")
      try await page.browser.click(".toast button")
      try await page.waitForTitles("Milk", "Bread")
    }
  }
}
