import BrowserDriver
import Testing

/// Clicks on rows.
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct RowClickTests {
  @Test func aClickOnATitleOpensAtOnce() async throws {
    try await withLists("Milk") { page in
      // Sent within the click: nothing waits for a second one.
      let sent = try await page.browser.script(
        """
        let events = [];
        const real = window.fetch;
        window.fetch = (...all) => { events.push(all[1]?.body ?? ''); return real(...all); };
        const title = document.querySelector('.row .title');
        title.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1 }));
        return new Promise((done) => setTimeout(() => done(events), 50));
        """)
      #expect(sent.strings.contains { $0.contains("\"select\"") })
      try await page.waitForHeading("Milk")
    }
  }

  @Test func aDoubleClickOpensOnceAndSaysNothingUntrue() async throws {
    try await withLists("Groceries") { page in
      try await page.enter("Groceries")
      try await page.add("Milk")
      try await page.back(to: "Lists")
      try await page.browser.delayAnswers(milliseconds: 150)
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
}
