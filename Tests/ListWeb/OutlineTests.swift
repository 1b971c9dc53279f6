import BrowserDriver
import Foundation
import ListKit
import ListSamples
import Testing

@testable import ListWeb

/// Rows under one another in a real browser: opened and closed by click and by the arrows.
@MainActor
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct OutlineTests {
  private static let rows = """
    [...document.querySelectorAll('.row')].map((e) =>
      e.ariaLevel + ({ true: '-', false: '+' }[e.ariaExpanded] ?? '*')
      + e.querySelector('.title').textContent).join()
    """

  private func withTree(_ body: (Browser, TreeController) async throws -> Void) async throws {
    let screen = TreeController()
    try await withScreen(screen) { browser in
      try await browser.preferReducedMotion()
      try await body(browser, screen)
    }
  }

  @Test func theSignOpensAndClosesAndTheRowIsChosen() async throws {
    try await withTree { browser, screen in
      try await browser.wait(until: "\(Self.rows) === '1+Fruit,1+Herbs,1*Salt'")
      try await browser.click(".row .disclosure")
      try await browser.wait(
        until: "\(Self.rows) === '1-Fruit,2+Apple,2*Pear,1+Herbs,1*Salt'")
      let state = try await browser.script(
        """
        const [fruit, apple] = document.querySelectorAll('.row');
        const lefts = [fruit, apple].map((e) => e.querySelector('.title').getBoundingClientRect().left);
        return [fruit.role, fruit.parentElement.role, fruit.querySelector('.disclosure').ariaLabel,
          String(lefts[1] - lefts[0])];
        """)
      #expect(state.strings == ["treeitem", "tree", "Close Fruit", "22"])
      try await browser.click(".row:nth-child(2) .title")
      try await browser.wait(until: "document.querySelector('[aria-current]')")
      try await wait(for: { screen.chosen == ["Apple"] }, "the choice")
      try await browser.click(".row .disclosure")
      try await browser.wait(until: "\(Self.rows) === '1+Fruit,1+Herbs,1*Salt'")
    }
  }

  /// What a screen reader hears is the state of the row: nothing is added or deleted.
  @Test func openingAndClosingIsNotSaidToAddOrDelete() async throws {
    try await withTree { browser, _ in
      try await browser.wait(until: "\(Self.rows) === '1+Fruit,1+Herbs,1*Salt'")
      for rows in ["1-Fruit,2+Apple,2*Pear,1+Herbs,1*Salt", "1+Fruit,1+Herbs,1*Salt"] {
        try await browser.click(".row .disclosure")
        try await browser.wait(until: "\(Self.rows) === '\(rows)'")
        let said = try await browser.script("return document.getElementById('status').textContent")
        #expect(said.string?.contains(/added|deleted/) == false)
      }
    }
  }

  @Test func theArrowsOpenEnterLeaveAndClose() async throws {
    try await withTree { browser, _ in
      let focused = "document.activeElement.querySelector?.('.title')?.textContent"
      try await browser.script("document.querySelector('.row').focus()")
      try await browser.press(.right)
      try await browser.wait(
        until: "\(Self.rows) === '1-Fruit,2+Apple,2*Pear,1+Herbs,1*Salt'")
      try await browser.wait(until: "\(focused) === 'Fruit'")
      try await browser.press(.right)
      try await browser.wait(until: "\(focused) === 'Apple'")
      try await browser.press(.right)
      try await browser.wait(
        until: "\(Self.rows) === '1-Fruit,2-Apple,3*Cox,2*Pear,1+Herbs,1*Salt'")
      try await browser.press(.right)
      try await browser.wait(until: "\(focused) === 'Cox'")
      try await browser.press(.right)
      try await browser.press(.left)
      try await browser.wait(until: "\(focused) === 'Apple'")
      try await browser.press(.left)
      try await browser.wait(
        until: "\(Self.rows) === '1-Fruit,2+Apple,2*Pear,1+Herbs,1*Salt'")
      try await browser.press(.left)
      try await browser.wait(until: "\(focused) === 'Fruit'")
      try await browser.press(.left)
      try await browser.wait(until: "\(Self.rows) === '1+Fruit,1+Herbs,1*Salt'")
      try await browser.wait(until: "\(focused) === 'Fruit'")
    }
  }
}
