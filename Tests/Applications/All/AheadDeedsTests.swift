import BrowserDriver
import Foundation
import TestSupport
import Testing

/// What a person does on a slow line, in every application: it is drawn before the answer, looks as
/// if it were on its way, and is confirmed or taken back by the answer.
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct AheadDeedsTests {
  @Test(arguments: Sample.of(Deed.all))
  func whatIsDoneIsDrawnBeforeTheAnswer(_ deed: Deed) async throws {
    try await check(deed) { page in
      let messages = try await page.browser.consoleMessages()
      #expect(messages == [])
    }
  }

  @Test(arguments: Deed.refused)
  func whatIsRefusedComesBackWithItsReason(_ deed: Deed) async throws {
    try await check(deed) { _ in }
  }

  private func check(
    _ deed: Deed, _ more: (SectionsPage) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    let application = try ApplicationProcess(
      deed.application, store: folder.file("Ahead.sqlite"), arguments: deed.arguments)
    let line = try CuttingProxy(to: application.address)
    defer { line.end() }
    try await withSections(at: line.address(of: application.address)) { page in
      try await deed.prepare(page)
      try await page.browser.wait(until: "!sessionStorage.getItem('events')")
      line.slowDown(toSeconds: Self.roundTrip)
      try await deed.act(page)
      try await page.browser.wait(until: deed.ahead)
      try await page.browser.wait(
        until: "(\(deed.after)) && !document.querySelector('.on-its-way, .coming')")
      try await more(page)
    }
  }

  /// Longer than it takes to look at the page, and shorter than the browser takes a line for dead.
  private static var roundTrip: Double { min(Patience.stretch, 8, Patience.seconds / 6) }
}

/// One thing that a person does.
struct Deed: Sendable, CustomTestStringConvertible {
  typealias Step = @Sendable (SectionsPage) async throws -> Void

  let application: String
  let what: String
  var arguments: [String] = []
  /// What comes before, on a quick line.
  var prepare: Step = { _ in }
  let act: Step
  /// What the page shows before the answer, and not after it.
  let ahead: String
  /// What it shows after the answer.
  let after: String

  var testDescription: String { "\(application): \(what)" }

  // MARK: - What is done

  static let all = lists + todos + goods + books + heroes + employees

  private static let lists = [
    Deed(
      application: "nested-lists", what: "add", prepare: typing("a", "b", "c"), act: typing("d"),
      ahead: "document.querySelector('.coming .title')?.textContent === 'd'", after: has("d")),
    Deed(
      application: "nested-lists", what: "rename", prepare: typing("a", "b", "c"),
      act: renaming("b", "B"), ahead: isOnItsWay("B"), after: has("B")),
    Deed(
      application: "nested-lists", what: "delete", prepare: typing("a", "b", "c"),
      act: deleting("b"), ahead: isGoing("b"), after: hasNot("b")),
    Deed(
      application: "nested-lists", what: "move", prepare: typing("a", "b", "c"),
      act: { try await $0.onRow("a") { try await $0.press(.down, .alternate) } },
      ahead: "\(titles) === 'b,a,c' && \(isOnItsWay("a"))", after: "\(titles) === 'b,a,c'"),
    Deed(
      application: "nested-lists", what: "move into a list",
      prepare: {
        try await typing("a", "b", "c")($0)
        try await $0.act("Move…", on: "b")
        _ = try await $0.browser.find(".modal .row")
      },
      act: { try await $0.browser.click(Selector(".modal .row .title", containing: "a")) },
      ahead: isOnItsWay("a", in: ".modal"), after: "\(hasNot("b")) && \(noSheet)"),
    Deed(
      application: "nested-lists", what: "undo", prepare: typing("a", "b"),
      act: { try await $0.browser.click(".bar .undo") }, ahead: isPressed("Undo"),
      after: hasNot("b")),
  ]

  private static let todos = [
    Deed(
      application: "todomvc", what: "add", prepare: typing("a", "b"), act: typing("d"),
      ahead: "document.querySelector('.coming .title')?.textContent === 'd'", after: has("d")),
    Deed(
      application: "todomvc", what: "rename", prepare: typing("a", "b"), act: renaming("b", "B"),
      ahead: isOnItsWay("B"), after: has("B")),
    Deed(
      application: "todomvc", what: "delete", prepare: typing("a", "b"),
      act: deleting("b"), ahead: isGoing("b"), after: hasNot("b")),
    Deed(
      application: "todomvc", what: "complete", prepare: typing("a", "b"),
      act: {
        try await $0.browser.script("\(row("b")).querySelector('input[type=checkbox]').click()")
      },
      ahead: "\(row("b")).querySelector('input[type=checkbox]').checked && \(isOnItsWay("b"))",
      after: "\(row("b")).matches('.completed')"),
  ]

