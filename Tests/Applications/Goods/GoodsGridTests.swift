import BrowserDriver
import Foundation
import Testing

/// Goods as a grid: the same fetched results controller behind another layout.
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct GoodsGridTests {
  /// How many tiles stand in the first line, and how many lines the first section has.
  private static let shape = """
    (() => {
      const tiles = [...document.querySelector('.grid ul').children].map((e) => e.getBoundingClientRect());
      const tops = new Set(tiles.map(({ top }) => Math.round(top)));
      return [tiles.filter(({ top }) => Math.round(top) === Math.min(...tops)).length, tops.size].join();
    })()
    """
  private static let focused = "document.activeElement.querySelector('.title')?.textContent"

  private func showGrid(_ page: SectionsPage) async throws {
    try await page.look("Tiles")
    try await page.browser.wait(until: "document.querySelector('.grid .row')")
  }

  @Test func asManyTilesAsFitStandInALineAndTheListComesBack() async throws {
    try await withSections("goods", ["--seed", "40"]) { page, _, _ in
      let list = try await page.sections()
      try await showGrid(page)
      #expect(try await page.browser.script("return \(Self.shape)") == "4,2")
      #expect(try await page.sections() == list)
      try await page.look("Shelves")
      try await page.browser.wait(until: "document.querySelector('.sideways .row')")
      #expect(try await page.sections() == list)
      try await page.look("Rows")
      try await page.browser.wait(until: "!document.querySelector('.grid')")
      #expect(try await page.sections() == list)
      let messages = try await page.browser.consoleMessages()
      #expect(messages == [])
    }
  }

  @Test func theFirstGoodsOfAnEmptyGridAreATile() async throws {
    try await withSections("goods") { page, _, _ in
      try await page.look("Tiles")
      try await page.press("Add…")
      try await page.answer([("Name", "Nails"), ("Number", "9"), ("Category", "Attic")], "Add")
      try await page.browser.wait(
        until: "document.querySelector('.grid .row')?.offsetWidth < 200")
      #expect(try await page.sections() == ["Attic: Nails 9"])
    }
  }

  @Test func aClickAddsOneAndNothingElseIsDrawnAnew() async throws {
    try await withSections("goods", ["--seed", "40"]) { page, _, store in
      try await showGrid(page)
      try await page.browser.script("document.querySelectorAll('.row')[1].dataset.mark = 'same'")
      try await page.choose("Baguette")
      try await page.browser.wait(
        until: "document.querySelector('.grid .row .count').textContent === '4'")
      let marked = try await page.browser.script(
        "return document.querySelectorAll('.row')[1].dataset.mark")
      #expect(marked == "same")
      let sql = "SELECT ZNUMBER FROM ZGOODS WHERE ZNAME = 'Baguette'"
      try await SQLiteShell.wait(for: ["4"], sql, store)
    }
  }

  /// A finger scrolls a shelf, and a tile has no room beside it: a long press opens what a swipe
  /// shows in a list.
  @Test(arguments: ["Tiles", "Shelves"])
  func aLongPressOpensTheActionsOfATile(look: String) async throws {
    try await withSections("goods", ["--seed", "8"]) { page, _, store in
      let browser = page.browser
      try await page.look(look)
      try await browser.wait(until: "document.querySelector('.grid .row')")
      let sections = try await page.sections()
      let title = try #require(try await browser.texts(".row .title").first)
      let tile = Selector(".row .title", containing: title)
      let isOpen = "document.querySelector('dialog.actions-of-row[open]')"
      try await browser.pressLong(tile, until: isOpen)
      #expect(try await browser.texts("dialog[open] button") == ["Category…", "Delete", "Cancel"])
      #expect(try await browser.texts("dialog[open] h3") == [title])
      try await browser.click(Selector("dialog[open] button", containing: "Cancel"))
      try await page.waitForNoAlert()
      // The press has counted nothing, and the menu can be opened again.
      #expect(try await page.sections() == sections)
      try await browser.pressLong(tile, until: isOpen)
      try await browser.click(Selector("dialog[open] button", containing: "Category"))
      try await page.waitForText("Category", in: ".modal, dialog")
      try await page.answer([("Category", "Attic")], "Move")
      let sql = "SELECT ZCATEGORY FROM ZGOODS WHERE ZNAME = '\(title)'"
      try await SQLiteShell.wait(for: ["Attic"], sql, store)
      try await page.waitForNoAlert()
      try await browser.pressLong(tile, until: isOpen)
      try await browser.click(Selector("dialog[open] button", containing: "Delete"))
      try await SQLiteShell.wait(for: [], sql, store)
    }
  }

  @Test func theArrowsGoInAllFourDirections() async throws {
    try await withSections("goods", ["--seed", "40"]) { page, _, _ in
      try await showGrid(page)
      let titles = try await page.browser.texts(".row .title")
      try await page.browser.script("document.querySelector('.row').focus()")
      // Five in each section: a line of four, a line of one.
      for (key, place) in [
        (Key.right, 1), (.down, 4), (.down, 5), (.right, 6), (.up, 4), (.left, 3), (.left, 2),
      ] {
        try await page.browser.press(key)
        try await page.browser.wait(
          until: "\(Self.focused) === \(JavaScript.literal(titles[place]))")
      }
    }
  }

  @Test func whatIsImportedComesIntoTheGridAndTheWindowStaysSmall() async throws {
    try await withSections("goods", ["--seed", "40"]) { page, _, _ in
      try await showGrid(page)
      try await page.press("Import…")
      try await page.answer([("Rows", "5000")], "Import")
      try await page.waitForTotal(5040)
      let held = try await page.browser.script(
        "return String(document.querySelectorAll('.row').length)")
      #expect(Int(held.string ?? "") ?? 0 < 200)
      try await page.browser.script("document.querySelector('.row').focus()")
      try await page.browser.press(.end)
      try await page.browser.wait(until: "document.activeElement.ariaPosInSet === '5040'")
      // The last tile is where it is seen, right above the end of the page.
      let isSeen = "document.activeElement.getBoundingClientRect().bottom <= innerHeight"
      try await page.browser.wait(until: isSeen)
    }
  }

  @Test func aShelfScrollsSidewaysAndTheKeyboardGoesAlongIt() async throws {
    try await withSections("goods", ["--seed", "400"]) { page, _, _ in
      try await showGrid(page)
      try await page.look("Shelves")
      try await page.browser.wait(until: "document.querySelector('.sideways .row')")
      try await page.browser.resize(width: 500, height: 700)
      let titles = try await page.browser.texts(".row .title")
      try await page.browser.script("document.querySelector('.row').focus()")
      for place in 1...8 {
        try await page.browser.press(.right)
        try await page.browser.wait(
          until: "\(Self.focused) === \(JavaScript.literal(titles[place]))")
      }
      // The shelf has followed, and the page has not moved.
      try await page.browser.wait(
        until: """
          (() => {
            const { left, right } = document.activeElement.getBoundingClientRect();
            const list = document.activeElement.closest('ul');
            return list.scrollLeft > 100 && left >= 0 && right <= innerWidth && scrollY === 0;
          })()
          """)
      // The ninth stands above the tenth.
      try await page.browser.press(.down)
      try await page.browser.wait(
        until: "\(Self.focused) === \(JavaScript.literal(titles[9]))")
      try await page.browser.press(.up)
      try await page.browser.wait(
        until: "\(Self.focused) === \(JavaScript.literal(titles[8]))")
    }
  }

  @Test func aNarrowPageHasFewerColumnsAndEachTileInItsPlace() async throws {
    try await withSections("goods", ["--seed", "2000"]) { page, _, _ in
      try await showGrid(page)
      try await page.browser.resize(width: 500, height: 700)
      try await page.browser.wait(until: "innerWidth <= 500 && \(Self.shape).startsWith('2,')")
      // Where a tile stands is where the page reckons that it does, once it knows of so many.
      try await page.browser.wait(
        until: """
          (() => {
            if (scrollY !== 4000) scrollTo(0, 4000);
            const rows = [...document.querySelectorAll('.row')];
            const bar = document.querySelector('.bar').offsetHeight;
            return scrollY === 4000 && rows.some((e) => {
              const { top, bottom } = e.getBoundingClientRect();
              return top < innerHeight / 2 + 20 && bottom > innerHeight / 2 - 20;  // or the gap between tiles
            }) && bar > 0;
          })()
          """)
    }
  }
}

extension SectionsPage {
  /// Chooses what the goods look like, in the popover beside the button.
  func look(_ title: String) async throws {
    try await press("Look")
    try await browser.wait(until: "document.querySelector('.popover .row')")
    try await browser.click(Selector(".popover .row .title", containing: title))
    try await browser.wait(until: "!document.querySelector('.modal')")
  }
}
