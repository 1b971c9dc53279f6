import BrowserDriver
import TestSupport
import Testing

/// Clicks on rows.
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct RowClickTests {
  @Test func aClickOnATitleOpensAtOnce() async throws {
    try await withLists("Milk") { page in
      // Without any timer: nothing waits for a second one.
      try await page.browser.script(
        """
        const real = window.setTimeout;
        window.setTimeout = () => 0;
        const title = document.querySelector('.row .title');
        title.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1 }));
        window.restoreTimers = () => { window.setTimeout = real; };
        """)
      let heading = "document.querySelector('h1').textContent === 'Milk'"
      try await Patience.waiting(for: "the list of the row") {
        try await page.browser.script("return \(heading)") == true
      }
      try await page.browser.script("window.restoreTimers()")
    }
  }

  @Test func aDoubleClickOpensOnceAndSaysNothingUntrue() async throws {
    try await withLists("Groceries") { page in
      try await page.enter("Groceries")
      try await page.add("Milk")
      try await page.back(to: "Lists")
      // So that the second click comes before the answer to the first.
      try await page.browser.delayAnswers(milliseconds: Int(150 * Patience.stretch))
      try await page.browser.doubleClick(".row .chevron")
      try await page.waitForHeading("Groceries")
      try await page.add("Bread")
      #expect(try await page.browser.texts(".toast") == [])
      #expect(try await page.browser.texts("h1") == ["Groceries"])
    }
  }

  @Test func eachOfTwoQuickClicksCounts() async throws {
    try await withSections("goods", ["--seed", "1"]) { page, _, _ in
      try await page.waitForSections(["Bakery: Baguette 3"])
      try await page.browser.doubleClick(".row .title")
      try await page.waitForSections(["Bakery: Baguette 5"])
    }
  }

  /// Answers may draw what is clicked anew at any moment of two clicks.
  @Test(arguments: Sample.of(Redrawing.allCases, [0, 1, 2, 3, 4]))
  func clicksCountWhileTheirRowIsDrawnAnew(_ redrawing: Redrawing, _ moment: Int) async throws {
    try await withSections("goods", ["--seed", "1"]) { page, _, _ in
      try await page.waitForSections(["Bakery: Baguette 3"])
      try await page.browser.hover(".row .title")
      for step in 0..<4 {
        if step == moment { try await redraw(redrawing, page) }
        if step % 2 == 0 {
          try await page.browser.pressDown()
        } else {
          try await page.browser.letGo()
        }
      }
      if moment == 4 { try await redraw(redrawing, page) }
      try await page.browser.wait(until: "!document.querySelector('.row').isOld")
      try await page.waitForSections(["Bakery: Baguette 5"])
    }
  }

  enum Redrawing: String, CaseIterable {
    case row = "{ op: 'row', id, row: row.dataset.row, html: row.outerHTML }"
    case rows = """
      { op: 'rows', id, first: 0, removed: [], moved: [], inserted: [],
        reloaded: [{ row: row.dataset.row, html: row.outerHTML }] }
      """
    case table = "{ op: 'table', id, html: list.outerHTML }"
  }

  /// As by a message of the server that comes now.
  private func redraw(_ redrawing: Redrawing, _ page: SectionsPage) async throws {
    try await page.browser.script(
      """
      const { applyPatch } = pageModules['patch.js'];
      const { tableOf } = pageModules['tables.js'];
      const row = document.querySelector('.row');
      const list = row.closest('[data-table]').cloneNode(true);
      const { state, first } = tableOf(row);
      list.dataset.state = JSON.stringify({ ...state, first });
      row.isOld = true;
      const id = list.dataset.table;
      applyPatch([\(redrawing.rawValue)]);
      """)
  }

  @Test func aButtonOfTheBarCountsWhileTheBarIsDrawnAnew() async throws {
    try await withSections("goods", ["--seed", "1"]) { page, _, _ in
      try await page.waitForSections(["Bakery: Baguette 3"])
      try await page.browser.hold(Selector(".bar button", containing: "Add"))
      try await page.browser.script(
        """
        const { applyPatch } = pageModules['patch.js'];
        const bar = document.querySelector('.bar');
        bar.isOld = true;
        applyPatch([{ op: 'bar', id: bar.closest('[data-screen]').dataset.screen, html: bar.outerHTML }]);
        """)
      try await page.browser.letGo()
      try await page.browser.wait(until: "!document.querySelector('.bar').isOld")
      _ = try await page.browser.find(".modal")
    }
  }
}
