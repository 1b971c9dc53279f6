import BrowserDriver
import Testing

/// Fingers.
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct TouchTests {
  @Test func aFullSwipeDoesTheFirstActionInLists() async throws {
    try await withLists("Milk", "Bread") { page in
      try await page.browser.swipe(".row:nth-child(1) .texts", across: 0.95)
      try await page.waitForTitles("Bread")
      try await page.waitForToast("“Milk” deleted")
      #expect(try await page.browser.texts(".modal, dialog") == [])
    }
  }

  @Test func aFullSwipeDoesTheFirstActionInGoods() async throws {
    try await withSections("goods", ["--seed", "2"]) { page, _, _ in
      try await page.browser.swipe(".row", across: 0.85)
      try await page.waitForSections(["Dairy: Butter 10"])
      #expect(try await page.browser.texts("dialog") == [])
    }
  }

  @Test func aShortSwipeShowsTheActionsWithTheFirstAtTheEdge() async throws {
    try await withSections("goods", ["--seed", "2"]) { page, _, _ in
      try await page.browser.swipe(".row", across: 0.3)
      try await page.browser.wait(until: "document.querySelector('.row.swiped')")
      let shown = try await page.browser.script(
        """
        return [...document.querySelectorAll('.row.swiped .action')]
          .sort((a, b) => b.getBoundingClientRect().left - a.getBoundingClientRect().left)
          .map((e) => e.textContent)
        """)
      #expect(shown.strings == ["Delete", "Category…"])
    }
  }

  /// Waits until a pulled row shows these actions and no others, which reach over a part of the list from its edge.
  private func waitForPulled(_ actions: String, over part: Double, _ browser: Browser) async throws
  {
    try await browser.wait(
      until: """
        (() => {
          const row = document.querySelector('.row.pulled')
          if (!row) return false
          const list = row.closest('ul').getBoundingClientRect()
          const actions = [...row.querySelectorAll('.action')].filter((e) => e.offsetWidth > 1)
          const left = Math.min(...actions.map((e) => e.getBoundingClientRect().left))
          const part = Math.round((list.right - left) / list.width * 10) / 10
          return actions.map((e) => e.textContent).join(' ') === '\(actions)' && part === \(part)
        })()
        """)
  }

  @Test func whatLiesUnderARowGrowsWithTheFinger() async throws {
    try await withLists("Milk", "Bread") { page in
      let browser = page.browser
      try await browser.pull(".row:nth-child(1)", across: 0.5)
      try await waitForPulled("Move… Delete", over: 0.5, browser)
      try await browser.liftFinger()
      try await browser.wait(until: "document.querySelector('.row.swiped')")
      // A press elsewhere only hides them.
      try await browser.click(.init(".row .title", containing: "Bread"))
      try await browser.wait(until: "!document.querySelector('.row.swiped, .row.pulled')")
      try await page.waitForTitles("Milk", "Bread")
      try await page.waitForHeading("Lists")
    }
  }

  @Test func aPullOverMostOfARowSaysThatLettingGoDeletes() async throws {
    try await withLists("Milk", "Bread") { page in
      let browser = page.browser
      try await browser.pull(".row:nth-child(1)", across: 0.8)
      try await waitForPulled("Delete", over: 0.8, browser)
      try await browser.liftFinger()
      try await page.waitForTitles("Bread")
    }
  }

  /// A tap gives a row the focus, and brings nothing under the finger that the next tap would press.
  @Test(arguments: ["goods", "heroes", "todomvc", "employees", "books", "nested-lists"])
  func aTapOnARowShowsNoActions(application: String) async throws {
    try await withSections(application, ["--seed", "3"]) { page, _, _ in
      let browser = page.browser
      try await browser.script(
        """
        globalThis.shown = []
        document.addEventListener('focusin', () => setTimeout(() => {
          for (const one of document.querySelectorAll('.row .action')) {
            if (one.getClientRects().length) shown.push(one.textContent)
          }
        }))
        """)
      try await Gesture(.finger, on: ".row .title", in: browser).end()
      try await browser.script("document.querySelector('.row')?.focus()")
      try await browser.wait(until: "document.body.matches('.by-touch')")
      #expect(try await browser.script("return shown").strings == [])
    }
  }

  @Test func theMouseAndTheKeysShowActions() async throws {
    try await withSections("goods", ["--seed", "3"]) { page, _, _ in
      let browser = page.browser
      let isShown = "document.querySelector('.row .action').getClientRects().length > 0"
      try await browser.hover(".row .title")
      try await browser.wait(until: isShown)
      try await browser.hover("h1")
      try await browser.wait(until: "!(\(isShown))")
      try await Gesture(.finger, on: "h1", in: browser).end()
      try await browser.script("document.querySelector('.row').focus()")
      try await browser.wait(until: "document.body.matches('.by-touch')")
      try await browser.press(.down)
      try await browser.press(.up)
      try await browser.wait(until: isShown)
    }
  }

  @Test func aFingerAlongTheLettersScrollsFromSectionToSection() async throws {
    try await withSections("goods", ["--seed", "60"]) { page, _, _ in
      let browser = page.browser
      try await browser.resize(width: 390, height: 844)
      try await browser.wait(until: "document.querySelectorAll('.index button').length > 3")
      var gesture = try await Gesture(.finger, on: ".index button", in: browser)
      try await gesture.move(y: 72, steps: 6)
      try await browser.wait(until: "scrollY > 300")
      try await gesture.end()
    }
  }

  @Test func aPullThatIsTooShortSpringsBack() async throws {
    try await withLists("Milk") { page in
      try await page.browser.swipe(".row", across: 0.03)
      try await page.browser.wait(until: "!document.querySelector('.row.swiped, .row.pulled')")
      try await page.waitForHeading("Lists")
    }
  }

  @Test func aLongPressRenames() async throws {
    try await withLists("Milk") { page in
      try await page.browser.pressLong(
        ".row .title", until: "document.activeElement.matches('.row.editing input')")
      try await page.browser.type("Oat milk\n", into: ".row.editing input")
      try await page.waitForHeading("Lists")
    }
  }
}
