import BrowserDriver
import Foundation
import Testing

/// Forms, as a user fills them in a real browser.
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct FormTests {
  private func value(_ label: String) -> String {
    "document.querySelector(\".modal input[aria-label='\(label)']\").value"
  }

  // MARK: Labels, units and kinds of values

  /// Labels stay beside what is typed.
  @Test(arguments: [
    ("heroes", "Amber Badger", ["Name", "Secret identity", "Sex", "Birthday"]),
    ("employees", "Ada Abbot", ["Name", "Height", "Birthday", "Department"]),
  ])
  func everyFieldHasALabelThatStays(
    _ name: String, _ row: String, _ labels: [String]
  ) async throws {
    try await withSections(name, ["--seed", "1"]) { page, _, _ in
      for width in [900, 390] {
        try await page.browser.resize(width: width, height: 800)
        try await page.choose(row)
        _ = try await page.browser.find(".modal input")
        #expect(try await page.browser.texts(".modal .row .title") == labels)
        // None is cut off.
        let cut = try await page.browser.script(
          """
          return [...document.querySelectorAll('.modal .row .title, .modal .row input')]
            .filter((e) => e.scrollWidth > e.clientWidth + 1 && e.type !== 'radio')
            .map((e) => e.textContent || e.ariaLabel)
          """)
        #expect(cut.strings == [], "\(width)")
        try await page.answer([], "Cancel")
        try await page.waitForNoAlert()
      }
    }
  }

  @Test func aNumberHasItsUnitBesideIt() async throws {
    try await withSections("employees", ["--seed", "1"]) { page, _, _ in
      try await page.choose("Ada Abbot")
      try await page.waitForText("m", in: #".modal input[aria-label="Height in metres"] + .unit"#)
      #expect(try await page.browser.script("return \(value("Height in metres"))").string == "1.5")
    }
  }

  @Test func theSexIsChosenByArrowsAndOneOfAnotherTimeStays() async throws {
    try await withSections("heroes", ["--seed", "1"]) { page, _, store in
      try await page.choose("Amber Badger")
      let chosen = "document.querySelector('[aria-label=Sex] :checked')"
      try await page.browser.wait(
        until: "\(chosen)?.closest('label').textContent === 'Female'")
      try await page.browser.script("\(chosen).focus()")
      try await page.browser.press(.right)
      try await page.browser.wait(
        until:
          "\(chosen)?.closest('label').textContent === 'Male' && document.activeElement === \(chosen)"
      )
      try await page.browser.press(.enter)
      try await page.waitForNoAlert()
      try await SQLiteShell.wait(for: ["male"], "SELECT ZSEX FROM ZHERO", store)
    }
  }

  @Test func aDayIsAddedAndRemoved() async throws {
    try await withSections("heroes", ["--seed", "1"]) { page, _, store in
      let stored = "SELECT ZBIRTHDAY IS NULL FROM ZHERO"
      try await page.choose("Amber Badger")
      try await page.browser.click("button[aria-label='Remove birthday']")
      try await page.browser.wait(until: "!document.querySelector('.modal input[type=date]')")
      try await page.answer([], "Save")
      try await page.waitForNoAlert()
      try await SQLiteShell.wait(for: ["1"], stored, store)
      try await page.choose("Amber Badger")
      try await page.browser.click("button[aria-label='Add birthday']")
      // The keyboard goes on in the date.
      try await page.browser.wait(until: "document.activeElement.type === 'date'")
      try await page.answer([("Birthday", "1984-05-27")], "Save")
      try await page.waitForNoAlert()
      try await SQLiteShell.wait(for: ["0"], stored, store)
    }
  }

  /// Each valid day on the way to another one has been sent when “Save” is pressed. The keys type an impossible day, or
  /// empty the three parts.
  @Test(
    arguments: [("heroes", "Amber Badger", "ZHERO"), ("employees", "Ada Abbot", "ZEMPLOYEE")],
    ["02312001", "\u{E003}\u{E014}\u{E003}\u{E014}\u{E003}"])
  func aDayThatIsNoneIsNotSaved(
    _ form: (name: String, row: String, table: String), keys: String
  ) async throws {
    let (name, row, table) = form
    try await withSections(name, ["--seed", "1"]) { page, _, store in
      let stored = "SELECT date(ZBIRTHDAY + 978307200, 'unixepoch') FROM \(table)"
      let before = try SQLiteShell.query(stored, store)
      try await page.choose(row)
      _ = try await page.browser.find(".modal input[type=date]")
      try await page.browser.script("document.querySelector('.modal input[type=date]').focus()")
      try await page.browser.type(keys)
      try await page.answer([], "Save")
      try await page.browser.wait(
        until: """
          (() => {
            const { activeElement: field } = document;
            const text = document.getElementById(field.getAttribute('aria-describedby'))?.textContent;
            return field.type === 'date' && field.ariaInvalid === 'true' && text?.includes('that is no day');
          })()
          """)
      #expect(try SQLiteShell.query(stored, store) == before)
      try await page.browser.type("\u{E012}\u{E012}02282001")
      try await page.browser.wait(until: "!document.querySelector('[aria-invalid], .problem')")
      try await page.answer([], "Save")
      try await page.waitForNoAlert()
      try await SQLiteShell.wait(for: ["2001-02-28"], stored, store)
    }
  }

  // MARK: Errors

  @Test func errorsStandBesideTheirFieldsInOrderAndTheFirstHasTheFocus() async throws {
    try await withSections("employees", ["--seed", "3"]) { page, _, store in
      try await page.choose("Bruno Brandt")
      try await page.answer(
        [("Height in metres", "tall"), ("Name", ""), ("Department", "Harbour")], "Save")
      try await page.browser.wait(
        until: "document.querySelectorAll('.modal [aria-invalid][aria-describedby]').length === 2")
      let errors = try await page.browser.script(
        """
        return [...document.querySelectorAll('.modal [aria-invalid]')].map((input) =>
          document.getElementById(input.getAttribute('aria-describedby')).textContent)
        """)
      #expect(
        errors.strings == [
          "The name is empty.", "“tall” is no height in metres, from 0.4 to 2.8.",
        ])
      try await page.browser.wait(until: "document.activeElement.ariaLabel === 'Name'")
      #expect(try await page.browser.script("return \(value("Department"))").string == "Harbour")
      // Typing goes on where the focus is.
      try await page.browser.type("Zoe")
      try await page.answer([("Height in metres", "1,91")], "Save")
      try await page.waitForNoAlert()
      let saved = "SELECT round(ZHEIGHT, 2) FROM ZEMPLOYEE WHERE ZNAME = 'Zoe'"
      try await SQLiteShell.wait(for: ["1.91"], saved, store)
    }
  }

  @Test func anObjectThatAnotherWindowHasDeletedIsToldAndWhatWasTypedStays() async throws {
    try await withSections("heroes", ["--seed", "3"]) { page, _, _ in
      try await page.choose("Amber Badger")
      try await page.enter("Mine", label: "Name")
      let first = try await page.openSecondWindow()
      try await page.act("Delete", on: "Amber Badger")
      try await page.waitForTotal(2)
      try await page.browser.switchTo(first)
      try await page.answer([], "Save")
      try await page.waitForText("This hero has been deleted.", in: "dialog p")
      try await page.answer([], "OK")
      try await page.browser.wait(until: "!document.querySelector('dialog')")
      #expect(try await page.browser.script("return \(value("Name"))").string == "Mine")
      try await page.answer([], "Cancel")
      try await page.answer([], "Discard Changes")
      try await page.waitForNoAlert()
    }
  }

  // MARK: Keys

  @Test func escapeAsksOnlyAfterAChange() async throws {
    try await withSections("employees", ["--seed", "1"]) { page, _, _ in
      try await page.choose("Ada Abbot")
      try await page.browser.wait(until: "document.activeElement.ariaLabel === 'Name'")
      try await page.browser.press(.escape)
      try await page.waitForNoAlert()
      try await page.choose("Ada Abbot")
      try await page.enter("Mine", label: "Name")
      try await page.browser.press(.escape)
      try await page.waitForText("What you changed is not saved", in: "dialog h3")
      try await page.answer([], "Keep Editing")
      try await page.browser.wait(until: "!document.querySelector('dialog')")
      #expect(try await page.browser.script("return \(value("Name"))").string == "Mine")
      try await page.browser.press(.escape)
      try await page.answer([], "Discard Changes")
      try await page.waitForNoAlert()
      #expect(try await page.browser.texts(".row .title") == ["Ada Abbot"])
    }
  }

  @Test(arguments: [
    "input[aria-label=Name]", "input[type=date]", "[role=radiogroup] input:checked",
  ])
  func returnSavesFromEveryControl(_ css: String) async throws {
    try await withSections("heroes", ["--seed", "1"]) { page, _, store in
      try await page.choose("Amber Badger")
      try await page.enter("Oliver", label: "Secret identity")
      try await page.browser.script("document.querySelector(arguments[0]).focus()", [.string(css)])
      try await page.browser.press(.enter)
      try await page.waitForNoAlert()
      try await SQLiteShell.wait(for: ["Oliver"], "SELECT ZSECRETIDENTITY FROM ZHERO", store)
    }
  }

  // MARK: Languages

  @Test(arguments: [
    ("en-US,en;q=0.9", "born January 1, 1960 · 1.5 m", "1.5"),
    ("de-DE,de;q=0.9,en;q=0.5", "born 1. Januar 1960 · 1,5 m", "1,5"),
    ("xx, fr;q=0.8, en;q=0.1", "born 1 janvier 1960 · 1,5 m", "1,5"),
  ])
  func daysAndNumbersAreInTheReadersLanguage(
    _ languages: String, _ words: String, _ height: String
  ) async throws {
    try await withSections("employees", ["--seed", "1"]) { page, _, store in
      try await page.browser.read(in: languages)
      try await page.open()
      try await page.waitForText(words, in: ".row .detail")
      try await page.choose("Ada Abbot")
      try await page.browser.wait(until: "\(value("Height in metres")) === '\(height)'")
      // What nobody has touched is not written in another form.
      try await page.answer([("Department", "Harbour")], "Save")
      try await page.waitForNoAlert()
      try await SQLiteShell.wait(for: ["1.5"], "SELECT ZHEIGHT FROM ZEMPLOYEE", store)
    }
  }

  @Test(arguments: [
    ("heroes", "Amber Badger", "Birthday", "2. Januar 1940"),
    ("employees", "Ada Abbot", "Birthday", "1. Januar 1960"),
  ])
  func aConflictOfDaysIsAskedInTheReadersLanguage(
    _ name: String, _ row: String, _ label: String, _ now: String
  ) async throws {
    try await withSections(name, ["--seed", "1"]) { page, _, _ in
      try await page.browser.read(in: "de")
      try await page.open()
      try await page.choose(row)
      let first = try await page.openSecondWindow()
      try await page.choose(row)
      try await page.answer([(label, "1984-05-27")], "Save")
      try await page.waitForNoAlert()
      try await page.browser.switchTo(first)
      try await page.answer([(label, "1984-05-28")], "Save")
      try await page.waitForText("You made it “28. Mai 1984”.", in: "dialog p")
      try await page.answer([], "Use Mine")
      try await page.waitForNoAlert()
    }
  }

  @Test func booksHaveTheSameFormOfDays() async throws {
    try await withSections("books", ["--seed", "1"]) { page, _, _ in
      try await page.waitForText("January 1, 1900", in: ".row .detail")
      try await page.browser.read(in: "de")
      try await page.open()
      try await page.waitForText("1. Januar 1900", in: ".row .detail")
    }
  }
}

extension Browser {
  /// Asks for pages in these languages from now on.
  fileprivate func read(in languages: String) async throws {
    _ = try await developerCommand("Network.enable")
    _ = try await developerCommand(
      "Network.setExtraHTTPHeaders", ["headers": ["Accept-Language": .string(languages)]])
  }
}
