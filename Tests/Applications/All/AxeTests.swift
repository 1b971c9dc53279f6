import BrowserDriver
import Foundation
import Testing

/// The main screens of all applications, light and dark, under axe-core's rules without a finding.
///
/// axe-core is not in this repository: `AXE_CORE` says where its script is. `Scripts/run-axe`
/// fetches it and runs these tests.
@Suite(
  .disabled(if: AxeCore.path == nil, "AXE_CORE does not say where axe-core's script is"),
  .disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct AxeTests {
  @Test func listsWithinLists() async throws {
    try await withSections("nested-lists", ["--seed", "60"]) { page, _, _ in
      let axe = try AxeCore(page.browser)
      try await axe.expectNoFinding("Lists")
      try await page.browser.script("document.querySelector('.row').focus()")
      try await page.browser.press(.f2)
      try await page.browser.wait(until: "document.querySelector('.row.editing input')")
      try await axe.expectNoFinding("Lists, a title edited")
      try await page.browser.press(.escape)
      try await page.browser.click(".row:first-child .action:not(.destructive)")
      try await page.browser.wait(until: "document.querySelector('.modal .row')")
      try await axe.expectNoFinding("Lists, the sheet of Move…")
      try await page.browser.press(.escape)
      try await page.browser.wait(until: "!document.querySelector('.modal')")
      try await page.browser.click(".row:first-child .chevron")
      try await page.browser.wait(until: "document.querySelector('.bar .back')")
      try await axe.expectNoFinding("Lists, a list in a list")
      try await page.press("Outline")
      try await page.browser.wait(until: "document.querySelector('[role=tree] .row')")
      try await axe.expectNoFinding("Lists, an outline")
      try await page.browser.click(".bar .back")
      try await page.browser.wait(until: "document.querySelector('.adding')")
      try await page.browser.script("document.querySelector('.row').focus()")
      try await page.browser.press(.delete)
      try await page.browser.wait(until: "document.querySelector('.toast')")
      try await axe.expectNoFinding("Lists, a message")
    }
    try await withSections("nested-lists") { page, _, _ in
      try await AxeCore(page.browser).expectNoFinding("Lists, empty")
    }
  }

  @Test func goods() async throws {
    try await withSections("goods", ["--seed", "40"]) { page, _, _ in
      let axe = try AxeCore(page.browser)
      try await axe.expectNoFinding("Goods")
      try await page.browser.press("?")
      try await page.browser.wait(until: "document.querySelector('.keys[open]')")
      try await axe.expectNoFinding("Goods, the keys")
      try await page.browser.press(.escape)
      try await page.browser.press("k", .control)
      try await page.browser.wait(until: "document.querySelector('.palette[open]')")
      try await axe.expectNoFinding("Goods, the palette")
      try await page.browser.press(.escape)
      try await page.press("Look")
      try await page.browser.wait(until: "document.querySelector('.popover.beside')")
      try await axe.expectNoFinding("Goods, a popover")
      try await page.browser.press(.escape)
      try await page.browser.wait(until: "!document.querySelector('.modal')")
      try await page.look("Tiles")
      try await page.browser.wait(until: "document.querySelector('.grid .row')")
      try await axe.expectNoFinding("Goods, a grid")
      try await page.look("Shelves")
      try await page.browser.wait(until: "document.querySelector('.sideways .row')")
      try await axe.expectNoFinding("Goods, shelves")
      try await page.press("Add…")
      _ = try await page.browser.find(".modal input")
      try await axe.expectNoFinding("Goods, a form")
      try await page.answer([("Number", "many"), ("Name", "Rye")], "Add")
      try await page.browser.wait(until: "document.querySelector('.modal [aria-invalid]')")
      try await axe.expectNoFinding("Goods, a refusal")
    }
  }

  @Test func books() async throws {
    try await withSections("books", ["--seed", "40"]) { page, _, _ in
      let axe = try AxeCore(page.browser)
      try await axe.expectNoFinding("Books")
      try await page.press("Add")
      try await page.browser.wait(until: "document.querySelector('.modal')")
      try await axe.expectNoFinding("Books, the sheet of Add")
      try await page.browser.press(.escape)
      try await page.browser.wait(until: "!document.querySelector('.modal')")
      try await page.browser.script("document.querySelector('.row').focus()")
      try await page.browser.press(.delete)
      try await page.browser.wait(until: "document.querySelector('.toast')")
      try await axe.expectNoFinding("Books, a message")
      try await page.browser.click(".row .title")
      try await page.browser.wait(until: "document.querySelector('.bar .back')")
      try await axe.expectNoFinding("Books, a book")
      try await page.beginEditing()
      try await axe.expectNoFinding("Books, a book edited")
      try await page.choose("Author")
      try await page.browser.wait(until: "document.querySelector('.row input')")
      try await axe.expectNoFinding("Books, a field")
    }
  }

  @Test func wideWindows() async throws {
    for (name, heading) in [
      ("books", "Books"), ("employees", "Employees"), ("nested-lists", "Lists"),
    ] {
      try await withSections(name, ["--seed", "40"]) { page, _, _ in
        let (axe, browser) = (try AxeCore(page.browser), page.browser)
        try await browser.resize(width: 1280, height: 800)
        try await browser.wait(until: "document.querySelector('.columns')")
        try await axe.expectNoFinding("\(heading), wide, nothing chosen")
        try await browser.click(".columns > :first-child .row .title")
        try await browser.wait(
          until: "document.querySelector('.columns > :first-child .row[aria-current]')")
        try await axe.expectNoFinding("\(heading), wide")
        try await browser.click("button[aria-label='Hide sidebar']")
        try await browser.wait(until: "document.querySelector('[aria-label=\"Show sidebar\"]')")
        try await axe.expectNoFinding("\(heading), wide, without the sidebar")
        try await browser.click("button[aria-label='Show sidebar']")
        try await browser.wait(until: "document.querySelector('[aria-label=\"Hide sidebar\"]')")
      }
    }
  }

  @Test func heroes() async throws {
    try await withSections("heroes", ["--seed", "400"]) { page, _, _ in
      let axe = try AxeCore(page.browser)
      try await axe.expectNoFinding("Heroes")
      try await page.press("Edit")
      try await page.browser.wait(until: "document.querySelector('.editing-table')")
      try await axe.expectNoFinding("Heroes, in edit mode")
      try await page.press("Done")
      try await page.press("Add…")
      _ = try await page.browser.find(".modal input")
      try await axe.expectNoFinding("Heroes, a form")
      try await page.browser.press(.escape)
      try await page.waitForNoAlert()
      try await page.browser.type("a", into: "input[type=search]")
      try await page.browser.wait(
        until: "document.querySelector('#status').textContent.includes('row')")
      try await axe.expectNoFinding("Heroes, a search")
      try await page.browser.type("qqq", into: "input[type=search]")
      try await page.waitForText("No rows", in: "#status")
      try await axe.expectNoFinding("Heroes, a search without results")
    }
  }

  @Test func employees() async throws {
    try await withSections("employees", ["--seed", "60"]) { page, _, _ in
      let axe = try AxeCore(page.browser)
      try await axe.expectNoFinding("Employees")
      try await page.press("Add more data")
      try await page.waitForText("changes: … · insert → ", in: ".prompt")
      try await axe.expectNoFinding("Employees, the last changes")
      try await page.browser.click(".row .title")
      _ = try await page.browser.find(".modal input")
      try await axe.expectNoFinding("Employees, a form")
    }
  }

  @Test func todos() async throws {
    try await withTodos { page in
      let axe = try AxeCore(page.browser)
      try await axe.expectNoFinding("Todos, empty")
      try await page.createDefaultTodos()
      try await page.toggle(1)
      try await page.waitForCompleted(false, true, false)
      try await axe.expectNoFinding("Todos")
      try await page.beginEditing(0)
      try await axe.expectNoFinding("Todos, a title edited")
      try await page.browser.press(.escape)
      try await page.choose("Completed")
      try await axe.expectNoFinding("Todos, the completed ones")
    }
  }
}

/// axe-core in the pages of a browser.
struct AxeCore {
  static var path: String? { ProcessInfo.processInfo.environment["AXE_CORE"] }

  private let browser: Browser
  private let script: String

  init(_ browser: Browser) throws {
    self.browser = browser
    script = try String(contentsOfFile: Self.path ?? "", encoding: .utf8)
  }

  /// Looks at the page as it is, in the colours of day and night.
  func expectNoFinding(_ screen: String) async throws {
    for scheme in ["light", "dark"] {
      try await browser.prefer(colours: scheme)
      let findings = try await findings()
      #expect(findings.isEmpty, "\(screen), \(scheme): \(findings.joined(separator: "\n"))")
    }
  }

  /// `rule: element — what to do` for each finding; at least one rule must have found its kind of
  /// element, or nothing was looked at.
  private func findings() async throws -> [String] {
    let answer = try await browser.script(
      """
      if (!window.axe) (0, eval)(arguments[0]);
      return Promise.all(document.getAnimations().map((a) => a.finished.catch(() => {})))
        .then(() => axe.run(document)).then(({ violations, passes }) =>
          [String(passes.length), ...violations.flatMap(({ id, nodes }) => nodes.map((node) =>
            `${id}: ${node.html.slice(0, 200)} — ${node.failureSummary}`))]);
      """, [.string(script)]
    ).strings
    #expect(Int(answer.first ?? "") ?? 0 > 10, "axe-core looked at nothing")
    return Array(answer.dropFirst())
  }
}
