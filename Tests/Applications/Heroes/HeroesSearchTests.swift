import BrowserDriver
import Foundation
import Testing

/// The search field over the heroes, in a real browser.
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct HeroesSearchTests {
  private static let field = Selector("input[type=search]")
  private static let value = "document.querySelector('input[type=search]').value"

  @Test func aSearchNarrowsAsOneTypesInBothNames() async throws {
    try await withSections("heroes", ["--seed", "3000"]) { page, _, store in
      try await page.browser.type("w", into: Self.field)
      try await page.waitForTotal(try count("w", store))
      try await page.browser.type("olf", into: Self.field)
      try await page.waitForTotal(try count("wolf", store))
      // Of the other name, whatever the case and the accents.
      try await page.browser.script("document.querySelector('input[type=search]').select()")
      try await page.browser.type("EMILE v", into: Self.field)
      try await page.waitForRowsContaining("Émile Varga", in: ".detail")
      try await page.browser.wait(until: "\(Self.value) === 'EMILE v'")
      #expect(try await page.browser.consoleMessages() == [])
    }
  }

  private func count(_ text: String, _ store: URL) throws -> Int {
    let sql = """
      SELECT COUNT(*) FROM ZHERO WHERE ZNAME LIKE '%\(text)%' OR ZSECRETIDENTITY LIKE '%\(text)%'
      """
    return Int(try SQLiteShell.query(sql, store).first ?? "") ?? -1
  }

  @Test func cancelShowsAllAgain() async throws {
    try await withSections("heroes", ["--seed", "200"]) { page, _, _ in
      try await page.browser.type("lynx", into: Self.field)
      try await page.browser.wait(until: "document.querySelector('.row').ariaSetSize < 20")
      try await page.browser.click(".search .cancel")
      try await page.waitForTotal(200)
      #expect(try await page.browser.script("return \(Self.value)").string == "")
      try await page.browser.type("lynx", into: Self.field)
      try await page.browser.wait(until: "document.querySelector('.row').ariaSetSize < 20")
      try await page.browser.press(.escape)
      try await page.waitForTotal(200)
    }
  }

  @Test func aSearchWithoutAnAnswerSaysSo() async throws {
    try await withSections("heroes", ["--seed", "100"]) { page, _, _ in
      try await page.browser.type("nobody’s <b>", into: Self.field)
      try await page.waitForText("No hero is called “nobody’s <b>”", in: ".empty")
      try await page.browser.wait(until: "document.querySelectorAll('.row').length === 0")
    }
  }

  @Test func whatIsTypedQuicklyIsFoundInTheEndAndNeverOverwritten() async throws {
    try await withSections("heroes", ["--seed", "20000"]) { page, _, store in
      let text = "Obsidian Panther 1"
      try await page.browser.type("x", into: Self.field)
      try await page.browser.press(.backspace)
      // Every value that the field has had must be a beginning of the text.
      try await page.browser.script(
        """
        const field = document.querySelector('input[type=search]');
        window.seen = new Set();
        const note = () => { window.seen.add(field.value); requestAnimationFrame(note); };
        note();
        """)
      try await page.browser.type(text)
      try await page.waitForTotal(try count(text, store))
      let seen = try await page.browser.script("return [...window.seen]").strings
      #expect(seen.allSatisfy(text.hasPrefix), "\(seen)")
      try await page.browser.wait(until: "\(Self.value) === '\(text)'")
    }
  }

  @Test func whatIsFoundIsKeptCurrent() async throws {
    try await withSections("heroes", ["--seed", "100"]) { page, _, _ in
      try await page.browser.type("amber b", into: Self.field)
      try await page.browser.wait(until: "document.querySelectorAll('.row').length === 1")
      try await page.choose("Amber Badger")
      try await page.answer([("Name", "Brown Badger"), ("Secret identity", "")], "Save")
      try await page.browser.wait(until: "document.querySelectorAll('.row').length === 0")
    }
  }

  @Test func eachTabHasASearchOfItsOwn() async throws {
    try await withSections("heroes", ["--seed", "300"]) { page, _, _ in
      try await page.browser.type("raven", into: Self.field)
      try await page.browser.wait(until: "document.querySelector('.row').ariaSetSize < 40")
      try await page.chooseTab("By identity")
      try await page.waitForTotal(300)
      try await page.chooseTab("By name")
      try await page.browser.wait(until: "document.querySelector('.row').ariaSetSize < 40")
      #expect(try await page.browser.script("return \(Self.value)").string == "raven")
    }
  }
}
