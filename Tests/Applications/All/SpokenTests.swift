import BrowserDriver
import Testing

/// What a screen reader is told, and what fingers can hit.
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct SpokenTests {
  private static let status = "document.getElementById('status').textContent"

  private func hint(_ css: String, _ browser: Browser) async throws -> String {
    try await browser.script(
      "return document.querySelector(arguments[0]).getAttribute('aria-description')",
      [.string(css)]
    ).string ?? ""
  }

  @Test func aRowSaysItsTextsAndWhatReturnDoesAndNoneOfItsButtons() async throws {
    try await withLists("Groceries") { page in
      try await page.enter("Groceries")
      try await page.add("Milk")
      try await page.back(to: "Lists")
      let row = try await page.browser.accessible(".row")
      #expect(row.name == "Groceries, 1")
      #expect(row.role == "listitem")
      let hint = try await hint(".row", page.browser)
      #expect(hint == "Return opens, F2 renames")
    }
    try await withSections("goods", ["--seed", "1"]) { page, _, _ in
      let row = try await page.browser.accessible(".row")
      #expect(row.name == "Baguette, 3")
      let hint = try await hint(".row", page.browser)
      #expect(hint == "Return: adds one")
    }
  }

  @Test func oneMoreIsSaid() async throws {
    try await withSections("goods", ["--seed", "1"]) { page, _, _ in
      for number in 4...5 {
        try await page.choose("Baguette")
        try await page.browser.wait(until: "\(Self.status).trim() === 'Baguette, \(number)'")
      }
    }
  }

  /// In a list below the sheet that adds to it.
  @Test func aRowThatASheetAddsIsSaid() async throws {
    try await withSections("heroes", ["--seed", "3"]) { page, _, _ in
      try await page.press("Add…")
      try await page.answer([("Name", "Nova")], "Add")
      try await page.browser.wait(until: "\(Self.status).trim() === '1 row added'")
    }
  }

  @Test func whatASearchFindsIsSaid() async throws {
    try await withSections("heroes", ["--seed", "100"]) { page, _, _ in
      try await page.browser.type("lynx", into: "input[type=search]")
      try await page.browser.wait(until: "/^[1-9] rows$/.test(\(Self.status))")
      try await page.browser.type("qqq", into: "input[type=search]")
      try await page.browser.wait(until: "\(Self.status).trim() === 'No rows'")
    }
  }

  @Test func everythingToHitIs24PixelsLarge() async throws {
    let small = """
      return [...document.querySelectorAll('button, a, .grip, input')]
        .filter((e) => e.offsetParent && Math.min(
          e.getBoundingClientRect().width, e.getBoundingClientRect().height) < 24)
        .map((e) => e.outerHTML)
      """
    try await withSections("heroes", ["--seed", "5000"]) { page, _, _ in
      try await page.press("Edit")
      try await page.browser.wait(until: "document.querySelector('.editing-table')")
      #expect(try await page.browser.script(small).strings == [])
    }
    try await withLists("Milk") { page in
      try await page.focus("Milk")
      #expect(try await page.browser.script(small).strings == [])
    }
  }

  @Test func hebrewAndArabicRunFromRightToLeft() async throws {
    try await withLists("שלום עולם.", "قائمة", "Milk") { page in
      let directions = """
        return [...document.querySelectorAll('.row .title')].map((e) => getComputedStyle(e).direction)
        """
      #expect(try await page.browser.script(directions).strings == ["rtl", "rtl", "ltr"])
      try await page.enter("قائمة")
      for css in ["h1", ".bar .spring"] {
        let direction = try await page.browser.script(
          "return getComputedStyle(document.querySelector(arguments[0])).direction", [.string(css)])
        #expect(direction == "rtl", "\(css)")
      }
      try await page.browser.type("שלום", into: "input[data-field]")
      let field = try await page.browser.script(
        "return getComputedStyle(document.querySelector('input[data-field]')).direction")
      #expect(field == "rtl")
    }
  }
}
