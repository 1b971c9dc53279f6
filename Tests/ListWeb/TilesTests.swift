import BrowserDriver
import Foundation
import Testing

@testable import ListWeb

/// A collection in a real browser: a list and a grid on one page.
@MainActor
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct TilesTests {
  private static let titles =
    "[...document.querySelectorAll('.row .title')].map((e) => e.textContent).join()"

  private func withTiles(
    _ body: (Browser, TilesScreen) async throws -> Void
  ) async throws {
    let screen = TilesScreen([["Ant", "Bee"], ["Cat", "Dog", "Eel"]])
    try await withScreen(screen) { browser in
      try await browser.preferReducedMotion()
      try await body(browser, screen)
    }
  }

  private func box(_ index: Int, in browser: Browser) async throws -> [Double] {
    try await browser.script(
      """
      const b = document.querySelectorAll('.row')[\(index)].getBoundingClientRect();
      return [b.left, b.top, b.width, b.height].map(String);
      """
    ).strings.compactMap(Double.init)
  }

  @Test func columnsHaveTheirSharesAndLinesTheirHeight() async throws {
    try await withTiles { browser, screen in
      let (cat, dog, eel) = (
        try await box(2, in: browser), try await box(3, in: browser), try await box(4, in: browser)
      )
      #expect(abs(cat[2] / dog[2] - 3) < 0.02)
      #expect(cat[3] == 70 && cat[1] == dog[1] && dog[0] == cat[0] + cat[2] + 8)
      #expect(eel[1] == cat[1] + 78 && eel[0] == cat[0])
      screen.append("Fox")
      try await browser.wait(until: "\(Self.titles) === 'Ant,Bee,Cat,Dog,Eel,Fox'")
      let fox = try await box(5, in: browser)
      #expect(fox[1] == eel[1] && fox[0] == dog[0])
      let isGrid = try await browser.script(
        "return [...document.querySelectorAll('section:has(> ul)')].map((e) => String(e.matches('.grid')))"
      )
      #expect(isGrid.strings == ["false", "true"])
    }
  }

  @Test func aTileIsDraggedBesideAnother() async throws {
    try await withTiles { browser, screen in
      // The grip is there in edit mode alone.
      let grips = try await browser.texts(".grip")
      #expect(grips.isEmpty)
      try await browser.click(.init(".bar button", containing: "Edit"))
      try await browser.wait(until: "document.querySelectorAll('.grip').length === 5")
      try await browser.drag(
        ".row[aria-posinset='5'] .grip", onto: ".row[aria-posinset='4'] .title")
      try await browser.wait(until: "\(Self.titles) === 'Ant,Bee,Cat,Eel,Dog'")
      try await wait(
        for: { screen.sections == [["Ant", "Bee"], ["Cat", "Eel", "Dog"]] }, "the new order")
    }
  }

  @Test func aRowIsPulledToEitherSide() async throws {
    try await withTiles { browser, screen in
      try await browser.swipe(".row", across: -0.8)
      try await browser.wait(until: "!document.querySelector('.row.pulled')")
      try await browser.swipe(".row:nth-child(2)", across: 0.8)
      try await browser.wait(until: "!document.querySelector('.row.pulled')")
      try await browser.swipe(".row", across: -0.3)
      try await browser.wait(until: "document.querySelector('.row.swiped[data-pull=leading]')")
      let seen = try await browser.script(
        "return [...document.querySelectorAll('.row.swiped .action')].filter((e) => e.offsetParent).map((e) => e.textContent)"
      )
      #expect(seen.strings == ["Mark"])
      try await browser.click(".row.swiped [data-side=leading]")
      try await browser.script("document.querySelector('.row').focus()")
      try await browser.press(.enter)
      try await browser.wait(until: "document.body.dataset.connected === 'true'")
      try await wait(for: { screen.done.count == 4 }, "four deeds")
      #expect(screen.done == ["Mark Ant", "Archive Bee", "Mark Ant", "Open Ant"])
    }
  }
}
