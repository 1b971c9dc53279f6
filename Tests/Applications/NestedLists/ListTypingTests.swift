import BrowserDriver
import Testing

/// What is typed stays the user's: over a slow line, from the clipboard, and when others delete.
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct ListTypingTests {
  private static let field = "document.querySelector('input[data-field]')"

  @Test func returnsWithinOneRoundTripAddOneTitleEach() async throws {
    try await withLists { page in
      try await page.browser.delayAnswers(milliseconds: 300)
      try await page.browser.type("Tea\nRye\nEgg\n", into: "input[data-field]")
      try await page.waitForTitles("Tea", "Rye", "Egg")
      #expect(try await page.browser.script("return \(Self.field).value").string == "")
    }
  }

  @Test func whatIsRefusedComesBackIntoTheField() async throws {
    try await withLists { page in
      try await page.browser.script(
        "\(Self.field).focus(); \(Self.field).value = 'a\\u0000b'")
      try await page.browser.press(.enter)
      try await page.waitForToast("A text cannot contain the character NUL.")
      try await page.browser.wait(until: "\(Self.field).value === 'a\\u0000b'")
      try await page.waitForTitles([])
    }
  }

  @Test func threeLinesThatArePastedAreThreeItems() async throws {
    try await withLists("Salt") { page in
      try await page.browser.script(
        """
        const field = \(Self.field);
        field.focus();
        const data = new DataTransfer();
        data.setData('text/plain', 'Tea\\r\\nRye\\n\\nEgg\\n');
        field.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
        """)
      try await page.waitForTitles("Salt", "Tea", "Rye", "Egg")
    }
  }

  /// More than one event may hold, and more than a page can wait for one by one.
  @Test func manyLinesThatArePastedAreAsManyItems() async throws {
    try await withLists("Salt") { page in
      try await page.browser.script(
        """
        const field = \(Self.field);
        field.focus();
        const data = new DataTransfer();
        data.setData('text/plain', [...Array(700).keys()].map((n) => `Line ${n}`).join('\\n'));
        field.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
        """)
      let count = "SELECT count(*), max(ZTITLE = 'Line 699') FROM ZITEM WHERE ZPARENT IS NOT NULL"
      try await SQLiteShell.wait(for: ["701|1"], count, page.store)
      try await page.browser.wait(until: "document.querySelectorAll('.row').length > 10")
      #expect(try await page.browser.script("return document.querySelector('.coming')") == .null)
      // Each is a step of undo of its own.
      try await page.waitForButton(".undo", saying: "Undo Add “Line 699”")
      try await page.browser.click(".bar .undo")
      try await page.waitForButton(".undo", saying: "Undo Add “Line 698”")
    }
  }

  @Test func addingToALongListKeepsTheFieldInSight() async throws {
    try await withLists(arguments: ["--seed", "2000"]) { page in
      try await page.browser.type("At the end\n", into: "input[data-field]")
      try await page.browser.wait(
        until: """
          [...document.querySelectorAll('.row')].some((e) => e.textContent.includes('At the end')
            && e.getBoundingClientRect().bottom <= innerHeight)
          """)
      let seen = try await page.browser.script(
        """
        const { top, bottom, left } = \(Self.field).getBoundingClientRect();
        return top >= document.querySelector('.bar').offsetHeight && bottom < innerHeight
          && document.elementFromPoint(left + 5, (top + bottom) / 2) === \(Self.field);
        """)
      #expect(seen == true)
      try await page.browser.type("Another\n", into: "input[data-field]")
      _ = try await page.browser.find(Selector(".row .title", containing: "Another"))
    }
  }

  @Test func typingInARowThatAnotherDeletesOpensNoNeighbour() async throws {
    try await withLists("Milk", "Bread", "Salt") { page in
      try await SQLiteShell.wait(for: ["4"], "SELECT count(*) FROM ZITEM", page.store)
      let first = try await page.browser.currentWindow()
      let second = try await page.openSecondWindow()
      try await page.browser.switchTo(first)
      try await page.edit("Milk")
      try await page.browser.type("Oat milk")
      try await page.browser.switchTo(second)
      try await page.delete("Milk")
      try await page.waitForTitles("Bread", "Salt")
      try await page.browser.switchTo(first)
      try await page.waitForTitles("Bread", "Salt")
      try await page.waitForToast("You typed: Oat milk")
      try await page.browser.press(.enter)
      try await page.browser.type("y")
      try await page.waitForHeading("Lists")
      let held = try await page.browser.script("return document.activeElement.matches('.row')")
      #expect(held == false)
    }
  }

  @Test func typingInARowThatAnotherMovesGoesOn() async throws {
    try await withLists("Milk", "Bread", "Salt") { page in
      try await SQLiteShell.wait(for: ["4"], "SELECT count(*) FROM ZITEM", page.store)
      let first = try await page.browser.currentWindow()
      let second = try await page.openSecondWindow()
      try await page.browser.switchTo(first)
      try await page.edit("Milk")
      try await page.browser.type("Oat m")
      try await page.browser.switchTo(second)
      try await page.drag("Milk", onto: "Salt", down: 18)
      try await page.waitForTitles("Bread", "Salt", "Milk")
      try await page.browser.switchTo(first)
      try await page.waitForTitles("Bread", "Salt", "Milk")
      try await page.browser.type("ilk")
      try await page.browser.press(.enter)
      try await page.waitForTitles("Bread", "Salt", "Oat milk")
    }
  }

  @Test func controlZInAnEmptyFieldUndoes() async throws {
    try await withLists("Milk") { page in
      try await page.browser.type("Bread\n", into: "input[data-field]")
      try await page.waitForTitles("Milk", "Bread")
      try await page.browser.press("z", .control)
      try await page.waitForTitles("Milk")
      try await page.browser.press("z", .control, .shift)
      try await page.waitForTitles("Milk", "Bread")
      // With a text in it the field has the key for itself.
      try await page.browser.type("half")
      try await page.browser.press("z", .control)
      try await page.browser.press("z", .alternate)
      try await page.waitForTitles("Milk", "Bread")
    }
  }
}
