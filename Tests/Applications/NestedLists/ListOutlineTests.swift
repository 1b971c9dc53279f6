import BrowserDriver
import Foundation
import Testing

/// All that is in a list as a tree, whose branches are fetched when they are opened.
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct ListOutlineTests {
  private static let rows = """
    [...document.querySelectorAll('.row')].map((e) =>
      e.ariaLevel + ({ true: '-', false: '+' }[e.ariaExpanded] ?? '*')
      + e.querySelector('.title').textContent).join()
    """

  private func add(_ titles: [String], to page: SectionsPage) async throws {
    for title in titles {
      try await page.browser.type("\(title)\n", into: "input[data-clears]")
      try await page.browser.wait(until: "document.body.innerText.includes('\(title)')")
    }
  }

  private func waitForHeading(_ title: String, _ page: SectionsPage) async throws {
    try await page.browser.wait(until: "document.querySelector('h1').textContent === '\(title)'")
  }

  @Test func branchesAreOpenedFollowChangesAndLeadToTheirLists() async throws {
    try await withSections("nested-lists") { page, _, _ in
      try await add(["House", "Garden"], to: page)
      try await page.choose("House")
      try await waitForHeading("House", page)
      try await add(["Lamp", "Chair"], to: page)
      try await page.browser.click(".bar .back")
      try await waitForHeading("Lists", page)
      try await page.press("Outline")
      try await page.browser.wait(until: "\(Self.rows) === '1+House,1*Garden'")
      try await page.browser.click(".row .disclosure")
      try await page.browser.wait(until: "\(Self.rows) === '1-House,2*Lamp,2*Chair,1*Garden'")
      // A row leads to its list; what is added there is in the tree, which has stayed open.
      try await page.choose("Lamp")
      try await waitForHeading("Lamp", page)
      try await add(["Bulb"], to: page)
      try await page.browser.script("history.back()")
      try await waitForHeading("Outline", page)
      try await page.browser.wait(until: "\(Self.rows) === '1-House,2+Lamp,2*Chair,1*Garden'")
      try await page.browser.press("z", .control)
      try await page.browser.wait(until: "\(Self.rows) === '1-House,2*Lamp,2*Chair,1*Garden'")
      // The outline is a place of its own.
      try await page.browser.reload()
      try await waitForHeading("Outline", page)
      let path = try await page.browser.script("return location.pathname")
      #expect(path.string?.hasSuffix("/at/outline") == true)
      #expect(try await page.browser.consoleMessages() == [])
    }
  }
}
