import BrowserDriver
import Foundation
import Testing

@testable import ListWeb

/// The page in a real browser.
@MainActor
@Suite(
  .disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct BrowserTests {
  private func withBrowser(
    _ model: Titles, _ body: (Browser, RunningServer) async throws -> Void
  ) async throws {
    try await withServer(model) { server in
      let browser = try await Browser()
      do {
        try await browser.open(server.url)
        try await browser.wait(until: "document.body.dataset.connected === 'true'")
        try await body(browser, server)
      } catch {
        await browser.quit()
        throw error
      }
      let messages = try await browser.consoleMessages()
      #expect(messages == [])
      await browser.giveBack()
    }
  }

  private let titles = "[...document.querySelectorAll('.row .title')].map((e) => e.textContent)"

  private func waitForTitles(_ expected: [String], in browser: Browser) async throws {
    try await browser.wait(until: "\(titles).join('|') === '\(expected.joined(separator: "|"))'")
  }

  @Test func addingRenamingDeletingAndUndoing() async throws {
    let model = Titles(["Bread"])
    try await withBrowser(model) { browser, _ in
      try await browser.type("Milk\n", into: "input[data-field]")
      try await waitForTitles(["Bread", "Milk"], in: browser)
      try await browser.script("document.querySelector('.row').focus()")
      try await browser.press(.f2)
      try await browser.type("Rolls\n", into: ".row.editing input")
      try await browser.wait(until: "!document.querySelector('.editing')")
      try await wait(for: { model.titles == ["Rolls", "Milk"] }, "the new title")
      try await browser.press(.delete)
      try await waitForTitles(["Milk"], in: browser)
      try await browser.press("z", .control)
      try await waitForTitles(["Rolls", "Milk"], in: browser)
      try await browser.press("z", .control, .shift)
      try await waitForTitles(["Milk"], in: browser)
      try await browser.click(".bar .undo")
      try await waitForTitles(["Rolls", "Milk"], in: browser)
    }
  }

  @Test func escapeDiscardsARename() async throws {
    let model = Titles(["Bread"])
    try await withBrowser(model) { browser, _ in
      try await browser.script("document.querySelector('.row').focus()")
      try await browser.press(.f2)
      try await browser.type("Rolls")
      try await browser.press(.escape)
      try await browser.wait(until: "document.activeElement.matches('.row')")
      try await waitForTitles(["Bread"], in: browser)
      #expect(model.titles == ["Bread"])
    }
  }

  @Test func aClickOpensAndBackReturnsAlsoAfterAReload() async throws {
    try await withBrowser(Titles(["Bread", "Milk"])) { browser, _ in
      try await browser.click(".row:nth-child(2) .chevron")
      try await browser.wait(until: "document.querySelector('h1').textContent === 'Milk'")
      try await browser.reload()
      try await browser.wait(until: "document.querySelector('h1').textContent === 'Milk'")
      try await browser.click(".bar .back")
      try await waitForTitles(["Bread", "Milk"], in: browser)
    }
  }

  @Test func draggingByTheGripReorders() async throws {
    let model = Titles(["a", "b", "c"])
    try await withBrowser(model) { browser, _ in
      try await browser.drag(".row:nth-child(1) .grip", onto: ".row:nth-child(3)", down: 18)
      try await waitForTitles(["b", "c", "a"], in: browser)
      try await wait(for: { model.titles == ["b", "c", "a"] }, "the new order")
    }
  }

  @Test func aReplacedScreenKeepsWhatIsBeingTyped() async throws {
    try await withBrowser(Titles(["a"])) { browser, _ in
      try await browser.type("half a ti", into: "input[data-field]")
      // A page that missed messages gets the whole screen anew.
      try await browser.script("document.querySelector('h1').before('x')")
      try await browser.script("window.dispatchEvent(new Event('resynchronize'))")
      try await browser.wait(until: "!document.querySelector('main').textContent.startsWith('x')")
      let state = try await browser.script(
        "const f = document.activeElement; return [f.value, String(f.selectionStart)]")
      #expect(state.strings == ["half a ti", "9"])
    }
  }

  @Test func aSecondWindowHasItsOwnScreen() async throws {
    try await withBrowser(Titles(["Bread", "Milk"])) { browser, server in
      try await browser.click(".row:nth-child(1) .chevron")
      try await browser.wait(until: "document.querySelector('h1').textContent === 'Bread'")
      let first = try await browser.currentWindow()
      try await browser.newWindow()
      try await browser.open(server.url)
      try await waitForTitles(["Bread", "Milk"], in: browser)
      try await browser.closeWindow()
      try await browser.switchTo(first)
      #expect(try await browser.texts("h1") == ["Bread"])
    }
  }

  @Test func changesFromElsewhereAppearWithoutAReload() async throws {
    let model = Titles(["Bread"])
    try await withBrowser(model) { browser, _ in
      model.lists.first?.insert("Milk", at: 0)
      try await waitForTitles(["Milk", "Bread"], in: browser)
      try await browser.wait(
        until: "document.getElementById('status').textContent === '1 row added'")
    }
  }

  @Test func theRowAtTheTopStaysWhenRowsComeAboveIt() async throws {
    let model = Titles((0..<1000).map { "Row \($0)" })
    try await withBrowser(model) { browser, _ in
      try await browser.script("scrollTo(0, 20000)")
      try await browser.wait(until: "document.body.innerText.includes('Row 416')")
      let top = """
        [...document.querySelectorAll('.row')].find((e) => e.innerText.includes('Row 416'))
          ?.getBoundingClientRect().top
        """
      let before = try #require(try await browser.script("return \(top)").number)
      for _ in 0..<5 { model.lists.first?.insert("New", at: 0) }
      try await browser.wait(
        until: "document.querySelector('.row').ariaSetSize === '1005'")
      // Rows at the edges of what is seen may be on their way.
      try await browser.wait(until: "\(top) === \(before)")
    }
  }

  @Test func keysReachBothEndsOf100000Rows() async throws {
    try await withBrowser(Titles((0..<100_000).map { "Row \($0)" })) { browser, _ in
      try await browser.script("document.querySelector('.row').focus()")
      try await browser.press(.end)
      try await browser.wait(until: "document.activeElement.innerText.includes('Row 99999')")
      try await browser.press(.up)
      try await browser.wait(until: "document.activeElement.innerText.includes('Row 99998')")
      #expect(
        try await browser.script("return document.activeElement.ariaPosInSet").string == "99999")
      try await browser.press(.home)
      try await browser.wait(until: "document.activeElement.ariaPosInSet === '1'")
      let held = try await browser.script("return document.querySelectorAll('.row').length")
      #expect((held.number ?? 0) < 100)
    }
  }
}
