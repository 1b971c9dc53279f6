import BrowserDriver
import Foundation
import TestSupport
import Testing

/// Two people edit one thing at a time: each changes what they changed, and where both changed one field,
/// they are asked.
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct SameFieldTests {
  struct Form: Sendable, CustomTestStringConvertible {
    let name: String
    let arguments: [String]
    let row: String
    /// A field that one of them changes, and another one for the other.
    let first: String
    let second: String
    let texts: [String]
    /// What the store says of both.
    let sql: String

    var testDescription: String { name }

    static let all = [
      Form(
        name: "heroes", arguments: ["--seed", "1"], row: "Amber Badger", first: "Name",
        second: "Secret identity", texts: ["Arrow", "Oliver"],
        sql: "SELECT ZNAME, ZSECRETIDENTITY FROM ZHERO"),
      Form(
        name: "employees", arguments: ["--seed", "1"], row: "Ada Abbot", first: "Name",
        second: "Department", texts: ["Ada Costa", "Harbour"],
        sql: """
          SELECT e.ZNAME, d.ZNAME FROM ZEMPLOYEE e LEFT JOIN ZDEPARTMENT d ON d.Z_PK = e.ZDEPARTMENT
          """),
    ]
  }

  /// The first window has the question open; the second one is on the list.
  private func withOpenForm(
    _ form: Form,
    _ body: (SectionsPage, _ first: String, _ second: String, URL) async throws -> Void
  ) async throws {
    try await withSections(form.name, form.arguments) { page, _, store in
      try await page.choose(form.row)
      _ = try await page.browser.find(".modal")
      let first = try await page.openSecondWindow()
      let second = try await page.browser.currentWindow()
      try await body(page, first, second, store)
    }
  }

  private func answer(_ page: SectionsPage, _ label: String, _ text: String) async throws {
    try await page.answer([(label, text)], "Save")
  }

  @Test(arguments: Form.all) func aFieldThatNobodyTouchedStaysAsTheOtherMadeIt(
    _ form: Form
  ) async throws {
    try await withOpenForm(form) { page, first, second, store in
      try await page.choose(form.row)
      try await answer(page, form.first, form.texts[0])
      try await page.waitForNoAlert()
      try await page.browser.switchTo(first)
      try await answer(page, form.second, form.texts[1])
      try await page.waitForNoAlert()
      try await SQLiteShell.wait(for: [form.texts.joined(separator: "|")], form.sql, store)
    }
  }

  @Test(arguments: Sample.of(Form.all, ["Keep Theirs", "Use Mine"]))
  func whereBothChangedOneFieldTheyAreAsked(
    _ form: Form, _ choice: String
  ) async throws {
    try await withOpenForm(form) { page, first, second, store in
      let before = try SQLiteShell.query(form.sql, store).joined().split(separator: "|")
      try await page.choose(form.row)
      try await answer(page, form.first, "Theirs")
      try await page.waitForNoAlert()
      try await page.browser.switchTo(first)
      try await answer(page, form.first, "Mine")
      try await page.waitForText("“\(form.first)” was changed meanwhile", in: "dialog h3")
      try await page.waitForText(
        "Somebody else made it “Theirs”. You made it “Mine”.", in: "dialog p")
      // Back leads to what was typed.
      try await page.answer([], "Back")
      try await page.browser.wait(
        until:
          "!document.querySelector('dialog') && document.querySelector('.modal input').value === 'Mine'"
      )
      try await page.answer([], "Save")
      try await page.answer([], choice)
      try await page.waitForNoAlert()
      let name = choice == "Use Mine" ? "Mine" : "Theirs"
      try await SQLiteShell.wait(for: ["\(name)|\(before.last ?? "")"], form.sql, store)
    }
  }

  @Test(arguments: ["Keep Theirs", "Use Mine"]) func aRowThatAnotherRenamesWhileItIsRenamedAsks(
    _ choice: String
  ) async throws {
    try await withLists("Milk", "Bread") { page in
      let first = try await page.browser.currentWindow()
      try await page.edit("Milk")
      try await page.browser.type("Oat milk")
      try await page.openSecondWindow()
      try await page.rename("Milk", to: "Soy milk")
      try await page.browser.switchTo(first)
      try await page.browser.press(.enter)
      try await page.waitForText(
        "“Milk” is called “Soy milk” now. You typed “Oat milk”.", in: "dialog p")
      try await page.browser.click(Selector("dialog menu button", containing: choice))
      let title = choice == "Use Mine" ? "Oat milk" : "Soy milk"
      try await page.waitForTitles(title, "Bread")
      // The row says at once what was typed.
      try await page.browser.wait(until: "sessionStorage.getItem('events') === null")
      try await SQLiteShell.wait(
        for: ["Lists", title, "Bread"], "SELECT ZTITLE FROM ZITEM ORDER BY Z_PK", page.store)
    }
  }

  @Test func aBookThatIsEditedTwiceIsAskedAbout() async throws {
    try await withSections("books") { page, _, store in
      try await page.openBook("The Quiet Harbour")
      try await page.beginEditing()
      try await page.edit("Title", "Mine")
      let first = try await page.openSecondWindow()
      try await page.openBook("The Quiet Harbour")
      try await page.beginEditing()
      try await page.edit("Title", "Theirs")
      try await page.edit("Author", "Another")
      try await page.endEditing()
      try await page.browser.switchTo(first)
      try await page.press("Done")
      try await page.waitForText("“Title” was changed meanwhile", in: "dialog h3")
      try await page.answer([], "Keep Theirs")
      try await page.waitForNoAlert()
      try await page.browser.wait(
        until: "document.querySelector('.bar').textContent.includes('Edit')")
      try await SQLiteShell.wait(
        for: ["Theirs|Another"], "SELECT ZTITLE, ZAUTHOR FROM ZBOOK WHERE ZAUTHOR = 'Another'",
        store)
    }
  }

  @Test func aFieldOfABookThatWasLeftAloneStaysAsTheOtherMadeIt() async throws {
    try await withSections("books") { page, _, store in
      try await page.openBook("The Quiet Harbour")
      try await page.beginEditing()
      try await page.choose("Title")
      try await page.waitForTitle("Title")
      let first = try await page.openSecondWindow()
      try await page.openBook("The Quiet Harbour")
      try await page.beginEditing()
      try await page.edit("Title", "Theirs")
      try await page.endEditing()
      try await page.browser.switchTo(first)
      try await page.press("Save")
      try await page.waitForTitle("Theirs")
      try await page.endEditing()
      try await SQLiteShell.wait(
        for: ["1"], "SELECT count(*) FROM ZBOOK WHERE ZTITLE = 'Theirs'", store)
    }
  }
}