  private static let goods = [
    Deed(
      application: "goods", what: "add", arguments: ["--seed", "8"],
      prepare: form("Add…", [("Name", "Nails"), ("Number", "9"), ("Category", "Attic")]),
      act: done, ahead: isPressed("Add"), after: "\(has("Nails")) && \(noSheet)"),
    Deed(
      application: "goods", what: "count", arguments: ["--seed", "8"],
      act: { try await $0.choose("Baguette") },
      ahead: "\(count("Baguette")) === '4' && \(isOnItsWay("Baguette"))",
      after: "\(count("Baguette")) === '4'"),
    Deed(
      application: "goods", what: "count in a tile", arguments: ["--seed", "8"],
      prepare: {
        try await $0.look("Tiles")
        _ = try await $0.browser.find(".grid .row")
      },
      act: { try await $0.choose("Baguette") },
      ahead: "\(count("Baguette")) === '4' && \(isOnItsWay("Baguette"))",
      after: "\(count("Baguette")) === '4'"),
    Deed(
      application: "goods", what: "move to a category", arguments: ["--seed", "8"],
      prepare: {
        try await $0.act("Category…", on: "Baguette")
        try await $0.enter("Attic", label: "Category")
      },
      act: done, ahead: isPressed("Move"), after: "\(has("Baguette")) && \(noSheet)"),
    Deed(
      application: "goods", what: "delete", arguments: ["--seed", "8"], act: deleting("Baguette"),
      ahead: isGoing("Baguette"), after: hasNot("Baguette")),
  ]

  private static let books = [
    Deed(
      application: "books", what: "add", arguments: ["--seed", "4"],
      prepare: {
        try await form("Add", [("Title", "Zero"), ("Author", "Ann")])($0)
        try await $0.enter("1984-05-27", label: "Copyright")
      },
      act: done, ahead: isPressed("Save"), after: "\(has("Zero")) && \(noSheet)"),
    Deed(
      application: "books", what: "rename", arguments: ["--seed", "1"],
      prepare: {
        try await $0.browser.click(".row .title")
        try await $0.beginEditing()
        try await $0.choose("Title")
        try await $0.fill("Title", "Zero")
      },
      act: { try await $0.press("Save") }, ahead: isPressed("Save"),
      after: "document.querySelector('h1').textContent === 'Zero'"),
    Deed(
      application: "books", what: "delete", arguments: ["--seed", "1"], act: deletingFirst,
      ahead: "document.querySelector('.row.going')", after: "!document.querySelector('.row')"),
  ]

  private static let heroes = [
    Deed(
      application: "heroes", what: "add", arguments: ["--seed", "4"],
      prepare: form("Add…", [("Name", "Zorro")]), act: done, ahead: isPressed("Add"),
      after: "\(has("Zorro")) && \(noSheet)"),
    Deed(
      application: "heroes", what: "rename", arguments: ["--seed", "1"],
      prepare: editing("Amber Badger", [("Name", "Zorro")]), act: done, ahead: isPressed("Save"),
      after: "\(has("Zorro")) && \(noSheet)"),
    Deed(
      application: "heroes", what: "delete", arguments: ["--seed", "1"],
      act: deleting("Amber Badger"), ahead: isGoing("Amber Badger"),
      after: "!document.querySelector('.row')"),
  ]

  private static let employees = [
    Deed(
      application: "employees", what: "add",
      act: { try await $0.browser.click(Selector("button", containing: "Add")) },
      ahead: isPressed("Add"), after: "document.querySelector('.row')"),
    Deed(
      application: "employees", what: "rename", arguments: ["--seed", "1"],
      prepare: editing("Ada Abbot", [("Name", "Zoë")]), act: done, ahead: isPressed("Save"),
      after: "\(has("Zoë")) && \(noSheet)"),
    Deed(
      application: "employees", what: "delete", arguments: ["--seed", "1"],
      act: deleting("Ada Abbot"), ahead: isGoing("Ada Abbot"),
      after: "!document.querySelector('.row')"),
  ]

  // MARK: - What is refused

