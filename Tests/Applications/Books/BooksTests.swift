import BrowserDriver
import Foundation
import Testing

/// The shelf, as a user sees it in a real browser: list, detail and edit pages.
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct BooksTests {
  private static let all = """
    SELECT ZAUTHOR, ZTITLE, date(ZCOPYRIGHT + 978307200, 'unixepoch') FROM ZBOOK
    ORDER BY ZAUTHOR, ZTITLE
    """

  private func stored(_ store: URL) throws -> [String] { try SQLiteShell.query(Self.all, store) }

  private static let harbour = [
    "Title: The Quiet Harbour", "Author: Agnes Thornbury", "Copyright: January 1, 1900",
  ]
  private static let editableHarbour = harbour.map { "\($0) ›" }

  /// The page of one book of the store that the application comes with.
  private func withHarbour(
    _ body: (SectionsPage, ApplicationProcess, URL) async throws -> Void
  ) async throws {
    try await withSections("books") { page, application, store in
      try await page.openBook("The Quiet Harbour")
      try await body(page, application, store)
    }
  }

  // MARK: List

  @Test(arguments: [0, 200])
  func theListIsGroupedByAuthor(seed: Int) async throws {
    let arguments = seed == 0 ? [] : ["--seed", "\(seed)"]
    try await withSections("books", arguments) { page, _, store in
      let books = try stored(store).map { $0.split(separator: "|") }
      try await page.waitForTotal(seed == 0 ? 24 : seed)
      let titles = try await page.browser.texts(".row .title")
      #expect(titles == books.prefix(titles.count).map { String($0[1]) })
      let headers = try await page.browser.texts("h2")
      var authors: [String] = []
      for book in books where authors.last != String(book[0]) { authors.append(String(book[0])) }
      #expect(headers == Array(authors.prefix(headers.count)))
      #expect(try await page.browser.consoleMessages() == [])
    }
  }

  @Test func theFirstStartCopiesAPrebuiltStoreAndLaterOnesLeaveItAlone() async throws {
    try await withSections("books") { page, application, store in
      try await page.waitForTotal(24)
      try await page.deleteBook("The Quiet Harbour")
      try await page.waitForTotal(23)
      application.kill()
      let again = try ApplicationProcess("books", store: store)
      try await withSections(at: again.address) { try await $0.waitForTotal(23) }
      again.kill()
    }
  }

  @Test func aDeletedBookIsBroughtBackInEveryWindow() async throws {
    try await withSections("books") { page, _, store in
      let first = try await page.openSecondWindow()
      try await page.deleteBook("The Quiet Harbour")
      try await page.waitForTotal(23)
      try await page.browser.click(".toast button")
      try await page.waitForTotal(24)
      try await SQLiteShell.wait(
        for: ["1"], "SELECT count(*) FROM ZBOOK WHERE ZTITLE = 'The Quiet Harbour'", store)
      try await page.browser.switchTo(first)
      try await page.waitForTotal(24)
      // It can be edited there, and deleted once more.
      try await page.openBook("The Quiet Harbour")
      try await page.beginEditing()
      try await page.edit("Title", "The Loud Harbour")
      try await page.endEditing()
      try await page.press("‹")
      try await page.deleteBook("The Loud Harbour")
      try await page.waitForTotal(23)
    }
  }

  @Test func aBookIsNotBroughtBackIntoTheEditOfAnother() async throws {
    try await withSections("books") { page, _, store in
      try await page.deleteBook("The Quiet Harbour")
      try await page.browser.click(".row")
      try await page.beginEditing()
      try await page.browser.click(".toast button")
      try await page.waitForText(
        "“The Quiet Harbour” was not brought back, since a book is being edited", in: ".toast")
      try await page.endEditing()
      try await SQLiteShell.wait(for: ["23"], "SELECT count(*) FROM ZBOOK", store)
    }
  }

  @Test func aStoreThatIsFilledIsNotAPrebuiltOne() async throws {
    try await withSections("books", ["--seed", "5"]) { page, _, store in
      try await page.waitForTotal(5)
      #expect(try stored(store).count == 5)
    }
  }

  // MARK: Detail

  @Test func aRowOpensTheDetailPageWhereNothingCanBeEditedYet() async throws {
    try await withHarbour { page, _, _ in
      try await page.waitForForm(Self.harbour)
      #expect(try await page.browser.texts(".selectable") == [])
      try await page.press("‹")
      try await page.waitForTitle("Books")
    }
  }

  @Test func editMakesTheThreeEditable() async throws {
    try await withHarbour { page, _, _ in
      try await page.beginEditing()
      try await page.waitForForm(Self.editableHarbour)
      // There is no way back but by Done.
      #expect(try await page.browser.texts(".bar .back") == [])
      try await page.endEditing()
      try await page.waitForForm(Self.harbour)
    }
  }

  @Test(arguments: [
    ("Title", "The Loud Harbour", "The Loud Harbour"),
    ("Author", "Bertil Sandgren", "Bertil Sandgren"),
    ("Copyright", "1984-05-27", "May 27, 1984"),
  ])
  func eachIsEditedOnItsOwnPageAndSavedWhenEditingEnds(
    field: String, text: String, shown: String
  ) async throws {
    try await withHarbour { page, _, store in
      let before = try stored(store)
      try await page.beginEditing()
      try await page.choose(field)
      try await page.waitForTitle(field)
      let buttons = try await page.browser.texts(".bar button")
      #expect(buttons == ["Cancel", "Save"])
      try await page.press("Cancel")
      try await page.edit(field, text)
      let row = try #require(Self.harbour.firstIndex { $0.hasPrefix(field) })
      var expected = Self.harbour
      expected[row] = "\(field): \(shown)"
      try await page.waitForForm(expected.map { "\($0) ›" })
      #expect(try stored(store) == before)
      try await page.endEditing()
      try await page.waitForForm(expected)
      #expect(try stored(store).contains { $0.contains(text) })
      #expect(try stored(store) != before)
      // The list has followed, and the book stands with its author.
      try await page.press("‹")
      try await page.waitForTitle("Books")
      try await page.waitForText(field == "Author" ? "The Quiet Harbour" : shown, in: ".row")
    }
  }

  @Test func cancelOnAnEditPageLeavesNoTrace() async throws {
    try await withHarbour { page, _, store in
      let before = try SQLiteShell.query(".dump", store)
      try await page.beginEditing()
      for field in ["Title", "Author"] {
        try await page.choose(field)
        try await page.fill(field, "Something else")
        try await page.press("Cancel")
        try await page.waitForForm(Self.editableHarbour)
      }
      try await page.choose("Copyright")
      try await page.fill("Copyright", day: "1984-05-27")
      try await page.press("Cancel")
      try await page.waitForForm(Self.editableHarbour)
      try await page.endEditing()
      #expect(try SQLiteShell.query(".dump", store) == before)
    }
  }

  @Test func aDayThatIsNoneIsNotSaved() async throws {
    try await withHarbour { page, _, store in
      let before = try stored(store)
      try await page.beginEditing()
      try await page.choose("Copyright")
      _ = try await page.browser.find("input[type=date]")
      try await page.browser.script("document.querySelector('input[type=date]').focus()")
      try await page.browser.type("02312001")
      try await page.press("Save")
      try await page.waitForText("that is no day", in: ".problem")
      try await page.press("Cancel")
      try await page.waitForForm(Self.editableHarbour)
      try await page.endEditing()
      #expect(try stored(store) == before)
    }
  }

  @Test(arguments: ["Title", "Author"])
  func anEmptyFieldIsRefusedWithThePropertyAndTheReasonAndStays(field: String) async throws {
    try await withHarbour { page, _, store in
      let before = try stored(store)
      try await page.beginEditing()
      try await page.choose(field)
      try await page.fill(field, " ")
      try await page.press("Save")
      try await page.waitForText("\(field) is a required value.", in: ".footnote")
      try await page.waitForForm([":  "])
      try await page.browser.wait(until: "document.activeElement.ariaLabel === '\(field)'")
      try await page.fill(field, "Mended")
      // Return is as good as Save.
      try await page.browser.press(.enter)
      try await page.waitForText("Mended", in: ".row .value")
      #expect(try stored(store) == before)
      try await page.endEditing()
      #expect(try stored(store).contains { $0.contains("Mended") })
    }
  }

  @Test func aSaveThatTheStoreRefusesSaysWhyAndEditingGoesOn() async throws {
    try await withHarbour { page, _, store in
      try await page.beginEditing()
      try await page.edit("Title", "The Loud Harbour")
      let refusal = "SELECT RAISE(ABORT, 'the shelf is closed')"
      try SQLiteShell.change(
        "CREATE TRIGGER refusal BEFORE UPDATE ON ZBOOK BEGIN \(refusal); END", store)
      try await page.press("Done")
      try await page.waitForText("The book was not saved", in: "dialog h3")
      try await page.dismissAlert()
      try await page.waitForText("The Loud Harbour", in: ".row .value")
      try SQLiteShell.change("DROP TRIGGER refusal", store)
      try await page.endEditing()
      #expect(try stored(store).contains { $0.contains("The Loud Harbour") })
    }
  }
}
