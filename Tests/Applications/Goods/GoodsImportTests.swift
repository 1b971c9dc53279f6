import BrowserDriver
import Foundation
import Testing

/// Rows that come from a background context while a list is open.
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct GoodsImportTests {
  /// The name and the place on screen of the first row below the bar.
  private static let topRow = """
    (() => {
      const covered = document.querySelector('.bar').offsetHeight + 39;
      const row = [...document.querySelectorAll('.row')]
        .find((e) => e.getBoundingClientRect().top >= covered);
      return [row.innerText.split('\\n')[0], String(Math.round(row.getBoundingClientRect().top))];
    })()
    """

  @Test(arguments: [
    ("0", "is too small: at least 1."), ("-5", "is too small: at least 1."),
    ("100001", "is too large: at most 100,000."),
  ])
  func aNumberOfRowsBeyondABoundIsToldWithTheBound(number: String, words: String) async throws {
    try await withSections("goods") { page, _, _ in
      try await page.press("Import…")
      try await page.answer([("Rows", number)], "Import")
      try await page.waitForText("“\(number)” \(words)", in: ".modal .footnote")
    }
  }

  @Test func tenThousandRowsAppearInPlaceAndTheScrollPositionHolds() async throws {
    try await withSections("goods", ["--seed", "2000"]) { page, application, store in
      try await page.waitForTotal(2000)
      let browser = page.browser
      try await browser.script("scrollTo(0, document.body.scrollHeight / 2)")
      try await browser.wait(until: "!!document.querySelector('.row') && \(Self.isSettled)")
      let before = try await browser.script("return \(Self.topRow)").strings
      try await page.press("Import…")
      try await page.answer([("Rows", "10000")], "Import")
      try await page.waitForTotal(12_000)
      try await page.waitForText("10000 rows imported", in: ".toast")
      // Rows at the edges of what is seen may be on their way.
      let top = JavaScript.literal(before.joined(separator: "|"))
      try await browser.wait(until: "\(Self.topRow).join('|') === \(top)")
      // In place: what is seen is in the order of a dictionary.
      let seen = try await browser.script(
        """
        const rows = [...document.querySelectorAll('.row')];
        return [rows[0].ariaPosInSet, ...rows.map((e) => e.querySelector('.title').textContent)];
        """
      ).strings
      let titles = Array(seen.dropFirst())
      let first = (Int(seen.first ?? "") ?? 1) - 1
      #expect(try rows(titles.count, from: first, store) == titles)
      #expect(try await browser.consoleMessages() == [])
      // A batch update that is refused would have ended the application, with the reason.
      #expect(try application.complaints == "")
      #expect(application.terminate() == 0)
    }
  }

  /// The rows of what is seen have come.
  private static let isSettled = """
    [...document.querySelectorAll('.row')].some((e) => {
      const { top, bottom } = e.getBoundingClientRect();
      return top < innerHeight / 2 && bottom > innerHeight / 2 - 60;
    })
    """

  private func rows(_ count: Int, from first: Int, _ store: URL) throws -> [String] {
    let all = try SQLiteShell.query("SELECT ZCATEGORY || char(9) || ZNAME FROM ZGOODS", store)
    let sorted = all.map { $0.split(separator: "\t").map(String.init) }.sorted { one, other in
      let categories = one[0].localizedStandardCompare(other[0])
      if categories != .orderedSame { return categories == .orderedAscending }
      return one[1].localizedStandardCompare(other[1]) == .orderedAscending
    }
    return sorted.dropFirst(first).prefix(count).map { $0[1] }
  }
}
