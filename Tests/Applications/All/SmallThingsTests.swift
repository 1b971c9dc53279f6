import BrowserDriver
import Foundation
import Testing

/// Small things that a user notices.
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct SmallThingsTests {
  @Test func theTitleOfAScrolledPageStandsInItsBar() async throws {
    try await withLists(arguments: ["--seed", "2000"]) { page in
      let title = "getComputedStyle(document.querySelector('.bar .spring')).opacity"
      #expect(try await page.browser.script("return \(title)") == "0")
      try await page.browser.script("scrollTo(0, 500)")
      try await page.browser.wait(until: "\(title) === '1'")
      #expect(try await page.browser.texts(".bar .spring") == ["Lists"])
      try await page.browser.script("scrollTo(0, 0)")
      try await page.browser.wait(until: "\(title) === '0'")
    }
  }

  @Test func anEmptyListSaysSo() async throws {
    try await withLists { page in
      try await page.browser.wait(
        until: """
          document.querySelector('.empty:not([hidden])')?.textContent
            .includes('Nothing in this list yet')
          """)
      try await page.add("Milk")
      try await page.browser.wait(until: "document.querySelector('.empty').hidden")
    }
    for (name, words) in [("goods", "No goods yet"), ("employees", "No employees yet")] {
      try await withSections(name) { page, _, _ in
        try await page.waitForText(words, in: ".empty:not([hidden])")
      }
    }
  }

  /// Of 10,000 characters three lines are seen, and all of them after a press.
  @Test func aLongTitleLeavesRoomForItsList() async throws {
    try await withLists("Milk") { page in
      try await page.edit("Milk")
      let text = String(repeating: "milk and more ", count: 700)
      try await page.browser.script(
        "document.querySelector('.row.editing input').value = arguments[0]", [.string(text)])
      try await page.browser.press(.enter)
      try await page.browser.wait(
        until: "document.querySelector('.row .title').textContent.length > 9000")
      try await page.browser.click(".row .chevron")
      try await page.browser.wait(until: "document.querySelector('h1').textContent.length > 9000")
      let height = "document.querySelector('h1').clientHeight"
      try await page.browser.wait(until: "\(height) > 60 && \(height) < 130")
      try await page.browser.click("h1")
      try await page.browser.wait(until: "\(height) > 1000")
      try await page.browser.script("document.querySelector('h1').focus()")
      try await page.browser.press(.enter)
      try await page.browser.wait(until: "\(height) < 130")
      try await page.browser.script("document.querySelector('.bar .back').click()")
      try await page.waitForHeading("Lists")
      #expect(try await page.browser.script("return document.querySelector('h1').tabIndex") == -1)
    }
  }

  @Test(arguments: ["nested-lists", "goods", "books", "heroes", "employees", "todomvc"])
  func noPageScrollsSideways(_ application: String) async throws {
    let seed = application == "todomvc" ? [] : ["--seed", "30"]
    try await withSections(application, seed) { page, _, _ in
      for width in [520, 320] {
        try await page.browser.resize(width: width, height: 700)
        try await page.browser.wait(until: "innerWidth <= \(width)")
        try await page.browser.wait(until: "document.documentElement.scrollWidth <= innerWidth")
      }
    }
  }

  @Test func whatAFieldOfAQuestionSaysAlreadyIsSelected() async throws {
    try await withSections("goods", ["--seed", "1"]) { page, _, _ in
      try await page.press("Import…")
      try await page.browser.wait(
        until: "document.activeElement.matches('.modal input') && getSelection() == '1000'")
      try await page.browser.type("3")
      try await page.browser.press(.enter)
      try await page.waitForTotal(4)
    }
  }

  @Test func anyListCanBeFoundToMoveAnItemInto() async throws {
    try await withLists(arguments: ["--seed", "2000"]) { page in
      try await page.beginMoving("Bread")
      try await page.browser.wait(
        until: "document.querySelector('.modal .row').ariaSetSize === '2000'")
      try await page.browser.type("Stamps, no. 40", into: ".modal input[type=search]")
      try await page.browser.wait(
        until: "document.querySelector('.modal .row').ariaSetSize === '1'")
      try await page.browser.click(".modal .row .title")
      try await page.waitForToast("“Bread” moved to “Stamps, no. 40”")
      try await page.browser.wait(until: "!document.querySelector('.modal')")
    }
  }

  @Test func somethingShowsThatWorkGoesOn() async throws {
    try await withSections("goods", ["--seed", "1"]) { page, _, _ in
      let progress = "document.getElementById('progress').hidden"
      #expect(try await page.browser.script("return \(progress)") == true)
      // Noted when it comes: a look from here may be too late.
      try await page.browser.script(
        """
        new MutationObserver(() => { window.sawWork ||= !\(progress); })
          .observe(document.getElementById('progress'), { attributes: true });
        """)
      try await page.browser.delayAnswers(milliseconds: 900)
      try await page.choose("Baguette")
      try await page.waitForSections(["Bakery: Baguette 4"])
      try await page.browser.wait(until: "window.sawWork")
      try await page.browser.wait(until: progress)
    }
  }

  @Test func rowsAndButtonsShowThatTheyArePressed() async throws {
    try await withLists("Milk") { page in
      for css in [".row", ".bar .undo"] {
        let colour = "getComputedStyle(document.querySelector('\(css)')).backgroundColor"
        try await page.browser.hover(Selector(css))
        // Colours change within a moment.
        try await page.browser.wait(
          until: "document.querySelector('\(css)').getAnimations().length === 0")
        let hovered = try await page.browser.script("return \(colour)").string ?? ""
        try await page.browser.hold(Selector(css))
        try await page.browser.wait(until: "\(colour) !== '\(hovered)'")
        // Away from it, so that nothing is done.
        try await page.browser.drag(Selector(css), onto: "h1")
      }
    }
  }

  /// The page and the server may both find that a field is gone.
  @Test func aLostTextIsGivenBackOnce() async throws {
    try await withLists { page in
      let count = try await page.browser.script(
        """
        const { showTyped } = pageModules['messages.js']
        showTyped('“Title” is no longer shown.', ['Lost'])
        showTyped('That field is no longer there.', ['Lost'])
        showTyped('That field is no longer there.', ['Lost too'])
        return String(document.querySelectorAll('.toast').length)
        """)
      #expect(count.string == "2")
    }
  }
}
