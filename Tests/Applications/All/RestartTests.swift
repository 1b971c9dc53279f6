import BrowserDriver
import Foundation
import Testing

/// A server that goes away and comes back: open pages go on by themselves, at their place, with what
/// was typed.
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct RestartTests {
  /// Kills the application and starts it again on the same port: the page is at work again by itself.
  ///
  /// - Parameter meanwhile: what happens while there is no server.
  private func restart(
    _ name: String, _ application: ApplicationProcess, _ browser: Browser, store: URL,
    _ meanwhile: () throws -> Void = {}
  ) async throws -> ApplicationProcess {
    let old = try await browser.script("return document.body.dataset.window").string ?? ""
    application.kill()
    try await browser.wait(until: "document.body.dataset.connected === 'false'")
    try meanwhile()
    let again = try ApplicationProcess(name, store: store, port: application.address.port)
    try await browser.wait(
      until: """
        document.body.dataset.window !== '\(old)' && document.body.dataset.connected === 'true'
        """)
    return again
  }

  @Test func aListGoesOnAtItsPlaceWithWhatWasTyped() async throws {
    try await withLists("Groceries") { page in
      try await page.enter("Groceries")
      try await page.add("Milk")
      try await SQLiteShell.wait(for: ["3"], "SELECT count(*) FROM ZITEM", page.store)
      try await page.browser.type("half a ti", into: "input[data-field]")
      let again = try await restart(
        "nested-lists", page.application, page.browser, store: page.store)
      try await page.waitForHeading("Groceries")
      try await page.waitForTitles("Milk")
      // The keyboard is where it was, and the field the new window's.
      try await page.browser.type("tle\n")
      try await page.waitForTitles("Milk", "half a title")
      try await page.back(to: "Lists")
      #expect(
        try await page.browser.consoleMessages().filter { !$0.contains("net::") }.allSatisfy {
          $0.contains("404")
        })
      again.kill()
    }
  }

  /// The list is gone: what was typed for it is told, and does not go into another one.
  @Test func whatWasTypedForAListThatIsGoneIsTold() async throws {
    try await withLists("Box", "Groceries") { page in
      try await page.enter("Box")
      try await page.browser.type("half a ti", into: "input[data-field]")
      let again = try await restart(
        "nested-lists", page.application, page.browser, store: page.store
      ) {
        try SQLiteShell.change("DELETE FROM ZITEM WHERE ZTITLE = 'Box'", page.store)
      }
      try await page.waitForHeading("Lists")
      try await page.waitForToast("What you were editing is no longer there. You typed: half a ti")
      let typed = try await page.browser.script(
        "return document.querySelector('#app input[data-field]').value")
      #expect(typed.string == "")
      again.kill()
    }
  }

  /// A form that comes back says what others have made of the field that is being edited.
  @Test func aFieldThatOthersHaveChangedMeanwhileIsTold() async throws {
    try await withSections("heroes", ["--seed", "1"]) { page, application, store in
      try await page.choose("Amber Badger")
      _ = try await page.browser.find(".modal input")
      try await page.browser.script(
        """
        const field = document.querySelector('.modal input');
        field.focus();
        field.select();
        """)
      try await page.browser.type("Mine")
      let again = try await restart("heroes", application, page.browser, store: store) {
        try SQLiteShell.change(
          "UPDATE ZHERO SET ZNAME = 'Theirs', Z_OPT = Z_OPT + 1 WHERE ZNAME = 'Amber Badger'",
          store)
      }
      try await page.waitForText(
        "“Name” was changed to “Theirs” meanwhile. You typed: Mine", in: ".toast span")
      try await page.browser.wait(
        until: "document.querySelector('.modal input').value === 'Mine'")
      again.kill()
    }
  }

  @Test func aReloadAfterTheRestartIsAtThePlaceWithWhatWasTyped() async throws {
    try await withLists("Groceries") { page in
      try await page.enter("Groceries")
      try await page.add("Milk")
      try await SQLiteShell.wait(for: ["3"], "SELECT count(*) FROM ZITEM", page.store)
      try await page.browser.type("half a ti", into: "input[data-field]")
      page.application.kill()
      let again = try ApplicationProcess(
        store: page.store, port: page.application.address.port)
      try await page.reload()
      try await page.waitForHeading("Groceries")
      try await page.browser.type("tle\n")
      try await page.waitForTitles("Milk", "half a title")
      again.kill()
    }
  }

  @Test func aRowThatIsRenamedKeepsWhatWasTyped() async throws {
    try await withLists("Milk") { page in
      try await SQLiteShell.wait(for: ["2"], "SELECT count(*) FROM ZITEM", page.store)
      try await page.edit("Milk")
      try await page.browser.type("Oat m")
      let again = try await restart(
        "nested-lists", page.application, page.browser, store: page.store)
      try await page.browser.wait(until: "document.activeElement.matches('.row.editing input')")
      try await page.browser.type("ilk")
      try await page.browser.press(.enter)
      try await page.waitForTitles("Oat milk")
      again.kill()
    }
  }

  @Test func aLongListStaysWhereItWasScrolledTo() async throws {
    try await withLists(arguments: ["--seed", "2000"]) { page in
      try await page.browser.script("scrollTo(0, 48 * 1000)")
      let sees =
        "document.querySelector('.row[aria-posinset=\"1001\"]')?.getBoundingClientRect().top"
      try await page.browser.wait(until: "\(sees) > 0 && \(sees) < innerHeight")
      let before = try await page.browser.script("return \(sees)").number ?? 0
      let again = try await restart(
        "nested-lists", page.application, page.browser, store: page.store)
      try await page.browser.wait(until: "Math.abs(\(sees) - \(before)) < 2")
      again.kill()
    }
  }

  @Test func aQuestionIsAskedAgainWithWhatWasAnswered() async throws {
    try await withSections("goods", ["--seed", "3"]) { page, application, store in
      try await page.press("Add…")
      try await page.browser.type("Figs", into: ".modal input[aria-label='Name']")
      try await page.browser.type("12", into: ".modal input[aria-label='Number']")
      let again = try await restart("goods", application, page.browser, store: store)
      let texts = try await page.browser.script(
        "return [...document.querySelectorAll('.modal input')].map((e) => e.value)")
      #expect(texts.strings == ["Figs", "12", ""])
      try await page.browser.click(Selector(".modal .bar button", containing: "Add"))
      try await page.waitForRows(titled: "Figs", count: 1)
      again.kill()
    }
  }

  @Test func theFormOfANewBookKeepsWhatWasTyped() async throws {
    try await withSections("books", ["--seed", "3"]) { page, application, store in
      try await page.browser.click(".bar button")
      try await page.waitForTitle("New Book")
      try await page.fill("Title", "Tide Tables")
      let again = try await restart("books", application, page.browser, store: store)
      try await page.waitForForm([
        "Title: Tide Tables", "Author: ", "Copyright: \(SectionsPage.today)",
      ])
      // The server knows it too.
      try await page.browser.wait(until: "document.getElementById('progress').hidden")
      try await page.press("Save")
      try await page.waitForText("Author is a required value.", in: ".modal .footnote")
      let notes = try await page.browser.texts(".modal .footnote")
      #expect(!notes.joined().contains("Title"))
      again.kill()
    }
  }

  @Test func theEditedBookIsStillBeingEdited() async throws {
    try await withSections("books") { page, application, store in
      let titles = "SELECT ZTITLE FROM ZBOOK"
      try await page.openBook("The Quiet Harbour")
      try await page.beginEditing()
      try await page.edit("Title", "The Loud Harbour")
      try await page.edit("Author", "Somebody Else")
      // Neither saved nor lost.
      let again = try await restart("books", application, page.browser, store: store)
      try await page.waitForText("The Loud Harbour", in: ".row .value")
      try await page.waitForText("Somebody Else", in: ".row .value")
      #expect(try SQLiteShell.query(titles, store).contains("The Quiet Harbour"))
      try await page.endEditing()
      #expect(try SQLiteShell.query(titles, store).contains("The Loud Harbour"))
      // Once saved it is no draft any more.
      let third = try await restart("books", again, page.browser, store: store)
      try await page.waitForText("The Loud Harbour", in: ".row .value")
      #expect(try await page.browser.texts(".bar button").contains("Edit"))
      third.kill()
    }
  }

  @Test func aSearchFindsAgain() async throws {
    try await withSections("heroes", ["--seed", "500"]) { page, application, store in
      try await page.browser.type("lynx", into: "input[type=search]")
      try await page.waitForRowsContaining("Lynx", in: ".title")
      let again = try await restart("heroes", application, page.browser, store: store)
      try await page.waitForRowsContaining("Lynx", in: ".title")
      #expect(
        try await page.browser.script("return document.querySelector('input[type=search]').value")
          == "lynx")
      again.kill()
    }
  }

  @Test func theNoticeLeavesTheBarFreeAndHasAButton() async throws {
    try await withLists("Milk") { page in
      page.application.kill()
      try await page.browser.wait(until: "!document.getElementById('connection').hidden")
      let state = try await page.browser.script(
        """
        const notice = document.getElementById('connection').getBoundingClientRect();
        const undo = document.querySelector('.bar .undo').getBoundingClientRect();
        const button = document.querySelector('#connection button');
        return [notice.top > undo.bottom, button.textContent, button.offsetHeight >= 24].map(String);
        """)
      #expect(state.strings == ["true", "Try now", "true"])
    }
  }
}
