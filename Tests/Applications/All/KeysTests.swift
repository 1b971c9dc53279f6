import BrowserDriver
import Testing

/// Keys of every screen: the palette, the search, something new, and the list of keys.
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct KeysTests {
  private func leaveField(_ browser: Browser) async throws {
    try await browser.script("document.activeElement.blur()")
  }

  private func options(_ browser: Browser) async throws -> [String] {
    try await browser.script(
      "return [...document.querySelectorAll('.palette li span')].map((one) => one.textContent)"
    ).array?.compactMap(\.string) ?? []
  }

  private func openPalette(_ browser: Browser, _ text: String) async throws {
    try await browser.press("k", .control)
    try await browser.wait(until: "document.activeElement.matches('.palette input')")
    try await browser.type(text)
  }

  // MARK: - Single keys

  @Test(arguments: [
    ("nested-lists", "New item"), ("todomvc", "What needs to be done?"),
  ])
  func nGoesToTheFieldForSomethingNew(_ application: String, _ placeholder: String) async throws {
    try await withSections(application) { page, _, _ in
      try await leaveField(page.browser)
      try await page.browser.press("n")
      try await page.browser.wait(
        until: "document.activeElement.placeholder === \(JavaScript.literal(placeholder))")
      // Typed like any other letter from now on.
      try await page.browser.press("n")
      try await page.browser.wait(until: "document.activeElement.value === 'n'")
    }
  }

  @Test(arguments: ["goods", "heroes", "books"])
  func nPressesTheButtonForSomethingNew(_ application: String) async throws {
    try await withSections(application, ["--seed", "3"]) { page, _, _ in
      try await page.browser.press("n")
      try await page.browser.wait(until: "document.querySelector('dialog[open], .modal')")
    }
  }

  @Test(arguments: [false, true]) func theSearchIsOneKeyAway(_ isControl: Bool) async throws {
    try await withSections("heroes", ["--seed", "5"]) { page, _, _ in
      if isControl {
        try await page.browser.press("f", .control)
      } else {
        try await page.browser.press("/")
      }
      try await page.browser.wait(until: "document.activeElement.matches('.search input')")
      try await page.browser.type("/n?")
      try await page.browser.wait(until: "document.activeElement.value === '/n?'")
    }
  }

  @Test func aScreenWithoutASearchLeavesItsKeysToTheBrowser() async throws {
    try await withSections("todomvc") { page, _, _ in
      try await leaveField(page.browser)
      try await page.browser.script(
        """
        addEventListener("keydown", (event) => { window.wasTaken = event.defaultPrevented; });
        """)
      for (key, isControl) in [("/", false), ("f", true)] as [(Character, Bool)] {
        if isControl {
          try await page.browser.press(key, .control)
        } else {
          try await page.browser.press(key)
        }
        try await page.browser.wait(until: "window.wasTaken === false")
        try await page.browser.script("window.wasTaken = undefined")
      }
    }
  }

  @Test func singleKeysAreSwitchedOff() async throws {
    try await withSections("goods", ["--seed", "3"]) { page, _, _ in
      try await page.browser.press("?")
      try await page.browser.wait(until: "document.querySelector('dialog.keys[open]')")
      let text = try await page.browser.script(
        "return document.querySelector('.keys dl').textContent")
      #expect(text.string?.contains("NAdd…") == true, "\(text)")
      try await page.browser.click(".keys input")
      try await page.browser.press(.escape)
      try await page.browser.wait(until: "!document.querySelector('dialog')")
      try await page.browser.press("n")
      try await page.browser.press("?")
      try await page.browser.press("k", .control)
      try await page.browser.wait(until: "document.querySelector('dialog.palette[open]')")
      let dialogs = try await page.browser.script(
        "return document.querySelectorAll('dialog, .modal').length")
      #expect(dialogs == 1)
    }
  }

  // MARK: - The palette

  @Test func anActIsFoundByAPartOfItsName() async throws {
    try await withSections("goods", ["--seed", "3"]) { page, _, _ in
      try await openPalette(page.browser, "ad")
      #expect(try await options(page.browser).first == "Add…")
      try await page.browser.press(.enter)
      try await page.browser.wait(until: "document.activeElement.matches('.modal input')")
      #expect(try await page.browser.script("return document.querySelector('.palette')") == .null)
    }
  }

  @Test func aListIsOpenedByItsName() async throws {
    try await withLists("Älteste Bücher", "Milk", "Salt") { page in
      try await leaveField(page.browser)
      try await openPalette(page.browser, "buch")
      #expect(try await options(page.browser).first == "Älteste Bücher")
      try await page.browser.press(.enter)
      try await page.waitForHeading("Älteste Bücher")
    }
  }

  @Test func arrowsChooseAndEscapeGivesTheFocusBack() async throws {
    try await withLists("Milk", "Milk chocolate", "Salt") { page in
      try await page.focus("Salt")
      try await openPalette(page.browser, "milk")
      try await page.browser.press(.down)
      try await page.browser.wait(
        until: """
          document.getElementById(document.querySelector('.palette input')
            .getAttribute('aria-activedescendant')).textContent === 'Milk chocolate'
          """)
      try await page.browser.press(.escape)
      try await page.browser.wait(
        until: "document.activeElement.matches('.row') && !document.querySelector('dialog')")
      try await openPalette(page.browser, "nothing of this kind")
      #expect(try await options(page.browser) == [])
      try await page.browser.wait(
        until: "document.querySelector('.palette p').textContent.includes('nothing of this kind')")
      try await page.browser.press(.enter)
      try await page.browser.wait(until: "document.querySelector('.palette[open]')")
    }
  }

  @Test func whatThePageDoesNotHoldIsSearchedFor() async throws {
    try await withSections("heroes", ["--seed", "400"]) { page, _, _ in
      try await openPalette(page.browser, "zzz")
      #expect(try await options(page.browser) == ["Search for “zzz”"])
      try await page.browser.press(.enter)
      try await page.browser.wait(
        until: "document.querySelector('.search input').value === 'zzz'"
          + " && document.querySelectorAll('.row').length === 0")
    }
  }

  /// Somebody else deletes the row under the palette: it does nothing, and nothing else happens.
  @Test func whatIsGoneDoesNothing() async throws {
    try await withLists("Milk", "Salt") { page in
      try await leaveField(page.browser)
      try await openPalette(page.browser, "salt")
      try await page.browser.script("document.querySelectorAll('.row')[1].remove()")
      try await page.browser.press(.enter)
      try await page.browser.wait(until: "!document.querySelector('dialog')")
      try await page.waitForHeading("Lists")
    }
  }
}
