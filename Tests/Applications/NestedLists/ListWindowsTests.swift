import BrowserDriver
import Foundation
import Testing
import TestSupport

/// Windows: one that is loaded anew, and two on the same lists.
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct ListWindowsTests {
  @Test func aReloadKeepsThePlaceAndWhatCanBeUndone() async throws {
    try await withLists("Groceries") { page in
      try await page.enter("Groceries")
      try await page.add("Milk")
      try await page.reload()
      try await page.waitForHeading("Groceries")
      try await page.waitForTitles("Milk")
      try await page.waitForButton(".undo", saying: "Undo Add “Milk”")
      try await page.back(to: "Lists")
      try await page.waitForTitles("Groceries")
    }
  }

  @Test func aReloadKeepsThePlaceInALongList() async throws {
    try await withLists(arguments: ["--seed", "2000"]) { page in
      try await page.browser.script("scrollTo(0, 48 * 1000)")
      try await page.browser.wait(until: Self.sees(1001))
      // The server is told of the place with a little delay: until it knows, a reload begins at the
      // rows that are held.
      try await page.reload()
      try await page.browser.wait(until: "scrollY > 48 * 900 && scrollY < 48 * 1100")
      try await page.browser.wait(until: Self.sees(1001))
    }
  }

  private static func sees(_ place: Int) -> String {
    "document.querySelector('.row[aria-posinset=\"\(place)\"]')"
  }

  @Test func aSecondWindowFollowsEveryChange() async throws {
    try await withTwoWindows("a", "b") { page, first, second in
      try await page.add("c")
      try await page.browser.switchTo(second)
      try await page.waitForTitles("a", "b", "c")
      try await page.rename("b", to: "B")
      try await page.browser.switchTo(first)
      try await page.waitForTitles("a", "B", "c")
      try await page.drag("c", onto: "a", down: -18)
      try await page.browser.switchTo(second)
      try await page.waitForTitles("c", "a", "B")
      try await page.delete("a")
      try await page.browser.switchTo(first)
      try await page.waitForTitles("c", "B")
    }
  }

  @Test func anUndoSaysWhatItLeavesBecauseAnotherWindowHasChangedIt() async throws {
    try await withTwoWindows("a") { page, first, second in
      try await page.add("X", "Y", "Z")
      try await page.browser.switchTo(second)
      try await page.waitForTitles("a", "X", "Y", "Z")
      // The others move up by a place.
      try await page.delete("X")
      try await page.browser.switchTo(first)
      try await page.waitForTitles("a", "Y", "Z")
      try await page.browser.press("z", .control)
      try await page.waitForToast("“Z” stays as it is: somebody else has changed it since.")
      try await page.waitForTitles("a", "Y", "Z")
    }
  }

  @Test func newRowsComeLastWhereAnUndoHasLeftPlacesEmpty() async throws {
    try await withTwoWindows("1", "2", "3", "4", "5") { page, first, second in
      try await page.delete("5")
      try await page.browser.switchTo(second)
      try await page.waitForTitles("1", "2", "3", "4")
      for title in ["1", "2", "3"] { try await page.delete(title) }
      try await page.browser.switchTo(first)
      try await page.waitForTitles("4")
      try await page.browser.press("z", .control)
      try await page.waitForTitles("4", "5")
      try await page.add("end")
      try await page.waitForTitles("4", "5", "end")
      try await page.browser.switchTo(second)
      try await page.add("last")
      try await page.waitForTitles("4", "5", "end", "last")
    }
  }

  @Test func whenAnotherProgramDeletesTheFirstListThereIsANewOne() async throws {
    try await withLists("a", "b") { page in
      let command = Process()
      command.executableURL = try BuiltProgram.url("coredata")
      command.arguments = ["delete", page.store.path, "Item/p1", "--no-backup"]
      command.standardOutput = FileHandle.nullDevice
      try command.run()
      command.waitUntilExit()
      #expect(command.terminationStatus == 0)
      try await page.waitForToast("Another program has deleted “Lists” with all that was in it.")
      // Keys are nobody's until the person has chosen where to be.
      try await page.browser.click("#app input[data-field]")
      try await page.add("c")
      try await page.waitForTitles("c")
      try await SQLiteShell.wait(
        for: ["Lists", "c"], "SELECT ZTITLE FROM ZITEM ORDER BY ZTITLE", page.store)
    }
  }

  /// Whatever keeps a save from being made: what was done waits, is told of, and is saved when the cause has gone.
  @Test func whatCannotBeSavedIsToldAndSavedLater() async throws {
    try await withLists("a") { page in
      let away = page.store.appendingPathExtension("away")
      try FileManager.default.moveItem(at: page.store, to: away)
      try await page.add("b")
      // Every window says so for as long, also one that is opened meanwhile.
      let first = try await page.browser.currentWindow()
      for window in [first, try await page.openSecondWindow()] {
        try await page.browser.switchTo(window)
        try await page.browser.wait(
          until: """
            (() => {
              const notice = document.querySelector('#connection:not([hidden])')?.textContent ?? '';
              return ['Not saved: ', 'deleted, moved or replaced while the store was open']
                .every((text) => notice.includes(text));
            })()
            """)
      }
      try await page.browser.switchTo(first)
      try FileManager.default.moveItem(at: away, to: page.store)
      try await page.waitForToast("Everything is saved now.")
      try await page.browser.wait(until: "document.getElementById('connection').hidden")
      try await SQLiteShell.wait(
        for: ["Lists", "a", "b"], "SELECT ZTITLE FROM ZITEM ORDER BY Z_PK", page.store)
    }
  }

  @Test func countsAndTitlesFollowAcrossWindows() async throws {
    try await withTwoWindows("Groceries", "Milk") { page, first, second in
      try await page.enter("Groceries")
      try await page.add("Bread", "Salt")
      try await page.browser.switchTo(second)
      try await page.waitForCount(2, of: "Groceries")
      try await page.drag("Milk", onto: "Groceries")
      try await page.waitForCount(3, of: "Groceries")
      try await page.rename("Groceries", to: "Shopping")
      try await page.browser.switchTo(first)
      try await page.waitForTitles("Bread", "Salt", "Milk")
      try await page.waitForHeading("Shopping")
      try await page.delete("Salt")
      try await page.browser.switchTo(second)
      try await page.waitForCount(2, of: "Shopping")
    }
  }

  @Test func aWindowLeavesAListThatAnotherDeletes() async throws {
    try await withTwoWindows("Groceries", "House") { page, first, second in
      try await page.enter("Groceries")
      try await page.add("Milk")
      try await page.enter("Milk")
      try await page.browser.switchTo(second)
      try await page.waitForCount(1, of: "Groceries")
      try await page.delete("Groceries")
      try await page.waitForTitles("House")
      try await page.browser.switchTo(first)
      try await page.waitForHeading("Lists")
      try await page.waitForTitles("House")
    }
  }

  @Test func eachWindowUndoesItsOwnDeedsAlone() async throws {
    try await withTwoWindows { page, first, second in
      try await page.add("mine")
      try await page.browser.switchTo(second)
      try await page.waitForTitles("mine")
      try await page.browser.wait(until: "document.querySelector('.bar .undo').disabled")
      try await page.add("yours")
      try await page.browser.switchTo(first)
      try await page.waitForTitles("mine", "yours")
      try await page.waitForButton(".undo", saying: "Undo Add “mine”")
      try await page.browser.switchTo(second)
      try await page.browser.click(".bar .undo")
      try await page.waitForTitles("mine")
      try await page.browser.switchTo(first)
      try await page.waitForTitles("mine")
    }
  }

  /// Two windows on one application; the first has the commands.
  private func withTwoWindows(
    _ titles: String..., body: (ListsPage, _ first: String, _ second: String) async throws -> Void
  ) async throws {
    try await withLists { page in
      for title in titles { try await page.add(title) }
      // A window reads what has been saved.
      try await SQLiteShell.wait(
        for: ["\(titles.count + 1)"], "SELECT count(*) FROM ZITEM", page.store)
      let first = try await page.browser.currentWindow()
      let second = try await page.openSecondWindow()
      try await page.waitForTitles(titles)
      try await page.browser.switchTo(first)
      try await body(page, first, second)
    }
  }
}
