import BrowserDriver
import Testing

/// The keyboard is never lost, and reaches everything.
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct FocusTests {
  /// What has the keyboard: its label, or its text.
  private static let focused = """
    (document.activeElement.ariaLabel ?? document.activeElement.textContent.trim())
    """

  private func expectFocus(on text: String, in browser: Browser) async throws {
    try await browser.wait(
      until: """
        document.activeElement !== document.body
          && \(Self.focused).includes(\(JavaScript.literal(text)))
        """)
  }

  @Test(arguments: ["Cancel", "Move"]) func afterAnAlertTheRowHasTheKeyboardAgain(
    _ button: String
  ) async throws {
    try await withSections("goods", ["--seed", "3"]) { page, _, _ in
      try await page.act("Category…", on: "Butter")
      try await page.answer([("Category", "Fats")], button)
      if button == "Cancel" { try await page.answer([], "Discard Changes") }
      try await page.waitForNoAlert()
      // A row that went into a new section is another one: its neighbour has the keyboard then.
      if button == "Cancel" { try await expectFocus(on: "Butter", in: page.browser) }
      try await page.browser.wait(until: "document.activeElement.matches('.row')")
    }
  }

  @Test func afterAnAlertTheButtonOfTheBarHasTheKeyboardAgain() async throws {
    try await withSections("goods", ["--seed", "3"]) { page, _, _ in
      for _ in 0..<2 {
        try await page.press("Add…")
        try await page.browser.wait(until: "document.activeElement.matches('.modal input')")
        try await page.browser.press(.escape)
        try await page.waitForNoAlert()
        try await expectFocus(on: "Add…", in: page.browser)
      }
    }
  }

  @Test func afterTheButtonOfAMessageTheListHasTheKeyboardAgain() async throws {
    try await withLists("Milk", "Bread", "Salt") { page in
      try await page.focus("Bread")
      try await page.browser.press(.delete)
      try await page.waitForTitles("Milk", "Salt")
      try await expectFocus(on: "Salt", in: page.browser)
      try await page.browser.click(".toast button")
      try await page.waitForTitles("Milk", "Bread", "Salt")
      try await page.browser.wait(until: "document.activeElement.matches('.row')")
    }
  }

  @Test func afterASheetTheRowHasTheKeyboardAgain() async throws {
    try await withLists("Milk", "Bread") { page in
      try await page.beginMoving("Bread")
      try await page.browser.press(.escape)
      try await page.browser.wait(until: "!document.querySelector('.modal')")
      try await expectFocus(on: "Bread", in: page.browser)
    }
  }

  @Test func afterAQuestionItsRowHasTheKeyboardAgain() async throws {
    try await withSections("heroes", ["--seed", "5"]) { page, _, _ in
      try await page.browser.script("document.querySelector('.row').focus()")
      for _ in 0..<3 {
        try await page.browser.press(.enter)
        try await page.browser.wait(until: "document.activeElement.matches('.modal input')")
        try await page.browser.press(.escape)
        try await page.waitForNoAlert()
        try await page.browser.wait(until: "document.activeElement.matches('.row')")
      }
    }
  }

  @Test func afterARowIsDeletedItsSuccessorHasTheKeyboard() async throws {
    try await withSections("books", ["--seed", "5"]) { page, _, store in
      try await page.browser.script("document.querySelector('.row').focus()")
      for left in [4, 3] {
        try await page.browser.press(.delete)
        try await page.waitForTotal(left)
        try await page.browser.wait(until: "document.activeElement.matches('.row')")
      }
      try await SQLiteShell.wait(for: ["3"], "SELECT count(*) FROM ZBOOK", store)
    }
  }

  @Test func tabReachesEveryRowOfAForm() async throws {
    try await withSections("books", ["--seed", "1"]) { page, _, _ in
      try await page.browser.click(".bar button")
      try await page.waitForTitle("New Book")
      try await page.browser.wait(until: "\(Self.focused) === 'Title'")
      var reached: [String] = []
      for _ in 0..<2 {
        try await page.browser.press(.tab)
        reached.append(try await page.browser.script("return \(Self.focused)").string ?? "")
      }
      #expect(reached == ["Author", "Copyright"])
    }
  }

  @Test func theIndexIsOneStopAndItsArrowsGoFromLetterToLetter() async throws {
    try await withSections("heroes", ["--seed", "5000"]) { page, _, _ in
      try await page.waitForTotal(5000)
      let stops = "document.querySelectorAll('.index button[tabindex=\"0\"]').length"
      #expect(try await page.browser.script("return \(stops)") == 1)
      try await page.browser.script("document.querySelector('.index button').focus()")
      try await page.browser.press(.down)
      try await page.browser.press(.down)
      try await expectFocus(on: "C", in: page.browser)
      try await page.browser.press(.enter)
      try await page.waitForTopRow("Cobalt")
      try await expectFocus(on: "C", in: page.browser)
      try await page.browser.press(.end)
      try await expectFocus(on: "Z", in: page.browser)
      #expect(try await page.browser.script("return \(stops)") == 1)
    }
  }
}
