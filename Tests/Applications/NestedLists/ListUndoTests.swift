import BrowserDriver
import TestSupport
import Testing

/// Undo and redo of each thing that a user can do, by button and by key.
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct ListUndoTests {
  /// Something that a user does with the lists “a”, “b”, “c”, and what is seen afterwards.
  struct Deed: Sendable, CustomTestStringConvertible {
    let name: String
    let titles: [String]
    let perform: @Sendable (ListsPage) async throws -> Void
    var testDescription: String { name }
  }

  static let deeds = [
    Deed(name: "Add “d”", titles: ["a", "b", "c", "d"]) { try await $0.add("d") },
    Deed(name: "Rename “B”", titles: ["a", "B", "c"]) { try await $0.rename("b", to: "B") },
    Deed(name: "Delete “a”", titles: ["b", "c"]) { try await $0.delete("a") },
    Deed(name: "Move “c”", titles: ["c", "a", "b"]) {
      try await $0.drag("c", onto: "a", down: -18)
    },
    Deed(name: "Move “b”", titles: ["a", "c"]) { try await $0.drag("b", onto: "a") },
  ]

  private static let before = ["a", "b", "c"]

  @Test(arguments: Sample.of(deeds)) func aDeedIsUndoneAndRedoneByButton(_ deed: Deed) async throws
  {
    try await withNestedLists { page in
      try await deed.perform(page)
      for _ in 0..<2 {
        try await page.waitForTitles(deed.titles)
        try await page.waitForButton(".undo", saying: "Undo \(deed.name)")
        try await page.browser.click(".bar .undo")
        try await expectAsBefore(page)
        try await page.waitForButton(".redo", saying: "Redo \(deed.name)")
        try await page.browser.click(".bar .redo")
      }
      try await page.waitForTitles(deed.titles)
    }
  }

  @Test(arguments: Sample.of(deeds)) func aDeedIsUndoneAndRedoneByKey(_ deed: Deed) async throws {
    try await withNestedLists { page in
      try await deed.perform(page)
      // Inside a field the keys are the field's own.
      try await page.browser.script("document.activeElement.blur()")
      for _ in 0..<2 {
        try await page.waitForTitles(deed.titles)
        try await page.waitForButton(".undo", saying: "Undo \(deed.name)")
        try await page.browser.press("z", .control)
        try await expectAsBefore(page)
        try await page.waitForButton(".redo", saying: "Redo \(deed.name)")
        try await page.browser.press("z", .control, .shift)
      }
      try await page.waitForTitles(deed.titles)
    }
  }

  @Test func allIsUndoneDownToNothingAndRedone() async throws {
    try await withLists { page in
      try await page.add("a", "b")
      try await page.rename("a", to: "A")
      try await page.delete("b")
      try await page.waitForTitles("A")
      for titles in [["A", "b"], ["a", "b"], ["a"], []] {
        try await page.browser.click(".bar .undo")
        try await page.waitForTitles(titles)
      }
      try await page.browser.wait(until: "document.querySelector('.bar .undo').disabled")
      for titles in [["a"], ["a", "b"], ["A", "b"], ["A"]] {
        try await page.browser.click(".bar .redo")
        try await page.waitForTitles(titles)
      }
      try await page.browser.wait(until: "document.querySelector('.bar .redo').disabled")
    }
  }

  @Test func undoneChangesAreSavedToo() async throws {
    try await withNestedLists { page in
      try await page.delete("a")
      let titles = "SELECT group_concat(ZTITLE) FROM (SELECT ZTITLE FROM ZITEM ORDER BY ZTITLE)"
      try await SQLiteShell.wait(for: ["Lists,b,c"], titles, page.store)
      try await page.browser.click(".bar .undo")
      try await SQLiteShell.wait(for: ["Lists,a,b,c,inside"], titles, page.store)
    }
  }

  /// The lists “a”, with an item in it, “b” and “c”.
  private func withNestedLists(_ body: (ListsPage) async throws -> Void) async throws {
    try await withLists("a", "b", "c") { page in
      try await page.enter("a")
      try await page.add("inside")
      try await page.back(to: "Lists")
      try await page.waitForCount(1, of: "a")
      try await body(page)
    }
  }

  /// The deletion of a list brings its items back with it.
  private func expectAsBefore(_ page: ListsPage) async throws {
    try await page.waitForTitles(Self.before)
    try await page.waitForCount(1, of: "a")
  }
}
