import BrowserDriver
import Foundation
import Testing

/// The heroes, as a user sees them in a real browser.
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct HeroesTests {
  private func add(
    _ name: String, _ identity: String = "", sex: String = "", birthday: String = "",
    on page: SectionsPage
  ) async throws {
    try await page.press("Add…")
    try await page.answer(
      [
        ("Name", name), ("Secret identity", identity), ("Sex", sex.isEmpty ? "none" : sex),
        ("Birthday", birthday),
      ], "Add")
    if !name.isEmpty { try await page.waitForNoAlert() }
  }

  /// Three heroes; the third one has no secret.
  private func withThree(
    _ body: (SectionsPage, ApplicationProcess, URL) async throws -> Void
  ) async throws {
    try await withSections("heroes") { page, application, store in
      try await add("Wolf", "Zeno Abbot", on: page)
      try await add("Arrow", "Bela Costa", on: page)
      try await add("Ant", on: page)
      try await page.waitForNoAlert()
      try await page.waitForSections(Self.byName)
      try await body(page, application, store)
    }
  }

  private static let byName = ["A: Ant , Arrow Bela Costa", "W: Wolf Zeno Abbot"]
  private static let byIdentity = [
    "– None –: No secret identity Ant", "B: Bela Costa Arrow", "Z: Zeno Abbot Wolf",
  ]

  /// Waits until the store has rows: the page draws what is done before it is saved.
  private func expectStored(_ rows: [String], _ store: URL) async throws {
    try await SQLiteShell.wait(
      for: rows, "SELECT ZNAME FROM ZHERO ORDER BY ZNAME", store)
  }

  // MARK: Tabs

  @Test func eachTabHasItsOrderAndItsSections() async throws {
    try await withThree { page, _, _ in
      try await page.chooseTab("By identity")
      try await page.waitForSections(Self.byIdentity)
      try await page.chooseTab("By name")
      try await page.waitForSections(Self.byName)
    }
  }

  @Test func theChosenTabIsRemembered() async throws {
    try await withThree { page, application, store in
      try await page.chooseTab("By identity")
      try await page.waitForSections(Self.byIdentity)
      application.kill()
      let again = try ApplicationProcess("heroes", store: store)
      try await withSections(at: again.address) { page in
        try await page.waitForSelectedTab("By identity")
        try await page.waitForSections(Self.byIdentity)
      }
      again.kill()
    }
  }

  @Test func changingTheTabFetchesAnew() async throws {
    try await withThree { page, _, store in
      // Behind the back of every context.
      try SQLiteShell.change(
        "INSERT INTO ZHERO (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (900, 1, 1, 'Bat')", store)
      try await page.chooseTab("By identity")
      try await page.waitForRows(titled: "No secret identity", count: 2)
      try await page.chooseTab("By name")
      try await page.waitForSections([Self.byName[0], "B: Bat ", Self.byName[1]])
    }
  }

  @Test func theArrowsGoFromTabToTab() async throws {
    try await withThree { page, _, _ in
      try await page.browser.script("document.querySelector('[role=tab]').focus()")
      try await page.browser.press(.right)
      try await page.waitForSections(Self.byIdentity)
      try await page.browser.wait(
        until: "document.activeElement.textContent === 'By identity'")
      try await page.browser.press(.right)
      try await page.waitForSections(Self.byName)
    }
  }

  // MARK: The index

  @Test func aTitleOfTheIndexBarLeadsToItsSection() async throws {
    try await withSections("heroes", ["--seed", "5000"]) { page, _, _ in
      try await page.waitForTotal(5000)
      let letters = try await page.browser.texts(".index button").joined()
      #expect(letters == "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
      for (letter, first) in [("Q", "Quick Badger"), ("Z", "Zephyr"), ("A", "Amber Badger")] {
        try await page.browser.click(Selector(".index button", containing: letter))
        try await page.waitForTopRow(first)
      }
      try await page.chooseTab("By identity")
      try await page.browser.click(Selector(".index button", containing: "Ø"))
      try await page.waitForRows(titled: "Øyvind Abbot", count: 1)
    }
  }

  @Test func aTabComesBackWhereItWas() async throws {
    try await withSections("heroes", ["--seed", "5000"]) { page, _, _ in
      try await page.browser.click(Selector(".index button", containing: "Q"))
      try await page.waitForTopRow("Quick Badger")
      try await page.chooseTab("By identity")
      try await page.waitForTopRow("Ada Abbot")
      try await page.chooseTab("By name")
      try await page.waitForTopRow("Quick Badger")
    }
  }

  // MARK: Editing

  @Test func editModeShowsDeleteButtons() async throws {
    try await withThree { page, _, store in
      let visible = """
        [...document.querySelectorAll('.row .action')].filter((e) => e.offsetParent).length
        """
      try await page.browser.script("document.activeElement.blur()")
      try await page.press("Edit")
      try await page.browser.wait(until: "\(visible) === 3")
      try await page.browser.click("button[aria-label='Delete Arrow']")
      try await page.waitForSections(["A: Ant ", Self.byName[1]])
      try await expectStored(["Ant", "Wolf"], store)
      try await page.press("Done")
      try await page.waitForText("Edit", in: ".bar button")
      try await page.press("↺")
      try await page.waitForSections(Self.byName)
    }
  }

  @Test func aHeroIsAddedWithItsAge() async throws {
    try await withSections("heroes") { page, _, store in
      try await add("batman", "bruce Wayne", sex: "male", birthday: "1939-05-01", on: page)
      try await page.waitForRows(titled: "Batman", count: 1)
      let age = Calendar(identifier: .gregorian)
        .dateComponents([.year], from: Date(timeIntervalSince1970: -967_939_200), to: .now).year
      try await page.waitForSections(["B: Batman Bruce Wayne · male \(age ?? 0)"])
      let columns = try SQLiteShell.query("SELECT name FROM pragma_table_info('ZHERO')", store)
      #expect(!columns.contains("ZAGE"))
      try await SQLiteShell.wait(
        for: ["Batman|Bruce Wayne|male"], "SELECT ZNAME, ZSECRETIDENTITY, ZSEX FROM ZHERO", store)
    }
  }

  @Test func aChangedNameMovesToItsSection() async throws {
    try await withThree { page, _, store in
      try await page.choose("Ant")
      try await page.answer([("Name", "Zebra")], "Save")
      try await page.waitForSections([
        "A: Arrow Bela Costa", "W: Wolf Zeno Abbot", "Z: Zebra ",
      ])
      try await expectStored(["Arrow", "Wolf", "Zebra"], store)
    }
  }

  // MARK: Failures

  @Test func aHeroWithoutANameIsNotSavedAndTheFormSaysWhy() async throws {
    try await withThree { page, _, store in
      try await add("", "Nobody", on: page)
      try await page.waitForText("Name is a required value.", in: ".modal .footnote")
      try await expectStored(["Ant", "Arrow", "Wolf"], store)
      // What was typed is still there.
      try await page.answer([("Name", "Bee")], "Add")
      try await page.waitForSections([Self.byName[0], "B: Bee Nobody", Self.byName[1]])
    }
  }

  @Test func aDeletionThatCannotBeSavedIsToldAndTheRowIsBack() async throws {
    try await withThree { page, _, store in
      try SQLiteShell.change(
        """
        CREATE TRIGGER refuse BEFORE DELETE ON ZHERO BEGIN SELECT RAISE(ABORT, 'refused'); END
        """, store)
      try await page.act("Delete", on: "Arrow")
      try await page.waitForText("“Arrow” could not be deleted", in: "dialog h3")
      try await page.answer([], "OK")
      try await page.waitForNoAlert()
      try await page.waitForSections(Self.byName)
    }
  }

  @Test func aListThatCannotBeLoadedIsTold() async throws {
    try await withThree { page, _, store in
      try SQLiteShell.change("ALTER TABLE ZHERO RENAME TO GONE", store)
      try await page.chooseTab("By identity")
      try await page.waitForText("Heroes could not be loaded", in: "dialog h3")
      try await page.answer([], "OK")
      try await page.waitForNoAlert()
    }
  }

  // MARK: Two windows

  @Test func aSaveInOneWindowAppearsInTheOther() async throws {
    try await withThree { page, _, _ in
      let first = try await page.openSecondWindow()
      try await add("Bee", on: page)
      try await page.waitForSections([Self.byName[0], "B: Bee ", Self.byName[1]])
      try await page.act("Delete", on: "Wolf")
      try await page.browser.switchTo(first)
      try await page.waitForSections([Self.byName[0], "B: Bee "])
    }
  }
}
