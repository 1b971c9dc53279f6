import BrowserDriver
import Foundation
import Testing

/// Undo while a book is edited, and only then; and what other windows and the end of the process mean
/// for an edit.
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct BooksUndoTests {
  private func titles(_ store: URL) throws -> [String] {
    try SQLiteShell.query("SELECT ZTITLE FROM ZBOOK ORDER BY ZTITLE", store)
  }

  private func withHarbour(
    _ body: (SectionsPage, ApplicationProcess, URL) async throws -> Void
  ) async throws {
    try await withSections("books") { page, application, store in
      try await page.openBook("The Quiet Harbour")
      try await page.beginEditing()
      try await body(page, application, store)
    }
  }

  private func waitForTitleRow(_ title: String, on page: SectionsPage) async throws {
    try await page.waitForText(title, in: ".row .value")
    // The heading is refreshed with the rows.
    try await page.waitForTitle(title)
  }

  @Test func threeUndosWorkAndAFourthDoesNothing() async throws {
    try await withHarbour { page, _, store in
      for number in 1...5 { try await page.edit("Title", "Title \(number)") }
      for number in [4, 3, 2] {
        try await page.press("↺")
        try await waitForTitleRow("Title \(number)", on: page)
      }
      _ = try await page.browser.find("button.undo:disabled")
      try await page.browser.press("z", .control)
      // An event after the key: what the key did would be seen by then.
      try await page.press("↻")
      try await waitForTitleRow("Title 3", on: page)
      try await page.press("↻")
      try await waitForTitleRow("Title 4", on: page)
      try await page.press("↻")
      try await waitForTitleRow("Title 5", on: page)
      _ = try await page.browser.find("button.redo:disabled")
      try await page.endEditing()
      #expect(try titles(store).contains("Title 5"))
    }
  }

  @Test func undoAndRedoAreNamedAndRefreshThePage() async throws {
    try await withHarbour { page, _, _ in
      try await page.edit("Title", "The Loud Harbour")
      try await page.edit("Author", "Nobody")
      _ = try await page.browser.find("button[aria-label='Undo Edit Author']")
      try await page.browser.press("z", .control)
      try await page.waitForText("Agnes Thornbury", in: ".row .value")
      _ = try await page.browser.find("button[aria-label='Redo Edit Author']")
      _ = try await page.browser.find("button[aria-label='Undo Edit Title']")
      try await page.browser.press("z", .control)
      try await waitForTitleRow("The Quiet Harbour", on: page)
      try await page.browser.press("z", .control, .shift)
      try await waitForTitleRow("The Loud Harbour", on: page)
    }
  }

  @Test func leavingEditModeSavesAndRemovesTheUndoManager() async throws {
    try await withHarbour { page, _, store in
      try await page.edit("Title", "The Loud Harbour")
      #expect(try !titles(store).contains("The Loud Harbour"))
      try await page.endEditing()
      #expect(try titles(store).contains("The Loud Harbour"))
      #expect(try await page.browser.texts(".bar .undo, .bar .redo") == [])
      try await page.browser.press("z", .control)
      // Editing begins with nothing to undo.
      try await page.beginEditing()
      try await waitForTitleRow("The Loud Harbour", on: page)
      _ = try await page.browser.find("button.undo:disabled")
    }
  }

  @Test func anotherWindowSeesWhatIsSavedAndNotWhatIsBeingEdited() async throws {
    try await withHarbour { page, _, _ in
      let first = try await page.openSecondWindow()
      let second = try await page.browser.currentWindow()
      try await page.waitForTotal(24)
      try await page.browser.switchTo(first)
      try await page.edit("Title", "The Loud Harbour")
      try await page.browser.switchTo(second)
      #expect(try await page.browser.texts(".row .title").contains("The Quiet Harbour"))
      try await page.browser.switchTo(first)
      try await page.endEditing()
      try await page.browser.switchTo(second)
      try await page.waitForText("The Loud Harbour", in: ".row .title")
    }
  }

  @Test func aDetailPageFollowsWhatAnotherWindowChangesAndGoesWithItsBook() async throws {
    try await withSections("books") { page, _, _ in
      try await page.openBook("The Quiet Harbour")
      let first = try await page.openSecondWindow()
      try await page.openBook("The Quiet Harbour")
      try await page.beginEditing()
      try await page.edit("Author", "Somebody Else")
      try await page.endEditing()
      try await page.press("‹")
      let second = try await page.browser.currentWindow()
      try await page.browser.switchTo(first)
      try await page.waitForText("Somebody Else", in: ".row .value")
      try await page.browser.switchTo(second)
      try await page.deleteBook("The Quiet Harbour")
      try await page.waitForTotal(23)
      try await page.browser.switchTo(first)
      try await page.waitForTitle("Books")
      try await page.waitForText("This book was deleted.", in: ".toast")
    }
  }

  @Test func whatWasTypedOfABookThatAnotherDeletesIsTold() async throws {
    try await withSections("books") { page, _, _ in
      try await page.openBook("The Quiet Harbour")
      try await page.beginEditing()
      try await page.edit("Title", "The Loud Harbour")
      try await page.edit("Author", "Somebody Else")
      let first = try await page.openSecondWindow()
      try await page.deleteBook("The Quiet Harbour")
      try await page.waitForTotal(23)
      try await page.browser.switchTo(first)
      try await page.waitForTitle("Books")
      try await page.waitForText(
        "This book was deleted. You typed: The Loud Harbour, Somebody Else", in: ".toast")
    }
  }

  @Test func beingToldToStopSavesWhatIsBeingEdited() async throws {
    try await withHarbour { page, application, store in
      try await page.edit("Title", "The Loud Harbour")
      #expect(application.terminate() == 0)
      #expect(try titles(store).contains("The Loud Harbour"))
    }
  }
}
