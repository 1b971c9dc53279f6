import BrowserDriver
import Foundation
import Testing

/// Windows of 1000 points and more: columns beside each other, and one stack below that.
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct WideWindowTests {
  private static let list = ".columns > :first-child"
  private static let detail = ".columns > :last-child"

  private func withWide(
    _ name: String, _ arguments: [String] = ["--seed", "40"],
    _ body: (SectionsPage, Browser) async throws -> Void
  ) async throws {
    try await withSections(name, arguments) { page, _, _ in
      try await page.browser.resize(width: 1280, height: 800)
      try await page.browser.wait(until: "document.querySelector('.columns')")
      try await body(page, page.browser)
      #expect(try await page.browser.consoleMessages() == [])
    }
  }

  private func waitForHeading(_ title: String, in css: String, _ browser: Browser) async throws {
    let wanted = JavaScript.literal(title)
    try await browser.wait(until: "document.querySelector('\(css) h1')?.textContent === \(wanted)")
  }

  private func waitForPlace(_ pattern: String, _ browser: Browser) async throws {
    try await browser.wait(until: "/\(pattern)$/.test(location.pathname)")
  }

  /// Crosses the limit to the narrow side.
  private func narrow(_ browser: Browser) async throws {
    try await browser.resize(width: 760, height: 800)
    try await browser.wait(until: "!document.querySelector('.columns')")
  }

  private func widen(_ browser: Browser) async throws {
    try await browser.resize(width: 1280, height: 800)
    try await browser.wait(until: "document.querySelector('.columns')")
  }

  // MARK: Books

  @Test func aBookStandsBesideTheListWhichKeepsTheKeyboard() async throws {
    try await withWide("books") { page, browser in
      #expect(try await browser.texts("\(Self.detail) .heading") == ["No book chosen"])
      try await browser.script("document.querySelector('.row').focus()")
      let title = try await browser.texts(".row .title")[0]
      try await browser.press(.enter)
      try await waitForHeading(title, in: Self.detail, browser)
      try await waitForPlace("at\\/p\\d+", browser)
      #expect(
        try await browser.script("return document.activeElement.matches('.row')").bool == true)
      #expect(try await browser.texts(".row[aria-current] .title") == [title])
      #expect(try await browser.texts("main h1") == [title])
      try await browser.press(.f6)
      let isInDetail = "document.activeElement.closest('.columns > :last-child') !== null"
      try await browser.wait(until: isInDetail)
      try await browser.press(.f6)
      try await browser.wait(until: "document.activeElement.matches('.row')")
    }
  }

  @Test func backAndForwardAndReloadKnowTheColumns() async throws {
    try await withWide("books") { page, browser in
      let title = try await browser.texts(".row .title")[0]
      try await page.choose(title)
      try await waitForHeading(title, in: Self.detail, browser)
      try await waitForPlace("at\\/p\\d+", browser)
      try await browser.reload()
      try await browser.wait(until: "document.body.dataset.connected === 'true'")
      try await waitForHeading(title, in: Self.detail, browser)
      try await browser.script("history.back()")
      try await browser.wait(
        until: "document.querySelector('\(Self.detail) .heading')?.textContent === 'No book chosen'"
      )
      #expect(try await browser.texts(".row[aria-current]") == [])
      try await browser.script("history.forward()")
      try await waitForHeading(title, in: Self.detail, browser)
    }
  }

  @Test func aDeepLinkOpensListAndDetail() async throws {
    try await withWide("books") { page, browser in
      let title = try await browser.texts(".row .title")[2]
      try await page.choose(title)
      try await waitForPlace("at\\/p\\d+", browser)
      let place = try await browser.script("return location.pathname.match(/at.*/)[0]").string ?? ""
      try await browser.script("location.href = '/' + arguments[0]", [.string(place)])
      try await browser.wait(until: "document.body.dataset.connected === 'true'")
      try await waitForHeading(title, in: Self.detail, browser)
      try await waitForHeading("Books", in: Self.list, browser)
    }
  }

  @Test func theWidthKeepsWhatIsEdited() async throws {
    try await withWide("books") { page, browser in
      let title = try await browser.texts(".row .title")[0]
      try await page.choose(title)
      try await waitForHeading(title, in: Self.detail, browser)
      try await browser.click(Selector("\(Self.detail) .bar button", containing: "Edit"))
      try await browser.click(Selector("\(Self.detail) .row .title", containing: "Title"))
      try await browser.wait(until: "document.activeElement.matches('\(Self.detail) input')")
      try await browser.type(" and more")
      try await narrow(browser)
      let value = "document.querySelector('.row input').value"
      try await browser.wait(until: "\(value).endsWith(' and more')")
      try await browser.wait(until: "document.activeElement.matches('.row input')")
      try await widen(browser)
      try await browser.wait(until: "\(value).endsWith(' and more')")
      try await browser.wait(until: "document.activeElement.matches('.row input')")
      try await browser.press(.enter)
      try await waitForHeading("\(title) and more", in: Self.detail, browser)
      // Another book ends the editing, and saves it.
      let other = try await browser.texts(".row .title")[4]
      try await page.choose(other)
      try await waitForHeading(other, in: Self.detail, browser)
      try await page.waitForText("\(title) and more", in: "\(Self.list) .row .title")
    }
  }

  @Test func anotherBookIsNotChosenWhileAFieldIsEdited() async throws {
    try await withWide("books") { page, browser in
      let titles = try await browser.texts(".row .title")
      try await page.choose(titles[0])
      try await waitForHeading(titles[0], in: Self.detail, browser)
      try await browser.click(Selector("\(Self.detail) .bar button", containing: "Edit"))
      try await browser.click(Selector("\(Self.detail) .row .title", containing: "Author"))
      try await waitForHeading("Author", in: Self.detail, browser)
      try await page.choose(titles[1])
      try await page.waitForText("First save or cancel", in: ".toast")
      #expect(try await browser.texts(".row[aria-current] .title") == [titles[0]])
      #expect(try await browser.texts("\(Self.detail) h1") == ["Author"])
    }
  }

  @Test func aSheetLiesOverAllColumnsAndGivesTheKeyboardBack() async throws {
    try await withWide("books") { page, browser in
      let title = try await browser.texts(".row .title")[0]
      try await page.choose(title)
      try await waitForHeading(title, in: Self.detail, browser)
      try await browser.press("n")
      try await page.waitForTitle("New Book")
      #expect(try await browser.texts(".columns[inert] h1") == ["Books", title])
      try await waitForPlace("at\\/p\\d+\\/new", browser)
      try await browser.press(.escape)
      try await browser.wait(until: "!document.querySelector('.modal')")
      try await waitForHeading(title, in: Self.detail, browser)
      try await browser.wait(until: "document.activeElement.closest('.columns')")
    }
  }

  @Test func aBookThatAnotherWindowDeletesLeavesItsColumn() async throws {
    try await withWide("books") { page, browser in
      let title = try await browser.texts(".row .title")[0]
      try await page.choose(title)
      try await waitForHeading(title, in: Self.detail, browser)
      let first = try await page.openSecondWindow()
      try await page.deleteBook(title)
      try await browser.closeWindow()
      try await browser.switchTo(first)
      try await browser.wait(
        until: "document.querySelector('\(Self.detail) .heading')?.textContent === 'No book chosen'"
      )
      try await page.waitForText("This book was deleted", in: ".toast")
    }
  }

  @Test func theSidebarIsRememberedAsHiddenAndShown() async throws {
    try await withWide("books") { page, browser in
      let title = try await browser.texts(".row .title")[0]
      try await page.choose(title)
      try await waitForHeading(title, in: Self.detail, browser)
      try await browser.click("button[aria-label='Hide sidebar']")
      try await browser.wait(until: "document.querySelectorAll('.screen').length === 1")
      let path = try await browser.script("return location.pathname.match(/at.*/)[0]").string ?? ""
      // A new window of the person begins so, too.
      try await browser.script("location.href = '/' + arguments[0]", [.string(path)])
      try await browser.wait(until: "document.body.dataset.connected === 'true'")
      try await browser.wait(until: "document.querySelector('[aria-label=\"Show sidebar\"]')")
      #expect(try await browser.texts("h1") == [title])
      try await browser.click("button[aria-label='Show sidebar']")
      try await browser.wait(until: "document.querySelector('.columns')")
    }
  }

  @Test func eachColumnScrollsByItself() async throws {
    try await withWide("books", ["--seed", "300"]) { page, browser in
      try await browser.script("document.querySelector('\(Self.list)').scrollTop = 2000")
      try await browser.wait(until: "document.querySelector('\(Self.list)').scrollTop === 2000")
      try await browser.wait(until: "[...document.querySelectorAll('.row')].length > 20")
      #expect(try await browser.script("return document.scrollingElement.scrollTop").number == 0)
      let titles = try await browser.texts(".row .title")
      try await page.choose(titles[titles.count / 2])
      try await waitForHeading(titles[titles.count / 2], in: Self.detail, browser)
      let top = try await browser.script("return document.querySelector('\(Self.list)').scrollTop")
      #expect(top.number ?? 0 > 500)
    }
  }

  // MARK: Employees, NestedLists, Goods

  @Test func anEmployeeStandsBesideTheListAndIsEditedInTheForm() async throws {
    try await withWide("employees") { page, browser in
      let name = try await browser.texts(".row .title")[0]
      try await page.choose(name)
      try await waitForHeading(name, in: Self.detail, browser)
      try await browser.click(Selector("\(Self.detail) .bar button", containing: "Edit"))
      try await page.answer([("Name", "Zoë")], "Save")
      try await waitForHeading("Zoë", in: Self.detail, browser)
      try await page.waitForText("Zoë", in: "\(Self.list) .row[aria-current] .title")
      try await narrow(browser)
      try await waitForHeading("Zoë", in: "#app", browser)
      try await browser.click(".bar .back")
      try await waitForHeading("Employees", in: "#app", browser)
    }
  }

  @Test func threeListsStandBesideEachOtherAndBecomeOneStack() async throws {
    try await withWide("nested-lists", []) { page, browser in
      for (column, title) in ["Trip", "Clothes", "Coats"].enumerated() {
        let css = ".columns > :nth-child(\(column + 1))"
        try await browser.type("\(title)\n", into: Selector("\(css) input[data-field]"))
        try await browser.click(Selector("\(css) .row .title", containing: title))
        let next = column < 2 ? ".columns > :nth-child(\(column + 2))" : Self.detail
        try await waitForHeading(title, in: next, browser)
      }
      // The last column has its own stack.
      #expect(try await browser.texts(".columns h1") == ["Lists", "Trip", "Coats"])
      try await waitForPlace("at\\/p\\d+\\/p\\d+\\/p\\d+", browser)
      try await narrow(browser)
      try await waitForHeading("Coats", in: "#app", browser)
      try await browser.click(".bar .back")
      try await waitForHeading("Clothes", in: "#app", browser)
      try await widen(browser)
      #expect(try await browser.texts(".columns h1") == ["Lists", "Trip", "Clothes"])
      #expect(try await browser.texts(".row[aria-current] .title") == ["Trip", "Clothes"])
    }
  }

  @Test func aColumnThatWaitsForTheOneBeforeItSaysWhatItIsFor() async throws {
    try await withWide("nested-lists", []) { _, browser in
      try await browser.wait(
        until: """
          [...document.querySelectorAll('.columns > * .empty:not([hidden]) .label')]
            .filter((e) => e.checkVisibility()).map((e) => e.textContent).join('|')
            .endsWith('see the list under it.|What you choose in that list will stand here.')
          """)
    }
  }

  // MARK: Typing

  enum Typing: CaseIterable { case newItem, title, value, form }

  /// What has been typed is in the field, and the keyboard with it, on either side of the limit.
  @Test(arguments: Typing.allCases)
  func whatIsBeingTypedStaysWhileTheColumnsComeAndGo(_ typing: Typing) async throws {
    let application = typing == .value ? "books" : typing == .form ? "employees" : "nested-lists"
    try await withWide(application) { page, browser in
      let css = try await field(typing, page, browser)
      try await browser.script("const e = document.querySelector('\(css)'); e.focus(); e.select()")
      try await browser.type("Half a ti")
      for step in [narrow, widen, narrow] {
        try await step(browser)
        try await browser.wait(
          until: """
            document.activeElement === document.querySelector('\(css)')
              && document.activeElement.value === 'Half a ti'
              && document.activeElement.selectionStart === 9
            """)
      }
      #expect(try await browser.texts(".toast") == [])
    }
  }

  /// Opens a field, and returns where it is.
  private func field(
    _ typing: Typing, _ page: SectionsPage, _ browser: Browser
  ) async throws -> String {
    switch typing {
    case .newItem: return "input[data-field]"
    case .title:
      try await browser.script("document.querySelector('.row').focus()")
      try await browser.press(.f2)
      try await browser.wait(until: "document.querySelector('.row.editing input')")
      return ".row.editing input"
    case .value:
      try await page.choose(try await browser.texts(".row .title")[0])
      try await browser.click(Selector("\(Self.detail) .bar button", containing: "Edit"))
      try await browser.click(Selector("\(Self.detail) .row", containing: "Author"))
      try await browser.wait(until: "document.querySelector('main input[data-field]')")
      return "main input[data-field]"
    case .form:
      try await page.choose(try await browser.texts(".row .title")[0])
      try await browser.click(Selector("\(Self.detail) .bar button", containing: "Edit"))
      try await browser.wait(until: "document.querySelector('.modal input[data-field]')")
      return ".modal input[data-field]"
    }
  }

  @Test func undoStandsInOneColumn() async throws {
    let undo = "[...document.querySelectorAll('.bar .undo')]"
    let isLast = "\(undo).length === 1 && \(undo)[0].closest('.columns > :last-child')"
    try await withWide("nested-lists", []) { page, browser in
      try await browser.wait(until: isLast)
      for (column, title) in ["Trip", "Clothes"].enumerated() {
        let css = ".columns > :nth-child(\(column + 1))"
        try await browser.type("\(title)\n", into: Selector("\(css) input[data-field]"))
        try await browser.wait(until: "\(undo)[0].ariaLabel === 'Undo Add “\(title)”'")
        try await browser.wait(until: isLast)
        try await browser.click(Selector("\(css) .row .title", containing: title))
        try await waitForHeading(title, in: ".columns > :nth-child(\(column + 2))", browser)
        try await browser.wait(until: isLast)
      }
      // Said once what there is to choose.
      try await browser.wait(
        until: """
          [...document.querySelectorAll('.empty .heading')].filter((e) => e.checkVisibility())
            .map((e) => e.textContent).join() === 'Nothing in this list yet'
          """)
      try await browser.press("z", .control)
      try await waitForPlace("at\\/p\\d+", browser)
      try await browser.wait(until: isLast)
      try await narrow(browser)
      try await browser.wait(until: "\(undo).length === 1")
    }
    try await withWide("employees") { page, browser in
      try await browser.wait(until: isLast)
      try await page.choose(try await browser.texts(".row .title")[0])
      try await browser.wait(until: "document.querySelector('\(Self.detail) h1').textContent")
      try await browser.wait(until: isLast)
    }
  }

  @Test func aTitleThatIsEditedInTheListSurvivesTheWidth() async throws {
    try await withWide("nested-lists", []) { page, browser in
      try await browser.type("Milk\n", into: Selector("\(Self.list) input[data-field]"))
      try await page.waitForText("Milk", in: ".row .title")
      try await browser.script("document.querySelector('.row').focus()")
      try await browser.press(.f2)
      try await browser.wait(until: "document.activeElement.matches('.row.editing input')")
      try await browser.type("Butter")
      try await narrow(browser)
      let value = "document.querySelector('.row.editing input')?.value"
      try await browser.wait(until: "\(value) === 'Butter'")
      try await widen(browser)
      try await browser.wait(until: "\(value) === 'Butter'")
      try await browser.script("document.querySelector('.row.editing input').focus()")
      try await browser.press(.enter)
      try await page.waitForText("Butter", in: ".row .title")
    }
  }

  @Test func goodsOnShelvesUseTheWidth() async throws {
    try await withSections("goods", ["--seed", "60"]) { page, _, _ in
      let browser = page.browser
      try await browser.resize(width: 1600, height: 900)
      #expect(
        try await browser.script("return document.querySelector('main').offsetWidth").number == 720)
      for look in ["Shelves", "Tiles"] {
        try await page.look(look)
        try await browser.wait(until: "document.querySelector('main').offsetWidth > 1400")
        try await browser.wait(
          until:
            "[...document.querySelectorAll('.grid ul')].some((e) => e.offsetWidth > 1400)"
        )
      }
    }
  }
}
