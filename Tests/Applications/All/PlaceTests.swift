import BrowserDriver
import Foundation
import TestSupport
import Testing

/// The place is in the address: links, and the browser's own Back, Forward, reload and bookmarks.
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct PlaceTests {
  /// Lists › Groceries › Milk, of which the first is shown.
  private func withNested(_ body: (ListsPage) async throws -> Void) async throws {
    try await withLists("Groceries", "House") { page in
      try await page.enter("Groceries")
      try await page.add("Milk", "Bread")
      try await page.enter("Milk")
      try await page.add("Oats")
      try await page.back(to: "Groceries")
      try await page.back(to: "Lists")
      // In the store, where another window finds them.
      try await SQLiteShell.wait(for: ["6"], "SELECT count(*) FROM ZITEM", page.store)
      try await body(page)
    }
  }

  @Test func backAndForwardGoThroughTheScreens() async throws {
    try await withNested { page in
      let root = try await page.browser.path()
      try await page.enter("Groceries")
      try await page.enter("Milk")
      let deep = try await page.browser.path()
      #expect(deep.wholeMatch(of: /\/w\/[0-9a-f]{32}\/at\/p\d+\/p\d+/) != nil)
      try await page.browser.goBack()
      try await page.waitForHeading("Groceries")
      try await page.waitForTitles("Milk", "Bread")
      try await page.browser.goBack()
      try await page.waitForHeading("Lists")
      #expect(try await page.browser.path() == root)
      try await page.browser.goForward()
      try await page.waitForHeading("Groceries")
      try await page.browser.goForward()
      try await page.waitForHeading("Milk")
      try await page.waitForTitles("Oats")
      #expect(try await page.browser.path() == deep)
      #expect(try await page.browser.consoleMessages() == [])
    }
  }

  @Test func theBackButtonOfTheBarGoesBackInTheHistoryToo() async throws {
    try await withNested { page in
      try await page.enter("Groceries")
      try await page.enter("Milk")
      try await page.back(to: "Groceries")
      try await page.back(to: "Lists")
      try await page.browser.wait(until: "!location.pathname.includes('/at/')")
      try await page.enter("House")
      try await page.browser.goBack()
      try await page.waitForHeading("Lists")
    }
  }

  @Test func aMiddleClickOpensAListInAnotherTab() async throws {
    try await withNested { page in
      let first = try await page.browser.currentWindow()
      try await page.browser.middleClick(Selector(".row .title", containing: "Groceries"))
      var others: [String] = []
      try await Patience.waiting(for: "another tab") {
        others = try await page.browser.windows().filter { $0 != first }
        return !others.isEmpty
      }
      #expect(try await page.browser.texts("h1") == ["Lists"])
      try await page.browser.switchTo(others[0])
      try await page.browser.waitForConnection()
      try await page.waitForHeading("Groceries")
      try await page.waitForTitles("Milk", "Bread")
      // A window of its own, from which the way leads up all the same.
      try await page.back(to: "Lists")
      try await page.browser.switchTo(first)
      #expect(try await page.browser.texts("h1") == ["Lists"])
    }
  }

  @Test func aBookmarkLeadsToItsListAlsoAfterARestart() async throws {
    try await withNested { page in
      let link = try await page.browser.script(
        "return document.querySelector('a.texts').getAttribute('href')"
      ).string
      #expect(link?.wholeMatch(of: /\/at\/p\d+/) != nil)
      page.application.terminate()
      let again = try ApplicationProcess(
        store: page.store, port: page.application.address.port)
      try await page.browser.newWindow("tab")
      let address = try #require(URL(string: link ?? "", relativeTo: again.address))
      try await page.browser.open(address.absoluteURL)
      try await page.browser.waitForConnection()
      try await page.waitForHeading("Groceries")
      again.kill()
    }
  }

  @Test func anAddressOfAListThatIsGoneLeadsAsFarAsThereIs() async throws {
    try await withNested { page in
      try await page.enter("Groceries")
      try await page.enter("Milk")
      let deep = try await page.browser.path()
      try await page.back(to: "Groceries")
      try await page.delete("Milk")
      try await page.waitForTitles("Bread")
      let address = try #require(
        page.application.address.absoluteString.split(separator: "#").first)
      try await page.browser.open(
        try #require(URL(string: "\(address.dropLast())\(deep)")))
      try await page.browser.waitForConnection()
      try await page.waitForHeading("Groceries")
      try await page.waitForToast("What this address leads to is no longer there.")
      try await page.browser.wait(until: "location.pathname.split('/').length === 5")
    }
  }

  /// In a window of its own, and in one that is open already.
  @Test(arguments: ["goods", "books", "heroes", "employees", "nested-lists"])
  func anAddressOfNothingSaysSoAndShowsTheBeginning(application: String) async throws {
    try await withSections(application, ["--seed", "5"]) { page, _, _ in
      let heading = try await page.browser.texts("h1")
      for path in [
        "'/at/Nothing.p987654321'", "location.pathname.match(/^.w.\\w+/)[0] + '/at/nothing'",
      ] {
        try await page.browser.script(
          "document.body.dataset.former = 'true'; location.assign(\(path))")
        try await page.browser.wait(
          until: "document.body && document.body.dataset.former === undefined")
        try await page.waitForText("no longer there", in: ".toast")
        try await page.browser.waitForConnection()
        try await page.browser.wait(until: "!location.pathname.includes('othing')")
        #expect(try await page.browser.texts("h1") == heading)
      }
    }
  }

  @Test func tabsAndQuestionsAreInTheAddress() async throws {
    try await withSections("heroes", ["--seed", "5"]) { page, _, _ in
      try await page.chooseTab("By identity")
      try await page.browser.wait(until: "location.pathname.endsWith('/at/by-identity')")
      try await page.press("Add…")
      try await page.browser.wait(until: "location.pathname.endsWith('/at/by-identity/add')")
      try await page.browser.reload()
      try await page.waitForText("Add a hero", in: ".modal h1")
      try await page.answer([], "Cancel")
      try await page.waitForNoAlert()
      try await page.browser.wait(until: "location.pathname.endsWith('/at/by-identity')")
    }
  }

  @Test func theBrowsersBackClosesTheFormOfANewBook() async throws {
    try await withSections("books", ["--seed", "3"]) { page, _, _ in
      try await page.browser.click(".bar button")
      try await page.waitForTitle("New Book")
      try await page.browser.goBack()
      try await page.waitForNoSheet()
      try await page.waitForTitle("Books")
      try await page.browser.goForward()
      try await page.waitForTitle("New Book")
    }
  }
}
