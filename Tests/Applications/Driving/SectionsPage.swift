import BrowserDriver
import Foundation

/// A list in sections in a browser: what a user does with it.
struct SectionsPage {
  let browser: Browser
  let address: URL

  func open() async throws {
    try await browser.preferReducedMotion()
    try await browser.open(address)
    try await browser.wait(until: "document.body.dataset.connected === 'true'")
  }

  /// Another window, which gets the commands from now on. Answers with the name of the one before.
  func openSecondWindow() async throws -> String {
    let first = try await browser.currentWindow()
    try await browser.newWindow()
    try await open()
    return first
  }

  // MARK: Doing

  func press(_ title: String) async throws {
    try await browser.click(Selector(".bar button", containing: title))
  }

  func chooseTab(_ title: String) async throws {
    try await browser.click(Selector("[role=tab]", containing: title))
    try await waitForSelectedTab(title)
  }

  func choose(_ title: String) async throws {
    try await bringIntoView(title)
    try await browser.click(Selector(".row .title", containing: title))
  }

  /// A button that comes up in a row, such as Delete.
  func act(_ action: String, on title: String) async throws {
    try await bringIntoView(title)
    try await browser.script("\(row(title)).focus()")
    try await browser.click(Selector("button[aria-label='\(action) \(title)']"))
  }

  /// Away from the bar, which would take the click.
  private func bringIntoView(_ title: String) async throws {
    try await browser.wait(until: "\(row(title)) !== undefined")
    try await browser.script("\(row(title)).scrollIntoView({ block: 'center' })")
  }

  /// The alert, or the form in the topmost sheet.
  static let question = "dialog[open], #app > .modal:last-child"

  /// Fills the fields of the alert or the form, and presses its button.
  func answer(_ texts: [(label: String, text: String)], _ button: String) async throws {
    for (label, text) in texts { try await enter(text, label: label) }
    let buttons = "dialog[open] menu button, #app > .modal:last-child:not([inert]) .bar button"
    try await browser.click(Selector(buttons, containing: button))
  }

  /// Enters a value as a user does: text by the keyboard, one of several by a click, a day such as
  /// 1984-05-27 as the browser's own picker does.
  func enter(_ text: String, label: String) async throws {
    let control = ["input", "[role=radiogroup]", "button"].map { kind in
      let name = kind == "button" ? "Add \(label.lowercased())" : label
      return ":is(\(Self.question)) \(kind)[aria-label='\(name)']"
    }
    _ = try await browser.find(Selector(control.joined(separator: ", ")))
    let kind = try await browser.script(
      """
      const all = [...arguments].map((css) => document.querySelector(css));
      return all[0]?.type ?? (all[1] ? "radio" : "button");
      """, control.map(JSONValue.string)
    ).string
    switch kind {
    case "radio":
      try await browser.click(Selector("\(control[1]) label", containing: text.capitalized))
    case "button":
      if text.isEmpty { return }
      try await browser.click(Selector(control[2]))
      fallthrough
    case "date":
      try await fill(label, day: text)
    default:
      try await browser.script(
        "const e = document.querySelector(arguments[0]); e.focus(); e.select()",
        [.string(control[0])])
      if text.isEmpty { try await browser.press(.backspace) } else { try await browser.type(text) }
    }
  }

  // MARK: Seeing

  /// `Section: row value, row value` for each section that the page holds rows of.
  private static let sections = """
    [...document.querySelectorAll('.sections section')].map((section) =>
      section.querySelector('h2').textContent + ': ' +
      [...section.querySelectorAll('.row')].map((row) =>
        [...row.querySelectorAll('.title, .detail, .count')].map((e) => e.textContent).join(' ')
      ).join(', '))
    """

  func sections() async throws -> [String] {
    try await browser.script("return \(Self.sections)").strings
  }

  func waitForSections(_ expected: [String]) async throws {
    let wanted = expected.joined(separator: "\n")
    try await browser.wait(until: "\(Self.sections).join('\\n') === \(JavaScript.literal(wanted))")
  }

  /// Neither an alert nor a form is open.
  func waitForNoAlert() async throws {
    try await browser.wait(until: "!document.querySelector('dialog, .modal')")
  }

  func waitForText(_ text: String, in css: String) async throws {
    try await browser.wait(
      until: """
        [...document.querySelectorAll('\(css)')]
          .some((e) => e.textContent.includes(\(JavaScript.literal(text))))
        """)
  }

  func waitForTotal(_ count: Int) async throws {
    try await browser.wait(until: "document.querySelector('.row')?.ariaSetSize === '\(count)'")
  }

  func waitForSelectedTab(_ title: String) async throws {
    try await browser.wait(
      until: """
        document.querySelector('[role=tab][aria-selected=true]')?.textContent
          === \(JavaScript.literal(title))
        """)
  }

  /// The first row below the bar has a title that begins so.
  func waitForTopRow(_ beginning: String) async throws {
    try await browser.wait(
      until: """
        [...document.querySelectorAll('.row')]
          .find((e) => e.getBoundingClientRect().top >= document.querySelector('.bar').offsetHeight)
          ?.querySelector('.title').textContent.startsWith(\(JavaScript.literal(beginning)))
        """)
  }

  /// All rows of the page, and at least one, have a text in a part.
  func waitForRowsContaining(_ text: String, in css: String) async throws {
    try await browser.wait(
      until: """
        [...document.querySelectorAll('.row')].length > 0
          && [...document.querySelectorAll('.row \(css)')]
            .every((e) => e.textContent.includes(\(JavaScript.literal(text))))
        """)
  }

  func waitForRows(titled title: String, count: Int) async throws {
    try await browser.wait(
      until: """
        [...document.querySelectorAll('.row .title')]
          .filter((e) => e.textContent === \(JavaScript.literal(title))).length === \(count)
        """)
  }

  /// The row of a title, as an expression.
  private func row(_ title: String) -> String {
    """
    [...document.querySelectorAll('.row')]
      .find((e) => e.querySelector('.title').textContent === \(JavaScript.literal(title)))
    """
  }
}

/// Runs an application on a store of its own with a browser on it, for the time of a test.
func withSections(
  _ name: String, _ arguments: [String] = [],
  _ body: (SectionsPage, ApplicationProcess, URL) async throws -> Void
) async throws {
  let folder = try TemporaryFolder()
  let store = folder.file("\(name).sqlite")
  let application = try ApplicationProcess(name, store: store, arguments: arguments)
  try await withSections(at: application.address) { try await body($0, application, store) }
  application.kill()
}

func withSections(
  at address: URL, isolation: isolated (any Actor)? = #isolation,
  _ body: (SectionsPage) async throws -> Void
) async throws {
  let browser = try await Browser()
  let page = SectionsPage(browser: browser, address: address)
  do {
    try await page.open()
    try await body(page)
  } catch {
    await browser.quit()
    throw error
  }
  await browser.giveBack()
}
