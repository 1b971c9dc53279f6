import BrowserDriver
import Foundation
import Testing

/// The roster, as a user sees it in a real browser.
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct EmployeesTests {
  private func edit(
    _ name: String, _ texts: (label: String, text: String)..., on page: SectionsPage
  ) async throws {
    try await page.choose(name)
    try await page.answer(texts, "Save")
    try await page.waitForNoAlert()
  }

  private func names(_ page: SectionsPage) async throws -> [String] {
    try await page.browser.texts(".row .title")
  }

  @Test func addMoreDataInsertsAPageOfRows() async throws {
    try await withSections("employees") { page, _, store in
      try await page.press("Add more data")
      try await page.waitForTotal(20)
      try await page.waitForText("changes: … · insert → ", in: ".prompt")
      try await page.press("Add more data")
      try await page.waitForTotal(40)
      try await SQLiteShell.wait(for: ["40"], "SELECT COUNT(*) FROM ZEMPLOYEE", store)
    }
  }

  @Test func anUpdateStaysAndAMoveGoesWhereItBelongs() async throws {
    try await withSections("employees", ["--seed", "3"]) { page, _, _ in
      #expect(try await names(page) == ["Ada Abbot", "Bruno Brandt", "Clara Costa"])
      try await edit("Bruno Brandt", ("Height in metres", "1.91"), on: page)
      try await page.waitForText("1 change: update 0.1", in: ".prompt")
      try await page.waitForText("1.91 m", in: ".row .detail")
      try await edit("Ada Abbot", ("Name", "Zora Abbot"), on: page)
      try await page.waitForText("1 change: move 0.0 → 0.2", in: ".prompt")
      #expect(try await names(page) == ["Bruno Brandt", "Clara Costa", "Zora Abbot"])
    }
  }

  /// Nothing is saved, and the form stays with what was typed.
  @Test(arguments: [
    ("Name", "The name is empty."), ("Height in metres", "The height is empty."),
  ])
  func aFieldThatWasEmptiedIsTold(_ label: String, _ words: String) async throws {
    try await withSections("employees", ["--seed", "3"]) { page, _, store in
      let before = try SQLiteShell.query("SELECT ZNAME, ZHEIGHT, ZBIRTHDAY FROM ZEMPLOYEE", store)
      try await page.choose("Bruno Brandt")
      try await page.answer([("Department", "Harbour"), (label, "")], "Save")
      try await page.waitForText(words, in: ".modal .footnote")
      let field = "document.querySelector(\".modal input[aria-label='Department']\")"
      try await page.browser.wait(until: "\(field).value === 'Harbour'")
      // And again: the words stay.
      try await page.answer([], "Save")
      try await page.waitForText(words, in: ".modal .footnote")
      #expect(
        try SQLiteShell.query("SELECT ZNAME, ZHEIGHT, ZBIRTHDAY FROM ZEMPLOYEE", store) == before)
    }
  }

  @Test func sectionsComeAndGoWithTheirRows() async throws {
    try await withSections("employees", ["--seed", "3"]) { page, _, _ in
      try await edit("Bruno Brandt", ("Birthday", "1984-05-27"), on: page)
      try await page.waitForText("2 changes: section insert 1 · move 0.1 → 1.0", in: ".prompt")
      #expect(try await page.browser.texts("h2") == ["1960s", "1980s"])
      try await edit("Bruno Brandt", ("Birthday", "1962-01-01"), on: page)
      try await page.waitForText("2 changes: section delete 1 · move 1.0 → 0.1", in: ".prompt")
      #expect(try await page.browser.texts("h2") == ["1960s"])
    }
  }

  @Test func aRowShowsTheDepartmentThatItsEmployeeBelongsTo() async throws {
    try await withSections("employees", ["--seed", "3"]) { page, _, store in
      try await edit("Ada Abbot", ("Department", "Harbour"), on: page)
      try await page.waitForText("Harbour · born", in: ".row .detail")
      let stored = try SQLiteShell.query(
        """
        SELECT e.ZNAME FROM ZEMPLOYEE e JOIN ZDEPARTMENT d ON e.ZDEPARTMENT = d.Z_PK
        WHERE d.ZNAME = 'Harbour'
        """, store)
      #expect(stored == ["Ada Abbot"])
    }
  }

  @Test func fromAnObjectBackToItsRowWhereverItWent() async throws {
    try await withSections("employees", ["--seed", "400"]) { page, _, _ in
      try await page.waitForTotal(400)
      let name = try #require(try await names(page).first)
      try await edit(name, ("Birthday", "1999-12-31"), on: page)
      // The list has scrolled to where the controller has put the employee.
      try await page.browser.wait(
        until: """
          [...document.querySelectorAll('.row')].some((row) => {
            const { top, bottom } = row.getBoundingClientRect();
            return row.textContent.includes(\(JavaScript.literal(name)))
              && row.textContent.includes('December 31, 1999') && top >= 0 && bottom <= innerHeight;
          })
          """)
      try await page.waitForText("1990s", in: "h2")
    }
  }

  @Test func deletingOnThePageUpdatesTheContextAndTheStore() async throws {
    try await withSections("employees", ["--seed", "3"]) { page, _, store in
      try await page.act("Delete", on: "Bruno Brandt")
      try await page.waitForText("1 change: delete 0.1", in: ".prompt")
      #expect(try await names(page) == ["Ada Abbot", "Clara Costa"])
      let left = try SQLiteShell.query("SELECT ZNAME FROM ZEMPLOYEE ORDER BY ZNAME", store)
      #expect(left == ["Ada Abbot", "Clara Costa"])
    }
  }

  @Test func deletingThroughAnotherContextUpdatesThePage() async throws {
    try await withSections("employees", ["--seed", "3"]) { page, _, _ in
      let first = try await page.openSecondWindow()
      try await page.act("Delete", on: "Clara Costa")
      try await page.browser.switchTo(first)
      try await page.waitForText("1 change: delete 0.2", in: ".prompt")
      #expect(try await names(page) == ["Ada Abbot", "Bruno Brandt"])
    }
  }

  @Test func theIndexHasTitlesOfItsOwnAndLeadsToItsSections() async throws {
    try await withSections("employees", ["--seed", "400"]) { page, _, _ in
      try await page.waitForTotal(400)
      let titles = try await page.browser.texts(".index button")
      #expect(titles == ["60", "70", "80", "90"])
      try await page.browser.click(Selector(".index button", containing: "90"))
      try await page.waitForText("1990s", in: "h2")
    }
  }

  @Test(arguments: [
    ("Name", "", "The name is empty."), ("Height in metres", "tall", "“tall” is no height"),
    ("Height in metres", "3", "“3” is too high: at most 2.8 metres."),
    ("Height in metres", "0.3999", "“0.3999” is too low: at least 0.4 metres."),
    ("Height in metres", "1e400", "“1e400” is no height in metres, from 0.4 to 2.8."),
    ("Height in metres", "999999999999999", "“999,999,999,999,999” is too high: at most"),
  ])
  func whatMakesNoSenseIsToldAndChangesNothing(
    label: String, text: String, complaint: String
  ) async throws {
    try await withSections("employees", ["--seed", "3"]) { page, _, _ in
      let before = try await page.sections()
      try await page.choose("Ada Abbot")
      try await page.answer([(label, text)], "Save")
      try await page.waitForText(complaint, in: ".modal .footnote")
      try await page.answer([], "Cancel")
      try await page.answer([], "Discard Changes")
      try await page.waitForNoAlert()
      #expect(try await page.sections() == before)
    }
  }

  @Test func undoBringsBackWhatWasDeletedAndItsDepartment() async throws {
    try await withSections("employees", ["--seed", "3"]) { page, _, store in
      let before = try await page.sections()
      try await page.act("Delete", on: "Ada Abbot")
      try await page.waitForText("1 change: delete 0.0", in: ".prompt")
      try await page.press("↺")
      try await page.waitForSections(before)
      try await page.waitForText("1 change: insert → 0.0", in: ".prompt")
    }
  }
}
