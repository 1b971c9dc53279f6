import BrowserDriver
import Testing

/// Readers who have set a larger text, and those who print.
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct LargeTextTests {
  @Test(arguments: ["heroes", "goods", "nested-lists"])
  func everythingGrowsAndNothingIsCut(application: String) async throws {
    try await withSections(application, ["--seed", "12"]) { page, _, _ in
      let browser = page.browser
      try await narrow(browser, width: 390)
      let sizes = """
        return ['.title', '.count', '.detail', 'h2', '.index button'].flatMap((css) => {
          const one = [...document.querySelectorAll(css)].find((e) => e.getClientRects().length)
          return one ? [getComputedStyle(one).fontSize] : []
        })
        """
      func pixels() async throws -> [Double] {
        try await browser.script(sizes).strings.compactMap { Double($0.dropLast(2)) }
      }
      let before = try await pixels()
      try await browser.script("document.documentElement.style.fontSize = '200%'")
      #expect(try await pixels() == before.map { 2 * $0 })
      let cut = try await browser.script(
        """
        return [...document.querySelectorAll('.title, .detail, .count, h1, h2, .bar button')]
          .filter((e) => e.getClientRects().length && e.scrollHeight > e.clientHeight + 4)
          .map((e) => e.textContent)
        """)
      #expect(cut.strings == [])
      #expect(try await beyond(browser) == [])
      try await widen(browser)
    }
  }

  /// Makes the page as narrow as a telephone's: a window of the browser may have a least width.
  private func narrow(_ browser: Browser, width: Int) async throws {
    try await browser.developerCommand(
      "Emulation.setDeviceMetricsOverride",
      ["width": .number(Double(width)), "height": 844, "deviceScaleFactor": 1, "mobile": false])
    try await browser.wait(until: "innerWidth === \(width)")
  }

  private func widen(_ browser: Browser) async throws {
    try await browser.developerCommand("Emulation.clearDeviceMetricsOverride")
  }

  /// What reaches beyond the window, but for shelves, which scroll.
  private func beyond(_ browser: Browser) async throws -> [String] {
    try await browser.script(
      """
      return [...document.querySelectorAll('body *')]
        .filter((e) => e.getClientRects().length && !e.closest('.sideways')
          && e.getBoundingClientRect().right > innerWidth + 1)
        .map((e) => `${e.tagName}.${e.className} ${Math.round(e.getBoundingClientRect().right)} of ${innerWidth}`)
      """
    ).strings
  }

  @Test(
    arguments: ["heroes", "goods", "nested-lists", "books", "employees"],
    [280, 320, 390])
  func listsFitIntoANarrowWindow(application: String, width: Int) async throws {
    try await withSections(application, ["--seed", "12"]) { page, _, _ in
      let browser = page.browser
      try await narrow(browser, width: width)
      try await browser.script("document.documentElement.style.fontSize = '200%'")
      #expect(try await beyond(browser) == [])
      try await widen(browser)
    }
  }

  @Test func rowsWithASecondLineAreHigher() async throws {
    for (application, height) in [("heroes", "60"), ("goods", "48")] {
      try await withSections(application, ["--seed", "12"]) { page, _, _ in
        let shown = try await page.browser.script(
          "return String(document.querySelector('.row').offsetHeight)")
        #expect(shown.string == height)
      }
    }
  }

  @Test func paperHasRowsAndNothingToPress() async throws {
    try await withSections("books", ["--seed", "12"]) { page, _, _ in
      let browser = page.browser
      try await browser.developerCommand("Emulation.setEmulatedMedia", ["media": "print"])
      let shown = try await browser.script(
        """
        return ['.bar', '.index', '.chevron', '.actions', '.row .title'].filter((css) =>
          [...document.querySelectorAll(css)].some((e) => e.getClientRects().length))
        """)
      try await browser.developerCommand("Emulation.setEmulatedMedia", ["media": ""])
      #expect(shown.strings == [".row .title"])
    }
  }

  /// A page holds the rows around what is shown: paper says how many more there are.
  @Test func paperSaysWhatIsNotOnIt() async throws {
    try await withSections("heroes", ["--seed", "400"]) { page, _, _ in
      let browser = page.browser
      try await page.waitForTotal(400)
      try await browser.developerCommand("Emulation.setEmulatedMedia", ["media": "print"])
      try await browser.wait(
        until: """
          (() => {
            const rows = document.querySelectorAll('.row').length;
            const said = [...document.querySelectorAll('.space')].map((space) => getComputedStyle(space, '::after').content);
            return rows < 400 && said.includes(`"${400 - rows} more"`);
          })()
          """)
      try await browser.developerCommand("Emulation.setEmulatedMedia", ["media": ""])
    }
  }

  /// The sheet is what the reader looks at: its rows with what was typed, and not the list below it.
  @Test func anOpenSheetIsPrintedInsteadOfTheList() async throws {
    try await withSections("heroes", ["--seed", "12"]) { page, _, _ in
      let browser = page.browser
      try await page.press("Add…")
      try await page.enter("Ant", label: "Name")
      try await browser.developerCommand("Emulation.setEmulatedMedia", ["media": "print"])
      let shown = try await browser.script(
        """
        const sheet = document.querySelector('.modal .screen');
        return [
          ...['.bar', '.row button', '.segments', '.modal .row', '.modal input', '.screen:not(.modal *) .row'].filter((css) =>
            [...document.querySelectorAll(css)].some((e) => e.getClientRects().length)),
          getComputedStyle(sheet).overflowY, getComputedStyle(sheet.closest('.modal')).position]
        """)
      try await browser.developerCommand("Emulation.setEmulatedMedia", ["media": ""])
      #expect(
        shown.strings == [".segments", ".modal .row", ".modal input", "visible", "static"])
    }
  }
}
