import BrowserDriver
import Foundation
import Testing

/// The inventory, as a user sees it in a real browser.
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct GoodsTests {
  private func add(
    _ name: String, _ number: String, _ category: String, on page: SectionsPage
  ) async throws {
    try await page.press("Add…")
    try await page.answer([("Name", name), ("Number", number), ("Category", category)], "Add")
  }

  /// Milk and cream in one category, plums in another.
  private func withThree(
    _ body: (SectionsPage, ApplicationProcess, URL) async throws -> Void
  ) async throws {
    try await withSections("goods") { page, application, store in
      try await add("Milk", "3", "Dairy", on: page)
      try await add("Plums", "12", "Fruit", on: page)
      try await add("Cream", "1", "Dairy", on: page)
      try await page.waitForSections(["Dairy: Cream 1, Milk 3", "Fruit: Plums 12"])
      try await body(page, application, store)
    }
  }

  /// Waits until the store has rows: the page draws what is done before it is saved.
  private func expectStored(_ rows: [String], _ store: URL) async throws {
    try await SQLiteShell.wait(
      for: rows, "SELECT ZCATEGORY, ZNAME, ZNUMBER FROM ZGOODS ORDER BY ZCATEGORY, ZNAME", store)
  }

  @Test func addAsksForNameNumberAndCategory() async throws {
    try await withSections("goods") { page, _, _ in
      try await page.press("Add…")
      try await page.browser.wait(until: "!!document.querySelector('.modal')")
      let labels = try await page.browser.script(
        "return [...document.querySelectorAll('.modal input')].map((e) => e.ariaLabel)")
      #expect(labels.strings == ["Name", "Number", "Category"])
      try await page.answer([], "Cancel")
      try await page.waitForNoAlert()
      try await page.waitForSections([])
    }
  }

  @Test func rowsStandInSectionsByCategoryThenName() async throws {
    try await withThree { page, _, store in
      let headers = try await page.browser.texts("h2")
      #expect(headers == ["Dairy", "Fruit"])
      try await expectStored(["Dairy|Cream|1", "Dairy|Milk|3", "Fruit|Plums|12"], store)
    }
  }

  @Test func namesStandInTheOrderOfADictionary() async throws {
    try await withSections("goods") { page, _, _ in
      for name in ["Zucchini", "apples 10", "Äpfel", "apples 9"] {
        try await add(name, "1", "obst", on: page)
        try await page.waitForNoAlert()
      }
      try await add("Milk", "1", "Dairy", on: page)
      try await page.waitForSections([
        "Dairy: Milk 1", "obst: Äpfel 1, apples 9 1, apples 10 1, Zucchini 1",
      ])
    }
  }

  @Test func aClickOnARowAddsOneAndSaves() async throws {
    try await withThree { page, _, store in
      try await page.choose("Milk")
      try await page.waitForSections(["Dairy: Cream 1, Milk 4", "Fruit: Plums 12"])
      try await expectStored(["Dairy|Cream|1", "Dairy|Milk|4", "Fruit|Plums|12"], store)
    }
  }

  @Test func anEmptyNameIsToldAndNothingIsAdded() async throws {
    try await withThree { page, _, store in
      try await add(" ", "3", "Dairy", on: page)
      try await page.waitForText("The name is empty.", in: ".modal .footnote")
      try await page.answer([], "Cancel")
      try await page.answer([], "Discard Changes")
      try await page.waitForNoAlert()
      try await expectStored(["Dairy|Cream|1", "Dairy|Milk|3", "Fruit|Plums|12"], store)
      try await page.waitForSections(["Dairy: Cream 1, Milk 3", "Fruit: Plums 12"])
    }
  }

  @Test func digitsOfOtherScriptsAreDigits() async throws {
    try await withSections("goods") { page, _, store in
      try await add("Butter", "٤٢", "Dairy", on: page)
      try await page.waitForSections(["Dairy: Butter 42"])
    }
  }

  @Test(arguments: [
    ("many", "is no whole number."), ("1.5", "is no whole number."), ("", "is no whole number."),
    ("99999999999", "is too large: at most 2,147,483,647."),
    ("-99999999999", "is too small: at least -2,147,483,648."),
  ])
  func aNumberThatIsNoNumberIsToldAndNothingIsAdded(
    number: String, words: String
  ) async throws {
    try await withSections("goods") { page, _, store in
      try await add("Butter", number, "Dairy", on: page)
      try await page.waitForText("“\(number)” \(words)", in: ".modal .footnote")
      try await expectStored([], store)
      // What was typed is still there.
      try await page.answer([("Number", "2")], "Add")
      try await page.waitForSections(["Dairy: Butter 2"])
    }
  }

  @Test func deletingTheLastRowOfASectionRemovesTheSection() async throws {
    try await withThree { page, _, store in
      try await page.act("Delete", on: "Plums")
      try await page.waitForSections(["Dairy: Cream 1, Milk 3"])
      try await page.act("Delete", on: "Milk")
      try await page.waitForSections(["Dairy: Cream 1"])
      try await page.act("Delete", on: "Cream")
      try await page.waitForSections([])
      try await expectStored([], store)
      try await page.press("↺")
      try await page.waitForSections(["Dairy: Cream 1"])
    }
  }

  @Test func theFirstRowOfANewCategoryInsertsASection() async throws {
    try await withThree { page, _, _ in
      try await add("Rake", "2", "Garden", on: page)
      try await page.waitForSections([
        "Dairy: Cream 1, Milk 3", "Fruit: Plums 12", "Garden: Rake 2",
      ])
      try await add("Scone", "5", "Bakery", on: page)
      try await page.waitForSections([
        "Bakery: Scone 5", "Dairy: Cream 1, Milk 3", "Fruit: Plums 12", "Garden: Rake 2",
      ])
    }
  }

  @Test func changingTheCategoryMovesARowBetweenSections() async throws {
    try await withThree { page, _, store in
      try await page.act("Category…", on: "Cream")
      try await page.answer([("Category", "Fruit")], "Move")
      try await page.waitForSections(["Dairy: Milk 3", "Fruit: Cream 1, Plums 12"])
      // The last one of a section, into a new one.
      try await page.act("Category…", on: "Milk")
      try await page.answer([("Category", "Zoo")], "Move")
      try await page.waitForSections(["Fruit: Cream 1, Plums 12", "Zoo: Milk 3"])
      try await expectStored(["Fruit|Cream|1", "Fruit|Plums|12", "Zoo|Milk|3"], store)
    }
  }

  @Test func aSaveInOneWindowAppearsInTheOther() async throws {
    try await withThree { page, _, _ in
      let first = try await page.openSecondWindow()
      try await page.choose("Milk")
      try await page.waitForSections(["Dairy: Cream 1, Milk 4", "Fruit: Plums 12"])
      try await page.act("Delete", on: "Plums")
      try await page.waitForSections(["Dairy: Cream 1, Milk 4"])
      try await page.browser.switchTo(first)
      try await page.waitForSections(["Dairy: Cream 1, Milk 4"])
    }
  }

  @Test func aKilledProcessLosesNothingThatWasSaved() async throws {
    try await withThree { page, application, store in
      try await page.choose("Milk")
      try await page.waitForSections(["Dairy: Cream 1, Milk 4", "Fruit: Plums 12"])
      application.kill()
      let again = try ApplicationProcess("goods", store: store)
      try await withSections(at: again.address) { page in
        try await page.waitForSections(["Dairy: Cream 1, Milk 4", "Fruit: Plums 12"])
      }
      again.kill()
    }
  }

  @Test func beingToldToStopSavesWhatIsPending() async throws {
    try await withThree { page, application, store in
      // An undo is not saved at once.
      try await page.press("↺")
      try await page.waitForSections(["Dairy: Milk 3", "Fruit: Plums 12"])
      application.terminate()
      try await expectStored(["Dairy|Milk|3", "Fruit|Plums|12"], store)
    }
  }

  @Test func rowsThatAreImportedAtTheStartAppearInTheOpenList() async throws {
    try await withSections("goods", ["--seed", "16", "--import", "2000"]) { page, _, store in
      try await page.waitForTotal(2016)
      try await SQLiteShell.wait(for: ["2016"], "SELECT COUNT(*) FROM ZGOODS", store)
    }
  }

  @Test(arguments: ["--import=-1", "--seed=-1", "--port=70000"])
  func anOptionThatMakesNoSenseIsToldAndStartsNothing(option: String) throws {
    let folder = try TemporaryFolder()
    let (status, errors) = try ApplicationProcess.runToEnd("goods", home: folder.url, [option])
    #expect(status != 0)
    #expect(errors.contains("Error: "))
  }
}
