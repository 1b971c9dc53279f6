import BrowserDriver
import Foundation
import Testing

/// The form for a new book: a sheet on a child context.
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct BooksAddTests {
  private static let empty = ["Title: ", "Author: ", "Copyright: \(SectionsPage.today)"]

  private func stored(_ store: URL) throws -> [String] {
    try SQLiteShell.query("SELECT ZTITLE, ZAUTHOR FROM ZBOOK ORDER BY ZTITLE", store)
  }

  /// A list of two books with the form over it.
  private func withForm(
    _ body: (SectionsPage, URL) async throws -> Void
  ) async throws {
    try await withSections("books", ["--seed", "2"]) { page, _, store in
      try await page.press("Add")
      try await page.waitForTitle("New Book")
      try await page.waitForForm(Self.empty)
      try await body(page, store)
      #expect(try await page.browser.consoleMessages() == [])
    }
  }

  @Test func addPresentsAFormOverTheListWhichStaysInSight() async throws {
    try await withForm { page, _ in
      let browser = page.browser
      let sheets = try await browser.texts("[role=dialog] h1")
      #expect(sheets == ["New Book"])
      #expect(try await browser.texts("[inert] h1") == ["Books"])
      #expect(try await browser.texts(".footnote").contains("A book has all three."))
      #expect(try await browser.texts(".modal .bar button") == ["Cancel", "Save"])
    }
  }

  @Test func aBookWithAllThreeIsSavedIntoTheListAndTheStore() async throws {
    try await withForm { page, store in
      try await page.fill("Title", "A New Book")
      try await page.fill("Author", "Zoë Zimmer")
      try await page.enter("2001-02-03", label: "Copyright")
      try await page.waitForForm([
        "Title: A New Book", "Author: Zoë Zimmer", "Copyright: 2001-02-03",
      ])
      try await page.press("Save")
      try await page.waitForNoSheet()
      try await page.waitForText("Zoë Zimmer", in: "h2")
      try await page.waitForText("A New Book", in: ".row .title")
      #expect(try stored(store).contains("A New Book|Zoë Zimmer"))
      // The page is in use again.
      try await page.openBook("A New Book")
    }
  }

  @Test func cancelLeavesNoTrace() async throws {
    try await withForm { page, store in
      let before = try SQLiteShell.query(".dump", store)
      try await page.fill("Title", "A New Book")
      try await page.fill("Author", "Nobody")
      try await page.enter("2001-02-03", label: "Copyright")
      try await page.press("Cancel")
      try await page.answer([], "Discard Changes")
      try await page.waitForNoSheet()
      try await page.waitForTotal(2)
      #expect(try SQLiteShell.query(".dump", store) == before)
      // Nothing of it comes back with the next one, nor with the next save.
      try await page.press("Add")
      try await page.waitForForm(Self.empty)
      try await page.press("Cancel")
      try await page.waitForNoSheet()
      try await page.deleteBook("The Quiet Harbour")
      try await page.waitForTotal(1)
      #expect(try stored(store).count == 1)
    }
  }

  /// The errors that stand beside fields, in the form's order.
  private static let errors = """
    [...document.querySelectorAll('.modal .footnote')].map((e) => e.textContent)
      .filter((text) => text.endsWith('required value.'))
    """

  @Test func aSaveThatFailsSaysBesideEachFieldWhyAndKeepsWhatWasTyped() async throws {
    try await withForm { page, store in
      let before = try SQLiteShell.query(".dump", store)
      func save(fails fields: [String], focus: String) async throws {
        try await page.press("Save")
        let errors = fields.map { "\($0) is a required value." }.joined(separator: "|")
        try await page.browser.wait(
          until: """
            \(Self.errors).join('|') === '\(errors)' && document.activeElement.ariaLabel === '\(focus)'
            """)
      }
      try await save(fails: ["Title", "Author"], focus: "Title")
      try await page.browser.type("A New Book")
      try await save(fails: ["Author"], focus: "Author")
      try await page.browser.type("Nobody")
      try await page.waitForForm([
        "Title: A New Book", "Author: Nobody", "Copyright: \(SectionsPage.today)",
      ])
      #expect(try SQLiteShell.query(".dump", store) == before)
      try await page.enter("2001-02-03", label: "Copyright")
      try await page.press("Save")
      try await page.waitForNoSheet()
      #expect(try stored(store).contains("A New Book|Nobody"))
    }
  }

  @Test func theFirstFieldHasTheKeyboard() async throws {
    try await withForm { page, _ in
      try await page.browser.wait(until: "document.activeElement.ariaLabel === 'Title'")
      try await page.browser.type("Typed")
      try await page.waitForForm(["Title: Typed", "Author: ", "Copyright: \(SectionsPage.today)"])
    }
  }

  @Test func escapeClosesAnEmptyFormAndAsksAboutOneThatSomebodyHasBegun() async throws {
    try await withForm { page, store in
      try await page.browser.press(.escape)
      try await page.waitForNoSheet()
      try await page.press("Add")
      try await page.fill("Title", "A")
      try await page.browser.press(.escape)
      try await page.answer([], "Keep Editing")
      try await page.browser.wait(until: "!document.querySelector('dialog')")
      try await page.waitForForm(["Title: A", "Author: ", "Copyright: \(SectionsPage.today)"])
      try await page.browser.press(.escape)
      try await page.answer([], "Discard Changes")
      try await page.waitForNoSheet()
      #expect(try stored(store).count == 2)
    }
  }

  @Test func theListUnderTheFormFollowsAnotherWindow() async throws {
    try await withForm { page, _ in
      let first = try await page.openSecondWindow()
      try await page.deleteBook("The Quiet Harbour")
      try await page.waitForTotal(1)
      try await page.browser.switchTo(first)
      try await page.waitForTotal(1)
      try await page.waitForForm(Self.empty)
      try await page.press("Cancel")
      try await page.waitForNoSheet()
      try await page.waitForTotal(1)
    }
  }

  @Test func aReloadKeepsTheFormAndWhatIsInIt() async throws {
    try await withForm { page, _ in
      try await page.fill("Title", "A New Book")
      try await page.browser.press(.tab)
      try await page.browser.wait(
        until: "document.querySelector('.modal input').sent === 'A New Book'")
      try await page.browser.reload()
      try await page.waitForForm([
        "Title: A New Book", "Author: ", "Copyright: \(SectionsPage.today)",
      ])
      try await page.press("Cancel")
      try await page.answer([], "Discard Changes")
      try await page.waitForNoSheet()
    }
  }
}
