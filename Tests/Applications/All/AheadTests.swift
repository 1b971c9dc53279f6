import BrowserDriver
import TestSupport
import Testing

/// What is drawn before the answer, on a slow line.
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct AheadTests {
  private static let coming =
    "[...document.querySelectorAll('.coming .title')].map((one) => one.textContent).join()"

  private func slowDown(_ browser: Browser) async throws {
    try await browser.delayAnswers(milliseconds: Int(800 * Patience.stretch))
  }

  @Test(arguments: ["nested-lists", "todomvc"])
  func whatIsTypedStandsThereUntilItsRowHasCome(_ application: String) async throws {
    try await withSections(application) { page, _, _ in
      try await slowDown(page.browser)
      try await page.browser.script("document.querySelector('main input[data-field]').focus()")
      try await page.browser.type("one\ntwo\nthree\n")
      try await page.browser.wait(until: "\(Self.coming).endsWith('two,three')")
      #expect(try await page.browser.texts(".row .title").contains("three") == false)
      try await page.browser.wait(until: "document.querySelectorAll('.row').length === 3")
      try await page.browser.wait(until: "!document.querySelector('.coming, .coming-rows')")
    }
  }

  @Test func whatIsRefusedGoesBackIntoItsField() async throws {
    try await withSections("nested-lists") { page, _, _ in
      try await slowDown(page.browser)
      // More than a request may have.
      try await page.browser.script(
        """
        const field = document.querySelector('main input[data-field]');
        field.focus();
        field.value = 'x'.repeat(1100000);
        """)
      try await page.browser.press(.enter)
      try await page.browser.wait(until: "document.querySelector('.coming')")
      try await page.waitForText("too long", in: ".toast")
      try await page.browser.wait(
        until: """
          !document.querySelector('.coming')
            && document.querySelector('main input[data-field]').value.length === 1100000
          """)
    }
  }

  @Test func aRowThatIsToBeDeletedLooksSo() async throws {
    try await withSections("nested-lists", ["--seed", "3"]) { page, _, _ in
      try await slowDown(page.browser)
      // What follows waits for the answer to this.
      try await page.browser.script("document.querySelector('main input[data-field]').focus()")
      try await page.browser.type("one\n")
      try await page.browser.wait(until: "document.querySelectorAll('.row').length === 4")
      try await page.browser.script("document.querySelectorAll('.row')[1].focus()")
      try await page.browser.press(.delete)
      try await page.browser.wait(until: "document.querySelector('.row.going')")
      try await page.browser.wait(until: "document.querySelectorAll('.row').length === 3")
      try await page.browser.wait(until: "!document.querySelector('.row.on-its-way')")
    }
  }
}
