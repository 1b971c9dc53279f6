import BrowserDriver
import Foundation
import Testing

/// What is wrong is told on the page.
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct BadInputOnThePageTests {
  @Test func markupInATitleIsText() async throws {
    let title = "<img src=x onerror='document.title=1'><script>window.ran = true</script>&amp;"
    try await withLists { page in
      try await page.add(title)
      try await page.enter(title)
      try await page.add("</li><b>bold")
      try await page.reload()
      try await page.waitForHeading(title)
      try await page.waitForTitles("</li><b>bold")
      try await page.back(to: "Lists")
      try await page.waitForTitles(title)
      try await page.rename(title, to: "\(title)'\"")
      let traces = try await page.browser.script(
        "return String(window.ran) + document.querySelectorAll('.row img, .row b, h1 *').length")
      #expect(traces.string == "undefined0")
      #expect(try await page.browser.script("return document.title").string == "Lists")
      let messages = try await page.browser.consoleMessages()
      #expect(messages == [])
    }
  }

  @Test func aTitleOfAMegabyteIsToldAndTheRestGoesOn() async throws {
    try await withLists("Milk") { page in
      try await page.browser.script(
        "document.querySelector('input[data-field]').value = 'x'.repeat(1 << 20)")
      try await page.browser.script("document.querySelector('input[data-field]').focus()")
      try await page.browser.press(.enter)
      try await page.waitForToast("at most 1024 KB")
      // What was typed is still there to be shortened.
      try await page.browser.wait(
        until: "document.querySelector('input[data-field]').value.length === 1 << 20")
      try await page.browser.script("document.querySelector('input[data-field]').value = 'Bread'")
      try await page.browser.press(.enter)
      try await page.waitForTitles("Milk", "Bread")
    }
  }

  @Test func aRowThatIsGoneIsToldWithWhatWasTyped() async throws {
    try await withLists("Milk", "Bread") { page in
      try await page.edit("Milk")
      // An event that was on its way when the row went.
      try await page.browser.script(
        """
        const element = document.querySelector('.row');
        // Named before the row goes, as by who has not heard of it yet.
        const row = { id: element.closest('[data-table]').dataset.table, row: element.dataset.row };
        const send = (event) => fetch(`/w/${document.body.dataset.window}/events`, {
          method: 'POST', headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ ...row, ...event }),
        });
        send({ type: 'action' }).then(() => send({ type: 'edit', text: 'Oat milk' }));
        """)
      try await page.waitForToast("That row was deleted or is no longer shown.")
      try await page.waitForToast("You typed: Oat milk")
      try await page.waitForTitles("Bread")
    }
  }
}
