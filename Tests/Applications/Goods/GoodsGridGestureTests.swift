import BrowserDriver
import Foundation
import Testing

/// A tile is deleted by each hand while another window edits.
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct GoodsGridGestureTests {
  enum Hand: CaseIterable { case mouse, finger, keyboard }
  enum Other: CaseIterable { case counts, deletesAnother, deletesTheSame }

  /// Without the keyboard where the tile with the focus goes: the focus goes on to the next.
  static let cases = Hand.allCases.flatMap { hand in Other.allCases.map { (hand, $0) } }
    .filter { $0 != (Hand.keyboard, Other.deletesTheSame) }

  @Test(arguments: ["Tiles", "Shelves"], GoodsGridGestureTests.cases)
  func theTileThatIsMeantIsDeleted(look: String, one: (Hand, Other)) async throws {
    let (hand, deed) = one
    try await withSections("goods", ["--seed", "8"]) { page, application, store in
      try await page.look(look)
      try await page.browser.wait(until: "document.querySelector('.grid .row')")
      let names = try await page.browser.texts(".row .title")
      let (another, mine) = (names[0], names[1])
      let other = try await PageClient(application.address)
      try await begin(hand, on: mine, page)
      switch deed {
      case .counts: try await other.choose(mine)
      case .deletesAnother: try await other.delete(another)
      case .deletesTheSame: try await other.delete(mine)
      }
      try await end(hand, page)
      let left = names.filter { $0 != mine && (deed != .deletesAnother || $0 != another) }.sorted()
      try await SQLiteShell.wait(for: left, "SELECT ZNAME FROM ZGOODS ORDER BY ZNAME", store)
      try await page.browser.wait(
        until: "document.querySelectorAll('.row').length === \(left.count)")
      try await page.waitForNoAlert()
      #expect(try await page.browser.consoleMessages() == [])
    }
  }

  private func begin(_ hand: Hand, on title: String, _ page: SectionsPage) async throws {
    let browser = page.browser
    let tile = Selector(".row .title", containing: title)
    switch hand {
    case .mouse:
      try await browser.hover(tile)
      try await browser.hold(Selector("button[aria-label='Delete \(title)']"))
    case .finger:
      try await browser.pressLong(
        tile, until: "document.querySelector('dialog.actions-of-row[open]')")
    case .keyboard:
      try await browser.script(
        """
        [...document.querySelectorAll('.row')]
          .find((e) => e.querySelector('.title').textContent === arguments[0]).focus()
        """, [.string(title)])
    }
  }

  private func end(_ hand: Hand, _ page: SectionsPage) async throws {
    switch hand {
    case .mouse: try await page.browser.letGo()
    case .finger:
      try await page.browser.click(Selector("dialog[open] button", containing: "Delete"))
    case .keyboard: try await page.browser.press(.backspace)
    }
  }
}
