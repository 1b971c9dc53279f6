import BrowserDriver
import Foundation
import Testing

/// Lists without rows say what they are for and lead on.
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct EmptyListTests {
  private static let acts = [
    ("heroes", "Add a hero", "!!document.querySelector('.modal input[aria-label=Name]')"),
    ("goods", "Add goods", "!!document.querySelector('.modal input[aria-label=Number]')"),
    ("employees", "Add employees", "document.querySelectorAll('.row').length === 20"),
    ("nested-lists", "Type the first item", "document.activeElement.ariaLabel === 'New item'"),
    ("swiftdata-lists", "Type the first item", "document.activeElement.ariaLabel === 'New item'"),
  ]

  @Test(arguments: acts) func anEmptyListOffersItsFirstActInTheMiddle(
    _ name: String, _ act: String, _ outcome: String
  ) async throws {
    try await withSections(name) { page, _, _ in
      for (width, height) in [(1000, 800), (500, 800)] {
        try await page.browser.resize(width: width, height: height)
        try await page.waitForText(act, in: ".empty:not([hidden]) button")
        let place = try await page.browser.script(
          """
          const all = [...document.querySelectorAll('.empty .label, .empty button')]
            .map((e) => e.getBoundingClientRect());
          const middle = (Math.min(...all.map((r) => r.top)) + Math.max(...all.map((r) => r.bottom))) / 2;
          return Math.abs(middle - innerHeight / 2) / innerHeight
          """)
        #expect((place.number ?? 1) < 0.15, "\(width)")
        #expect(
          try await page.browser.script(
            "return document.documentElement.scrollHeight <= innerHeight") == .bool(true))
        // No line of a row that is not there.
        let lines = try await page.browser.script(
          """
          return [...document.querySelectorAll('.sections, .sections *')]
            .filter((e) => e.offsetHeight > 0 && e.matches('ul, li, .space, h2')).length
          """)
        #expect(lines.number == 0)
      }
      try await page.browser.click(Selector(".empty button", containing: act))
      try await page.browser.wait(until: outcome)
    }
  }

  /// Books are copied from a store that has some.
  @Test func theLastBookThatGoesLeavesAnOffer() async throws {
    try await withSections("books", ["--seed", "1"]) { page, _, _ in
      try await page.deleteBook("The Quiet Harbour")
      try await page.browser.click(Selector(".empty button", containing: "Add a book"))
      try await page.waitForTitle("New Book")
    }
  }

  @Test func aSearchWithoutAMatchSaysHowToWidenIt() async throws {
    try await withSections("heroes", ["--seed", "5"]) { page, _, _ in
      try await page.browser.type("zzzz", into: "input[type=search]")
      try await page.waitForText("No hero is called “zzzz”", in: ".empty .heading")
      try await page.waitForText("fewer letters find more", in: ".empty .label")
      try await page.browser.click(Selector(".empty button", containing: "Show all heroes"))
      try await page.waitForTotal(5)
      try await page.browser.wait(
        until: "document.querySelector('input[type=search]').value === ''")
    }
  }

  @Test func aListThatCouldNotBeLoadedIsLoadedAgain() async throws {
    try await withSections("heroes", ["--seed", "5"]) { page, _, store in
      try SQLiteShell.change("ALTER TABLE ZHERO RENAME TO GONE", store)
      try await page.chooseTab("By identity")
      try await page.answer([], "OK")
      try await page.waitForNoAlert()
      try await page.waitForText("Heroes could not be loaded", in: ".empty .heading")
      try SQLiteShell.change("ALTER TABLE GONE RENAME TO ZHERO", store)
      try await page.browser.click(Selector(".empty button", containing: "Try Again"))
      try await page.waitForTotal(5)
    }
  }

  @Test func goodsSayThatAPressCountsAndWhereItEnds() async throws {
    try await withSections("goods") { page, _, _ in
      try await page.press("Add…")
      try await page.answer([("Name", "Butter"), ("Number", "2147483647")], "Add")
      try await page.waitForNoAlert()
      try await page.waitForText("⊕", in: ".row .picture")
      try await page.choose("Butter")
      try await page.waitForText("“Butter” has 2,147,483,647 already", in: ".toast span")
    }
  }
}