  static let refused = [
    Deed(
      application: "nested-lists", what: "too long a name", prepare: typing("a", "b"),
      act: renamingToMuch("b"), ahead: "\(row("b")) === undefined",
      after:
        "document.querySelector('.row.editing input:not([type])')?.value.length > 1e6 && \(says("too long"))"
    ),
    Deed(
      application: "nested-lists", what: "moved to where it is",
      prepare: {
        try await typing("a", "b")($0)
        try await $0.act("Move…", on: "b")
        _ = try await $0.browser.find(".modal .row")
      },
      act: { try await $0.browser.click(Selector(".modal .row .title", containing: "Lists")) },
      ahead: isOnItsWay("Lists", in: ".modal"), after: "\(has("b")) && \(says("already"))"),
    Deed(
      application: "todomvc", what: "too long a name", prepare: typing("a", "b"),
      act: renamingToMuch("b"), ahead: "\(row("b")) === undefined",
      after:
        "document.querySelector('.row.editing input:not([type])')?.value.length > 1e6 && \(says("too long"))"
    ),
    Deed(
      application: "goods", what: "no name", arguments: ["--seed", "8"],
      prepare: form("Add…", [("Number", "x")]), act: done, ahead: isPressed("Add"),
      after: """
        document.querySelectorAll('.modal [aria-invalid]').length === 2
          && document.querySelector('.modal input[aria-label=Number]').value === 'x'
        """),
    Deed(
      application: "goods", what: "one more than the largest number",
      prepare: {
        try await form("Add…", [("Name", "Nails"), ("Number", "2147483647")])($0)
        try await done($0)
        try await $0.waitForNoAlert()
        _ = try await $0.browser.find(".row")
      },
      act: { try await $0.choose("Nails") },
      ahead: "\(count("Nails")).endsWith('648') && \(isOnItsWay("Nails"))",
      after: "\(count("Nails")).endsWith('647') && \(says("largest number"))"),
    Deed(
      application: "books", what: "no author", arguments: ["--seed", "4"],
      prepare: form("Add", [("Title", "Zero")]), act: done, ahead: isPressed("Save"),
      after: "document.querySelector('.modal input[aria-invalid]')?.ariaLabel === 'Author'"),
    Deed(
      application: "heroes", what: "no name", arguments: ["--seed", "1"],
      prepare: editing("Amber Badger", [("Name", "")]), act: done, ahead: isPressed("Save"),
      after: "document.querySelector('.modal [aria-invalid]')"),
    Deed(
      application: "employees", what: "no height", arguments: ["--seed", "1"],
      prepare: editing("Ada Abbot", [("Height in metres", "tall")]), act: done,
      ahead: isPressed("Save"),
      after: "document.querySelector('.modal input[aria-invalid]')?.value === 'tall'"),
  ]

  // MARK: - Steps

  private static func typing(_ titles: String...) -> Step {
    { page in
      try await page.browser.script("document.querySelector('input[data-field]').focus()")
      for title in titles { try await page.browser.type("\(title)\n") }
    }
  }

  private static func renaming(_ old: String, _ new: String) -> Step {
    { page in
      try await page.onRow(old) { try await $0.press(.f2) }
      try await page.browser.script("document.activeElement.select()")
      try await page.browser.type("\(new)\n")
    }
  }

  /// More than a request may have.
  private static func renamingToMuch(_ title: String) -> Step {
    { page in
      try await page.onRow(title) { try await $0.press(.f2) }
      try await page.browser.script("document.activeElement.value = 'x'.repeat(1100000)")
      try await page.browser.press(.enter)
    }
  }

  private static func deleting(_ title: String) -> Step {
    { page in try await page.onRow(title) { try await $0.press(.delete) } }
  }

  private static let deletingFirst: Step = { page in
    try await page.browser.script("document.querySelector('.row').focus()")
    try await page.browser.press(.delete)
  }

  private static func form(_ button: String, _ texts: [(label: String, text: String)]) -> Step {
    { page in
      try await page.press(button)
      for (label, text) in texts { try await page.enter(text, label: label) }
    }
  }

  private static func editing(_ title: String, _ texts: [(label: String, text: String)]) -> Step {
    { page in
      try await page.choose(title)
      for (label, text) in texts { try await page.enter(text, label: label) }
    }
  }

  private static let done: Step = { try await $0.browser.click(".modal .bar .done") }

  // MARK: - What is seen

  private static let titles =
    "[...document.querySelectorAll('.row .title')].map((e) => e.textContent).join()"
  private static let noSheet = "!document.querySelector('.modal')"

  private static func row(_ title: String, in css: String = "") -> String {
    """
    [...document.querySelectorAll('\(css) .row')]
      .find((e) => e.querySelector('.title')?.textContent === '\(title)')
    """
  }

  private static func has(_ title: String) -> String { "\(row(title)) !== undefined" }
  private static func hasNot(_ title: String) -> String { "\(row(title)) === undefined" }

  private static func isOnItsWay(_ title: String, in css: String = "") -> String {
    "\(row(title, in: css))?.matches('.on-its-way')"
  }

  private static func isGoing(_ title: String) -> String {
    "\(row(title))?.matches('.on-its-way.going')"
  }

  private static func count(_ title: String) -> String {
    "\(row(title))?.querySelector('.count').textContent"
  }

  /// A button of the topmost screen that was pressed.
  private static func isPressed(_ title: String) -> String {
    """
    [...document.querySelectorAll('button.on-its-way')]
      .some((e) => (e.ariaLabel ?? e.textContent).includes('\(title)'))
    """
  }

  private static func says(_ text: String) -> String {
    "[...document.querySelectorAll('.toast')].some((e) => e.textContent.includes('\(text)'))"
  }
}

extension SectionsPage {
  /// Gives the keyboard to a row.
  func onRow(_ title: String, _ press: (Browser) async throws -> Void) async throws {
    let row = """
      [...document.querySelectorAll('.row')]
        .find((e) => e.querySelector('.title')?.textContent === \(JavaScript.literal(title)))
      """
    try await browser.wait(until: row)
    try await browser.script("\(row).focus()")
    try await press(browser)
  }
}
